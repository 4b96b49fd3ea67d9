/** Gaps that show in what was done before (section 3): a second hang-up, an answer after it, a second mute. */

import type { Exchange } from '../../src/exchange/exchange.ts';
import type { Choice, Observation, ReadChoices } from '../../src/run/requirement.ts';
import { isAccepted, routeOf } from '../../src/verdict/answer.ts';
import { isHeard, operationOf, outcomeOf } from './choices.ts';

const WORD_OF: Readonly<Record<string, string>> = {
  hangUpCall: 'hang-up',
  answerCall: 'answer',
  muteParticipant: 'mute',
};

/** The call or participant that an action is done to: its path without the action. */
const subjectOf = (exchange: Exchange): string => routeOf(exchange).replace(/\/[^/]+$/, '');

type Course = (before: string | undefined, action: string, outcome: string) => string | null;

/** Choices about actions on calls and participants, by what was accepted last before them. */
function courses(phraseOf: Course): ReadChoices {
  return ({ exchanges }, gap) => {
    const last = new Map<string, string>();
    return exchanges.flatMap((exchange): readonly Choice[] => {
      const action = WORD_OF[exchange.tag.operation ?? ''];
      const { ids, documented } = exchange.tag;
      if (action === undefined || ids !== 'named' || !documented || !isHeard(exchange)) return [];
      const choice = phraseOf(last.get(subjectOf(exchange)), action, outcomeOf(exchange));
      if (isAccepted(exchange)) last.set(subjectOf(exchange), action);
      return choice === null ? [] : [{ gap, operation: operationOf(exchange), choice }];
    });
  };
}

const after =
  (first: string, then: string): Course =>
  (before, action, outcome) =>
    before === first && action === then ? outcome : null;

const transition: Course = (before, action, outcome) => {
  if (action === 'mute') return null;
  return `${before === undefined ? `${action} first` : `${action} after ${before}`}: ${outcome}`;
};

/** Gaps of section 3 about actions. */
export const ACTION_GAPS: readonly Observation[] = [
  {
    id: 'GAP-STATE-TRANSITIONS',
    section: '3',
    question: 'Which state can follow which?',
    probe: 'Hang-ups and answers of one call, in the order in which they were accepted.',
    read: courses(transition),
  },
  {
    id: 'GAP-HANGUP-TWICE',
    section: '3',
    question: 'What happens to a second hang-up?',
    probe: 'A hang-up of a call that was hung up.',
    read: courses(after('hang-up', 'hang-up')),
  },
  {
    id: 'GAP-ANSWER-AFTER-HANGUP',
    section: '3',
    question: 'What happens to an answer after the hang-up?',
    probe: 'An answer of a call that was hung up.',
    read: courses(after('hang-up', 'answer')),
  },
  {
    id: 'GAP-MUTE-TWICE',
    section: '3',
    question: 'What happens to a second mute?',
    probe: 'A mute of a participant that was muted.',
    read: courses(after('mute', 'mute')),
  },
];
