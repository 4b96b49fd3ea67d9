/** Every invalid credential on every operation, late in the plan: a target may lock its sender out (section 5). */

import { type Answer, Skipped } from '../../src/client/request.ts';
import { TRIALS } from '../../src/contract/limits.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../../src/contract/operations.ts';
import { settingOf } from '../../src/exchange/credential-forms.ts';
import type { Ask, CredentialForm } from '../../src/exchange/exchange.ts';
import { FORM_IDS, nthForm } from '../../src/exchange/message.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Requirement } from '../../src/run/requirement.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import type { Moment } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import { numbersAfterRejection, numbersBeforeRejection, showsAssignments } from '../assignments.ts';
import { AUTHENTICATION, noneBesideInvalid, noneBesideValid, withoutAnything } from '../authentication.ts';
import { baseOf, idForBody } from '../bodies.ts';
import { ASSIGN, CREATE, isOneOf, LISTS, READS, WITH_ID, WRITES } from '../operations.ts';
import {
  amongCredentials,
  amongWithControls,
  atOnce,
  independent,
  onNamed,
  sendTo,
  sendValid,
  sequence,
} from './sending.ts';

/** One invalid form, its description and what it asks. */
export interface CredentialWay {
  readonly form: CredentialForm;
  readonly about: string;
  readonly asks: readonly Ask[];
  /** The path without the query of the settings, if that is asked as well. */
  readonly bare?: { readonly path: string };
}

/**
 * A service that takes the scheme Token for Bearer (Rails), cuts seven characters off any scheme, or accepts each that
 * ends in Bearer does so on every operation: each list gets one of the first two instead of the last.
 */
const SCHEMES: readonly CredentialForm[] = ['token-scheme', 'digest-scheme', 'longer-scheme'];
const SCHEME_OF: Partial<Record<OperationId, CredentialForm>> = {
  listNumbers: 'token-scheme',
  listTrunks: 'digest-scheme',
};

/**
 * The invalid forms with which an operation is asked, as far as the settings allow them. A form that needs a setting is
 * always among them, so that what a profile asks does not depend on the settings.
 */
export function credentialWays({ forms }: RequestBuilder, operation: OperationId): readonly CredentialWay[] {
  const requirements: readonly Requirement[] = AUTHENTICATION.filter(({ operations }) =>
    isOneOf(operations, operation),
  );
  const ways = requirements.flatMap(({ id, send }) =>
    Object.entries(send?.credentials ?? {}).map(([name, about]) => {
      const form = name as CredentialForm;
      return { form, about, asks: [{ id, variation: form }] };
    }),
  );
  const omitted = SCHEMES.filter((form) => form !== (SCHEME_OF[operation] ?? 'longer-scheme'));
  return ways.filter(({ form }) => !omitted.includes(form) && (settingOf(form) !== undefined || forms.has(form)));
}

/** The forms that are tried on a call while it rings, and not again: fewer than cause a lock-out. */
export const WHILE_RINGING: readonly CredentialForm[] = ['none', 'wrong-secret', 'truncated', 'bare'];

/**
 * The call for invalid credentials: to answer, the configured ringing call, which was answered and ended before; to
 * hang up, a call of this run that has ended.
 */
function callToTry({ builder, state }: Session, id: OperationId): string {
  const { ringingCallId } = builder.options;
  const ended = state.facts.endedCall ?? ringingCallId ?? builder.uuid('unknown call');
  return id === 'answerCall' ? (ringingCallId ?? ended) : ended;
}

/** Whether the settings name a connection for a body, so that a number may be assigned to another one and back. */
const canAssign = (builder: RequestBuilder): boolean =>
  builder.options.samples[ASSIGN] !== undefined || idForBody(builder, 'carrierConnection') !== undefined;

/** For a number that does not exist, since ours could not be assigned back: its rejection depends on the credential. */
const madeUpAssignment = (builder: RequestBuilder): Variation => ({
  path: builder.path(ASSIGN, [builder.uuid('unknown number of an assignment')]),
  json: { carrier_connection_id: builder.uuid('unknown connection of an assignment') },
});

