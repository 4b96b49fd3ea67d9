/** Choices that show in what was done before (section 3): a second hang-up, an answer after it, a second mute. */

import type { Exchange } from '../../exchange/exchange.ts';
import { isAccepted } from '../answer.ts';
import { type Choice, isHeard, operationOf, outcomeOf, type Reader, routeOf } from './choice.ts';

const WORDS: Readonly<Record<string, string>> = {
  hangUpCall: 'hang-up',
  answerCall: 'answer',
  muteParticipant: 'mute',
};

/** Gaps by what is done and what was accepted last before it. */
const COURSES: Readonly<Record<string, string>> = {
  'hang-up after hang-up': 'GAP-HANGUP-TWICE',
  'answer after hang-up': 'GAP-ANSWER-AFTER-HANGUP',
  'mute after mute': 'GAP-MUTE-TWICE',
};

/** The call or participant that an action is done to: its path without the action. */
const subjectOf = (exchange: Exchange): string => routeOf(exchange).replace(/\/[^/]+$/, '');

/** Choices about actions on calls and participants, in the order in which they left. */
export const courseChoices: Reader = (exchanges) => {
  const last = new Map<string, string>();
  return exchanges.flatMap((exchange): readonly Choice[] => {
    const word = WORDS[exchange.tag.operation ?? ''];
    if (word === undefined || exchange.tag.ids !== 'named' || !exchange.tag.documented || !isHeard(exchange)) return [];
    const before = last.get(subjectOf(exchange));
    if (isAccepted(exchange)) last.set(subjectOf(exchange), word);
    const course = before === undefined ? `${word} first` : `${word} after ${before}`;
    const gap = COURSES[course];
    const operation = operationOf(exchange);
    const outcome = outcomeOf(exchange);
    return [
      ...(gap === undefined ? [] : [{ gap, operation, choice: outcome }]),
      ...(word === 'mute' ? [] : [{ gap: 'GAP-STATE-TRANSITIONS', operation, choice: `${course}: ${outcome}` }]),
    ];
  });
};
