/** Calls that are placed, and the actions on them (sections 4 and 5). */

import { Withheld } from '../src/client/stimulus.ts';
import { operationById } from '../src/contract/operations.ts';
import type { JsonValue } from '../src/generate/json.ts';
import { type Kit, validAsks } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { validBodies } from './call-valid.ts';
import { baseOf, findBase } from './controls.ts';
import { WAYS, WHILE_RINGING } from './credentials.ts';
import { JSON_WITH_CHARSET } from './leniencies.ts';
import { FOREIGN_ASK, foreignCalls, foreignControl, hasOther } from './organizations.ts';

const CREATE = 'createCall';
/** Calls that are kept for what follows. */
const RESERVED = 2;

const isMinimal = (body: JsonValue): boolean => Object.keys(body ?? {}).length === 2;
const minimalAsk = (body: JsonValue): readonly string[] => (isMinimal(body) ? ['CALL-CREATE-MINIMAL'] : []);

const PLACED = validAsks(operationById(CREATE));

function controlCall(when: string): Sequence {
  return {
    name: `${CREATE}/control ${when}`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [...PLACED, 'CALL-CREATE-MINIMAL'],
    isControl: true,
    run: async (talk) => {
      baseOf(talk, CREATE);
      await findBase(talk, CREATE, minimalAsk);
    },
  };
}

/** Answers the ringing call of the settings, or, without one, the call of this run, which a target may refuse. */
function answer(kit: Kit): Sequence {
  const id = 'answerCall';
  return {
    name: `${id}/control`,
    operation: id,
    lane: 'call',
    phase: 'main',
    serves: validAsks(operationById(id)),
    run: async (talk) => {
      const call = kit.options.ringingCallId ?? talk.openCall();
      if (call === null) throw new Withheld('there is no call to answer', 'set PCS_RINGING_CALL_ID to a ringing call');
      const answered = await talk.send(kit.control(id, { path: kit.path(id, [call]) }));
      talk.memory.isRingingAnswered = answered.accepted && call === kit.options.ringingCallId;
    },
  };
}

/**
 * Two bad credentials while the call still rings: once it is answered, everybody gets the same refusal, and an answer
 * that needs no credential would go unseen. All other bad credentials come last in the plan.
 */
function badAnswers(kit: Kit): readonly Sequence[] {
  const id = 'answerCall';
  const call = kit.options.ringingCallId;
  if (call === undefined) return [];
  return WAYS.filter(([form]) => WHILE_RINGING.includes(form)).map(
    ([form, requirement, about]): Sequence => ({
      name: `${id}/credential while it rings: ${form}`,
      operation: id,
      lane: 'call',
      phase: 'main',
      serves: [`${requirement}#${form}`],
      run: async (talk) => {
        const asks = [`${requirement}#${form}`];
        const variation = { path: kit.path(id, [call]), credential: form, asks, step: 'bad credential', about };
        await talk.send(kit.request(id, variation));
      },
    }),
  );
}

async function hangUpOpen(talk: Talk): Promise<void> {
  const call = talk.openCall();
  if (call === null) throw new Withheld('no call was placed that could be hung up', 'see createCall');
  const asks = validAsks(operationById('hangUpCall'));
  const answer = await talk.hangUp({ asks, control: true, step: 'control', about: 'a valid request' });
  if (answer === null) return;
  talk.memory.endedCall = answer.exchange.request.path.split('/').at(-2) ?? null;
  talk.memory.isHangUpRefused = answer.status !== null && answer.status >= 400 && answer.status < 500;
}

const HANG_UP: Sequence = {
  name: 'hangUpCall/control',
  operation: 'hangUpCall',
  lane: 'call',
  phase: 'main',
  serves: validAsks(operationById('hangUpCall')),
  isControl: true,
  run: hangUpOpen,
};

/**
 * Where that hang-up was refused, the call had ended by itself or by the one with the other organization's credential: on
 * another call the two follow each other at once.
 */
function hangUpAnother(kit: Kit): Sequence {
  const asks = validAsks(operationById('hangUpCall'));
  return {
    name: 'hangUpCall/another call',
    operation: 'hangUpCall',
    lane: 'call',
    phase: 'main',
    serves: [],
    maySettle: hasOther(kit) ? [FOREIGN_ASK, ...asks] : asks,
    run: async (talk) => {
      if (!talk.memory.isHangUpRefused || talk.callsLeft <= RESERVED) return;
      await talk.send(kit.control(CREATE, { json: baseOf(talk, CREATE), asks: [] }));
      const call = talk.openCall();
      if (call === null) return;
      if (hasOther(kit)) await talk.send(foreignControl(kit, 'hangUpCall', call));
      await hangUpOpen(talk);
    },
  };
}

/** The ringing call was answered for the suite alone: it is not left open. */
function endRinging(kit: Kit): readonly Sequence[] {
  const call = kit.options.ringingCallId;
  if (call === undefined) return [];
  return [
    {
      name: 'hangUpCall/the ringing call',
      operation: 'hangUpCall',
      lane: 'call',
      phase: 'main',
      serves: validAsks(operationById('hangUpCall')),
      isControl: true,
      run: async (talk) => {
        const asks = validAsks(operationById('hangUpCall'));
        const as = { asks, control: true, step: 'control', about: 'the answered call' };
        const { accepted, status } = await talk.endOther(call, as);
        if (accepted || status === 404 || status === 410 || !talk.memory.isRingingAnswered) return;
        const got = status === null ? 'no complete answer' : `status ${status}`;
        talk.memory.changed.push(`call ${call} was answered and could not be hung up (${got}): it may still be open`);
      },
    },
  ];
}

/** The call that opens the bracket, and what can be done with it. */
export const CALL_SUITE: Suite = {
  name: 'calls',
  sequences: (kit) => [
    controlCall('before'),
    ...foreignCalls(kit),
    ...badAnswers(kit),
    answer(kit),
    HANG_UP,
    hangUpAnother(kit),
    ...endRinging(kit),
    ...validBodies(kit),
  ],
};

/** The call that closes the bracket, with a media type that says more; refused so, it is placed as all the others. */
function closingCall(): Sequence {
  const charset = 'CONTENT-TYPE-CHARSET';
  const control = controlCall('after');
  return {
    ...control,
    serves: [...PLACED, charset],
    maySettle: ['CALL-CREATE-MINIMAL'],
    run: async (talk) => {
      const json = baseOf(talk, CREATE);
      const about = `the body is labelled ${JSON_WITH_CHARSET}`;
      const labelled = { json, contentType: JSON_WITH_CHARSET, asks: [charset], step: 'with charset', about };
      if (talk.memory.bases.has(CREATE) && (await talk.send(talk.kit.control(CREATE, labelled))).accepted) return;
      await control.run(talk);
    },
  };
}

/** Closes the bracket. */
export const LAST_CALL_SUITE: Suite = { name: 'last call', sequences: () => [closingCall()] };