/** The valid request of an operation, except its credential; for an assignment without a connection, a harmless one. */
export function validRequest(session: Session, id: OperationId): Variation {
  const { body, resources } = operationById(id);
  if (id === ASSIGN && !canAssign(session.builder)) return madeUpAssignment(session.builder);
  if (body !== null) return { json: baseOf(session, id) };
  return resources[0] === 'call' ? { path: session.builder.path(id, [callToTry(session, id)]) } : {};
}

/** A request that the target understands and that does nothing new; for create call one that it rejects. */
export function harmless(session: Session, id: OperationId): Variation {
  return id === 'createCall' ? { json: { variables: {} } } : validRequest(session, id);
}

/** Assigns the number to another connection: a list can only show that effect. If accepted, it is undone at once. */
async function assignElsewhere(session: Session, { form: credential, asks, about }: CredentialWay): Promise<void> {
  const { options } = session.builder;
  const connection = options.otherConnection ?? session.builder.uuid('unknown connection of a rejected assignment');
  const json = { carrier_connection_id: connection };
  const asked = { json, credential, asks, role: 'change', about: `${about}, and another connection` } as const;
  const { accepted } = await sendTo(session, ASSIGN, asked);
  if (accepted) await sendValid(session, ASSIGN, { ...validRequest(session, ASSIGN), about: 'assigned back' });
}

/** Without its setting, a sequence with such a form is planned but not sent. */
export function needsOf(...forms: readonly CredentialForm[]): Pick<Sequence, 'needs'> {
  const [needs] = forms.flatMap((form) => settingOf(form) ?? []);
  return needs === undefined ? {} : { needs };
}

/** The stimulus of a sequence with such a credential. */
export const formStimulus = (form: CredentialForm): string => `the credential in the form "${form}"`;

/** Requests around an invalid assignment, whose effect a list may show. */
interface Around {
  readonly isFirst: boolean;
  readonly isElsewhere: boolean;
}

function invalid(id: OperationId, way: CredentialWay, unchanged: readonly Ask[], around: Around): Sequence {
  const { form, about, bare } = way;
  const asks = [...way.asks, ...unchanged];
  // A create call with the valid credential would place a call, so the control is used instead.
  const among = id === 'createCall' ? amongWithControls(id) : amongCredentials(id);
  const place = { ...among, ...needsOf(form), stimulus: formStimulus(form) };
  const varied = (session: Session, more: Variation): Variation => {
    return { ...validRequest(session, id), ...bare, credential: form, ...more };
  };
  const probe = {
    request: (session: Session) => {
      const isTried = id === 'hangUpCall' && session.state.statuses.get(id)?.invalid.has(form) === true;
      if (isTried && session.attempt === 0) throw new Skipped('it was tried on an open call', { why: 'answered' });
      return session.builder.request(id, varied(session, { asks: way.asks, about }));
    },
    note: async (session: Session, { status, accepted }: Answer): Promise<void> => {
      session.state.noteStatus(id, form, status);
      // In a single case, nothing else shows how the target rejects an unknown credential.
      const isCompared = session.state.statuses.get(id)?.invalid.has('wrong-secret') === true;
      if (form === 'revoked' && isOneOf(READS, id) && !accepted && !isCompared) {
        const compared = { about: 'a wrong secret beside the revoked credential', role: 'compared' } as const;
        await sendTo(session, id, varied(session, { ...compared, credential: 'wrong-secret' }));
      }
      // A service may reuse what it kept of an earlier request; a write has a new connection anyway.
      if (accepted && isOneOf(READS, id))
        await sendTo(session, id, varied(session, { fresh: true, about: `${about}, on a new connection` }));
    },
  };
  const label = `credential: ${form}${bare === undefined ? '' : ', without the query'}`;
  const { isFirst, isElsewhere } = around;
  if (id !== 'createCall' && !isFirst && !isElsewhere) return independent(id, label, { asks, ...place }, probe);
  return sequence(id, label, { asks, ...place }, async (session) => {
    if (isFirst) await numbersBeforeRejection(session);
    const request = probe.request(session);
    const answer = await session.send(request).catch((error) => {
      // If no more calls may be placed, the credential is still tested with a body that can dial nothing.
      if (!(error instanceof Skipped) || error.skip.why !== 'calls') throw error;
      return session.send({ ...request, body: null, contentType: null, about: `${about}, no body` });
    });
    await probe.note(session, answer);
    if (answer.accepted && id === 'createCall') await session.hangUp();
    if (isElsewhere) await assignElsewhere(session, way);
  });
}

