/** Every way to break a credential, on every operation (section 5). Last in the plan: a target may lock callers out. */

import { carry } from '../src/client/credential.ts';
import { OPERATIONS, type OperationId, operationById } from '../src/contract/operations.ts';
import type { CredentialForm } from '../src/exchange/exchange.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';

/** Which requirement each bad form of a credential asks, and what it is in words. */
export const WAYS = [
  ['none', 'AUTH-CREDENTIAL-REQUIRED', 'no Authorization header'],
  ['empty-bearer', 'AUTH-CREDENTIAL-REQUIRED', 'an empty bearer'],
  ['other-scheme', 'AUTH-SCHEME', 'the credential under the scheme Basic'],
  ['basic', 'AUTH-SCHEME', 'the credential as the user name of Basic'],
  ['bare', 'AUTH-SCHEME', 'the credential without a scheme'],
  ['wrong-secret', 'AUTH-SECRET', 'the right prefix with a wrong secret'],
  ['truncated', 'AUTH-SECRET', 'the credential without its last character'],
  ['suffixed', 'AUTH-SECRET', 'the credential with one more character'],
  ['unprefixed', 'AUTH-SECRET', 'the secret without its prefix'],
  ['case-changed', 'AUTH-SECRET', 'the secret in changed letter case'],
  ['query', 'AUTH-HEADER-ONLY', 'the credential in the query string only'],
  ['revoked', 'AUTH-REVOKED', 'a revoked credential'],
] as const satisfies readonly (readonly [CredentialForm, string, string])[];

type Way = (typeof WAYS)[number];

const IN_THE_MIDDLE = 6;

/** The bad forms that are tried on a call while it rings, and then not again. */
export const WHILE_RINGING: readonly CredentialForm[] = ['none', 'wrong-secret'];

function isTriedBefore(kit: Kit, id: OperationId, form: CredentialForm): boolean {
  const rings = kit.options.profile === 'full' && kit.options.ringingCallId !== undefined;
  return id === 'answerCall' && rings && WHILE_RINGING.includes(form);
}

/**
 * The call that bad credentials are tried on: to be answered the ringing one of the settings, to be hung up one of this
 * run that has ended. The ringing one was answered and ended before.
 */
function callFor(talk: Talk, id: OperationId): string {
  const { ringingCallId } = talk.kit.options;
  const ended = talk.memory.endedCall ?? ringingCallId ?? talk.kit.uuid('unknown call');
  return id === 'answerCall' ? (ringingCallId ?? ended) : ended;
}

/** The valid request of an operation, but for its credential. */
export function validRequest(talk: Talk, id: OperationId): Variation {
  const operation = operationById(id);
  if (operation.body !== null) return { json: baseOf(talk, id) };
  return operation.resources[0] === 'call' ? { path: talk.kit.path(id, [callFor(talk, id)]) } : {};
}

function bad(kit: Kit, id: OperationId, [form, requirement, about]: Way): Sequence {
  const ask = `${requirement}#${form}`;
  return {
    name: `${id}/credential: ${form}`,
    operation: id,
    lane: `credentials ${id}`,
    phase: 'credentials',
    serves: [ask],
    // A create call with the good credential is a call: the one of the control will do.
    ...(id === 'createCall' ? { leansOn: 'call' } : {}),
    run: async (talk) => {
      const variation = { ...validRequest(talk, id), credential: form, asks: [ask], step: 'bad credential', about };
      const answer = await talk.send(kit.request(id, variation));
      talk.memory.noteStatus(id, form, answer.status);
      if (answer.accepted && id === 'createCall') await talk.hangUp();
    },
  };
}

/** The same request with the good credential: what the bad ones must not get. A create call would dial, so it reads. */
function good(kit: Kit, id: OperationId, when: string, isLast: boolean): Sequence {
  return {
    name: `${id}/credential: good, ${when}`,
    operation: id,
    lane: `credentials ${id}`,
    phase: 'credentials',
    serves: [],
    isControl: true,
    run: async (talk) => {
      const about = 'the good credential between bad ones';
      if (id !== 'createCall') {
        const answer = await talk.send(kit.control(id, { ...validRequest(talk, id), about }));
        talk.memory.noteStatus(id, 'valid', answer.status);
        if (answer.accepted) return;
      }
      if (isLast) await talk.send(kit.control(talk.memory.pulse, { step: 'pulse', about }));
    },
  };
}

function batch(kit: Kit, id: OperationId): readonly Sequence[] {
  const isRead = operationById(id).method === 'GET';
  const ways = WAYS.filter(([form]) => (form === 'query' ? isRead : true))
    .filter(([form]) => carry(form, kit.options.credentials) !== null && !isTriedBefore(kit, id, form))
    .map((way) => bad(kit, id, way));
  return [
    ...ways.slice(0, IN_THE_MIDDLE),
    good(kit, id, 'between', false),
    ...ways.slice(IN_THE_MIDDLE),
    good(kit, id, 'after', true),
  ];
}

/** Bad credentials, in batches with the good one between. */
export const CREDENTIAL_SUITE: Suite = {
  name: 'credentials',
  sequences: (kit) => (kit.options.profile === 'full' ? OPERATIONS.flatMap(({ id }) => batch(kit, id)) : []),
};

const READS = OPERATIONS.filter(({ method }) => method === 'GET');
const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET');

/** A write without any credential, with ids that name nothing and without a body: it can harm nothing. */
function blindWrite(kit: Kit, id: OperationId): Sequence {
  const ask = 'AUTH-CREDENTIAL-REQUIRED#none';
  const ids = operationById(id).resources.map((kind) => kit.uuid(`unknown ${kind}`));
  return {
    name: `${id}/credential: none`,
    operation: id,
    lane: null,
    phase: 'credentials',
    serves: [ask],
    run: async (talk) => {
      const variation: Variation = { path: kit.path(id, ids), credential: 'none', asks: [ask], step: 'bad credential' };
      await talk.send(kit.request(id, { ...variation, about: 'no Authorization header, no body, unknown ids' }));
    },
  };
}

/** The read-only profile: reads with bad credentials, and the eight writes without any. */
export const READ_ONLY_SUITE: Suite = {
  name: 'read-only credentials',
  sequences: (kit) =>
    kit.options.profile === 'read-only'
      ? [...READS.flatMap(({ id }) => batch(kit, id)), ...WRITES.map(({ id }) => blindWrite(kit, id))]
      : [],
};
