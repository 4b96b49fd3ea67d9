/** Gaps about repeated actions (section 3): a second hang-up, an answer after a hang-up, a second mute. */

import type { Exchange } from '../../src/exchange/exchange.ts';
import type { Choice, Observation, ReadChoices } from '../../src/run/requirement.ts';
import { isAccepted, operationOf, routeOf } from '../../src/verdict/answer.ts';
import { isHeard, outcomeOf } from './choices.ts';

const WORD_OF: Readonly<Record<string, string>> = {
  hangUpCall: 'hang-up',
  answerCall: 'answer',
  muteParticipant: 'mute',
};

/** The call or participant that an action applies to: the path without the action. */
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
    question: 'What does a second hang-up do?',
    probe: 'Hanging up a call that was already hung up.',
    read: courses(after('hang-up', 'hang-up')),
  },
  {
    id: 'GAP-ANSWER-AFTER-HANGUP',
    section: '3',
    question: 'What does answering a call do after it was hung up?',
    probe: 'Answering a call that was already hung up.',
    read: courses(after('hang-up', 'answer')),
  },
  {
    id: 'GAP-MUTE-TWICE',
    section: '3',
    question: 'What does a second mute do?',
    probe: 'Muting a participant who is already muted.',
    read: courses(after('mute', 'mute')),
  },
];