/**
 * The same request with the valid credential. A create call would dial, so a read replaces it; an assignment would
 * repair the effect of a rejected one, so the list of numbers is read first.
 */
function valid(id: OperationId, when: string, isLast: boolean, asks: readonly Ask[]): Sequence {
  const about = 'the valid credential between invalid ones';
  // The last one has the usual form, so that a rejected form does not leave the credentials open.
  const form = isLast ? {} : { form: nthForm(OPERATION_IDS.indexOf(id)) };
  const isAssignment = asks.length > 0;
  // An accepted assignment comes before the rejected ones.
  const among = isAssignment ? amongWithControls(id) : amongCredentials(id);
  const place = { ...among, isControl: true } as const;
  const probe = {
    request: (session: Session) => {
      const request = { ...validRequest(session, id), ...form, role: 'between', about } as const;
      // An assignment of a number that does not exist does not ask what a valid one does.
      const { builder } = session;
      const isMadeUp = id === ASSIGN && !canAssign(builder);
      return isMadeUp ? builder.request(id, { ...request, control: true }) : builder.control(id, request);
    },
    note: async (session: Session, { status, accepted }: Answer): Promise<void> => {
      session.state.noteStatus(id, 'valid', status);
      // An answer that an invalid credential gets as well does not show whether the valid one still works.
      const isTelling = ![...(session.state.statuses.get(id)?.invalid.values() ?? [])].includes(status ?? 0);
      if (!accepted && isLast && !isTelling) await readAgain(session, about);
    },
  };
  const label = `credential: valid, ${when}`;
  if (id !== 'createCall' && !isAssignment) return independent(id, label, { asks, ...place }, probe);
  return sequence(id, label, { asks, ...place }, async (session) => {
    if (id === 'createCall') return readAgain(session, about);
    if ((await numbersAfterRejection(session, asks)).accepted && !isLast) return;
    await probe.note(session, await session.send(probe.request(session)));
  });
}

/** A read that was accepted before, as a control: it shows whether the credential still works. */
export async function readAgain(session: Session, about: string): Promise<void> {
  const { healthCheck } = session.state.facts;
  if (healthCheck !== undefined) await sendValid(session, healthCheck, { role: 'health-check', about });
}

/** Invalid credentials on one operation, with the valid one in between; without its query as well, if it has one. */
function batch(builder: RequestBuilder, id: OperationId, others: readonly Sequence[]): readonly Sequence[] {
  const path = builder.barePath(id);
  const { profile, ringingCallId } = builder.options;
  const rings = id === 'answerCall' && profile === 'full' && ringingCallId !== undefined;
  const known = credentialWays(builder, id).filter(({ form }) => !(rings && WHILE_RINGING.includes(form)));
  // A read without a credential is sent at the same time as a valid read.
  const probed = known.filter(({ form }) => form !== 'none' || !isOneOf(READS, id));
  const valid = [...(isOneOf(READS, id) ? [noneBesideValid(builder, id)] : []), ...others];
  if (path === undefined) return probesOf(builder, id, probed, valid);
  // With the valid credential a 4xx is lawful there, and it is no control.
  const bareRead = independent(id, 'read without the query', amongCredentials(id), {
    request: ({ builder }) => builder.request(id, { path, about: 'a valid request without the query' }),
  });
  const bare = known.map((way) => ({ ...way, about: `${way.about}, without the query`, bare: { path } }));
  return [bareRead, ...probesOf(builder, id, [...bare, ...probed], valid)];
}

function probesOf(
  builder: RequestBuilder,
  id: OperationId,
  ways: readonly CredentialWay[],
  others: readonly Sequence[],
): readonly Sequence[] {
  const isShown = id === ASSIGN && canAssign(builder) && showsAssignments(builder);
  // Several simultaneous reads close a read whose id the settings name; a made-up id is read once.
  const isNamed = operationById(id).resources.every((kind) => builder.named(kind) !== undefined);
  const closing = isOneOf(READS, id) && isNamed ? readsAtOnce(id) : null;
  // A partial run sends nothing else for its own sake.
  const between = builder.options.only.length > 0 ? [] : [...others];
  // A single further one needs no control before it.
  const isDue = (at: number): boolean =>
    at === ways.length - 1 ||
    (at % TRIALS.invalidCredentials === TRIALS.invalidCredentials - 1 && at < ways.length - 2);
  const probes = ways.flatMap((way, at) => {
    // The list after a batch answers for all of it: otherwise only one of them was sent, and it had no effect.
    const due = ways.findIndex((_, later) => later >= at && isDue(later));
    const isLast = due === ways.length - 1;
    const when = isLast ? 'after all' : `after ${due + 1}`;
    const isAssigned = isShown && (isLast || due < TRIALS.invalidCredentials);
    const unchanged = isAssigned ? [ask('AUTH-ASSIGNMENT-UNCHANGED', when)] : [];
    const probe = invalid(id, way, unchanged, { isFirst: isShown && at === 0, isElsewhere: isAssigned && due === at });
    if (due > at) return [probe];
    const other = isLast || isAssigned ? undefined : between.shift();
    return [probe, other ?? (isLast && closing !== null ? closing : valid(id, when, isLast, unchanged))];
  });
  const rest = isOneOf(READS, id) && !isNamed ? [...others, readsAtOnce(id)] : others;
  return [...probes, ...rest.filter((other) => !probes.includes(other))];
}

/** Several simultaneous reads, the first ones each in another form: the valid credential after invalid ones. */
function readsAtOnce(id: OperationId): Sequence {
  // Lists get one read more than a pool of five connections, shared with other reads: with five, such a service passed.
  const count: Moment = isOneOf(LISTS, id) ? 6 : 3;
  const asks = [...atOnce(count).asks, ask('GAP-RATE-LIMITS', `${count} reads at once`)];
  const place = { asks, ...amongCredentials(id), isControl: true } as const;
  return onNamed(id, `${count} reads at once`, place, async (session) => {
    const { builder, state } = session;
    const reads = Array.from({ length: count }, (_, at) => {
      const about = `read ${at + 1} of ${count} at once`;
      const form = at < Math.min(FORM_IDS.length, count - 1) ? { form: nthForm(at) } : {};
      return builder.control(id, { ...atOnce(count), ...form, ...(at === 0 ? { asks } : {}), about });
    });
    try {
      for (const { status } of await session.together(reads)) state.noteStatus(id, 'valid', status);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      // With --rate 3, six cannot leave within a second: a single one shows whether the credential still works.
      const about = 'the valid credential behind invalid ones';
      const { status } = await sendValid(session, id, { role: 'between', about });
      state.noteStatus(id, 'valid', status);
      throw error;
    }
  });
}

/** A write without a credential, with made-up ids and without a body. */
function blindWrite(builder: RequestBuilder, id: OperationId): readonly Sequence[] {
  const without = credentialWays(builder, id).filter(({ form }) => form === 'none');
  return without.map(({ form, about, asks }) => {
    return sequence(id, `credential: ${form}`, { asks, lane: null, phase: 'credentials' }, async (session) => {
      await sendTo(session, id, { ...withoutAnything(builder, id), asks, about: `${about}, no body, unknown ids` });
    });
  });
}

/** In a single case, nothing else shows that the credential still works after the last invalid one. */
const closingRead = (id: OperationId): Sequence =>
  sequence(id, 'credential: valid, at the end', { ...amongCredentials(id), isControl: true }, (session) =>
    readAgain(session, 'the valid credential after the invalid ones'),
  );

/**
 * All requests with an invalid credential, and between them those with the valid one that a run sends anyway; the
 * read-only profile sends writes only without a credential.
 */
export function invalidCredentials(
  builder: RequestBuilder,
  among: (id: OperationId) => readonly Sequence[],
): readonly Sequence[] {
  const isFull = builder.options.profile === 'full';
  const ids = isFull ? OPERATION_IDS : READS;
  return [
    ...ids.flatMap((id) => batch(builder, id, among(id))),
    ...ids.filter((id) => isOneOf([CREATE, ...WITH_ID], id)).map((id) => noneBesideInvalid(builder, id)),
    ...(isFull ? [] : WRITES.flatMap((id) => blindWrite(builder, id))),
    ...(builder.options.only.length === 0 ? [] : OPERATION_IDS.map(closingRead)),
  ];
}
