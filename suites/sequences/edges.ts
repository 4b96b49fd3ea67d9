/** Boundary values on every update: sent last, since a fragile target may crash (conformance model, section 5). */

import { type Answer, noOccasion } from '../../src/client/request.ts';
import { DRAWN, TRIALS } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { type Ask, type Exchange, OTHER_NAME } from '../../src/exchange/exchange.ts';
import { bytesAt, type Edge, type EdgeOptions, edgesOf, NOT_ASCII, pointersOf } from '../../src/generate/edges.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { settledIn } from '../../src/run/written.ts';
import { isAboutRequest, isRedirect, isServerFailure } from '../../src/verdict/answer.ts';
import { boundary } from '../../src/verdict/boundary.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { envelope } from '../answers.ts';
import { ask } from '../ask.ts';
import { acceptedBase, fieldsOf, objectBase, schemaOf, valuesFor } from '../bodies.ts';
import { foundAltered, storedWhole } from '../expect/shown.ts';
import type { GapId } from '../observations/index.ts';
import { ASSIGN, READS, UPDATES, type Update } from '../operations.ts';
import { onNamed, sendTo } from './sending.ts';
import { fieldsOfTrunk, readBack } from './shown.ts';

const VOICE = 'https://voice.pcs-conformance.invalid/';

/** What the safety rules decide (model, section 7): one caller id, URLs under .invalid, a secret that stays random. */
function optionsFor(id: OperationId, { options, secret }: RequestBuilder): EdgeOptions {
  switch (id) {
    case 'updateVoiceApplication':
      return {
        fixed: { '/caller_id': options.numbers?.from ?? '' },
        beforeText: { '/voice_url': VOICE, '/callback_url': VOICE },
      };
    case 'setInboundAuth':
      return { before: { '/secret': secret } };
    default:
      return {};
  }
}

/** Whether the answer breaks a rule that holds for every value, or a smaller size limit hides which value it was. */
function needsNarrowing({ status, exchange }: Answer): boolean {
  if (status === null || status === 413 || isRedirect(exchange)) return true;
  return (status >= 500 && status !== 503) || (status >= 400 && envelope(exchange).kind === 'finding');
}

/** The gap about how the target treats such a value. */
const GAP_OF: Readonly<Record<Edge['theme'], GapId>> = {
  text: 'GAP-UPDATE-BOUNDS',
  type: 'GAP-UPDATE-BOUNDS',
  encoding: 'GAP-INVALID-UTF8',
  nesting: 'GAP-NESTING',
};

/** What a body with the value at these pointers asks: each value in each member, or the value of the whole body. */
function edgeAsks(edge: Edge, pointers: readonly string[]): readonly Ask[] {
  const values = pointers.flatMap((pointer) => (edge.values[pointer] ?? []).map((value) => `${value}: ${pointer}`));
  return values.length === 0 ? [boundary(edge.label)] : values.map(boundary);
}

const halvesOf = (pointers: readonly string[]): readonly (readonly string[])[] => {
  const half = Math.ceil(pointers.length / 2);
  return [pointers.slice(0, half), pointers.slice(half)];
};

/** The pointers in groups, so that a member that accepts nothing unusual does not hide the outcome for others. */
function apart({ state }: Session, id: OperationId, pointers: readonly string[]): readonly (readonly string[])[] {
  const isChoosy = (pointer: string): boolean => (state.rejectedAlone.get(`${id} ${pointer}`) ?? 0) >= TRIALS.calls;
  const rest = pointers.filter((pointer) => !isChoosy(pointer));
  const alone = pointers.filter(isChoosy).map((pointer) => [pointer]);
  return rest.length === 0 ? alone : [rest, ...alone];
}

/** The failed request with more values, and the failed read after it if the target had stored them. */
interface Whole {
  readonly partOf?: number;
  readonly read?: Exchange;
}

/** Reads the trunk with the value, and the list if that shows more; for a part, the read that failed for the whole. */
function readStored(session: Session, edge: Edge, pointers: readonly string[], write: Answer, whole?: Exchange) {
  const isListed = pointers.includes('/name') && edge.values['/name']?.includes(NOT_ASCII) === true;
  const failed = READS.filter((id) => id === whole?.tag.operation);
  const reads = failed.length > 0 ? failed : isListed ? (['getTrunk', 'listTrunks'] as const) : (['getTrunk'] as const);
  return readBack(session, 'updateTrunk', write, reads, {
    about: `the trunk with ${write.exchange.tag.about}`,
    says: (reading) => {
      if (!pointers.includes('/name')) return;
      const before = session.state.facts.trunk ?? {};
      const [sent, read] = [write.exchange, reading.exchange];
      const judge = (evidence: Evidence) => foundAltered(sent, read, evidence) ?? storedWhole(sent, read, before);
      session.say(ask('UPDATE-VISIBLE', 'stored'), reading, judge);
    },
    ...(whole && { partOf: whole.seq }),
  });
}

/**
 * Sends the value in all members. If that breaks a rule, is stored and cannot be read again, or makes a body that may
 * be rejected for its size, halves the members until one is left, and tries the value's parts there: the finding names
 * the part. A value counts as asked if accepted, or rejected alone, so a rejected body is divided as well.
 */
async function narrow(
  session: Session,
  id: OperationId,
  edge: Edge,
  pointers: readonly string[],
  gap: readonly Ask[] = [],
  { read, ...whole }: Whole = {},
): Promise<void> {
  const body = bytesAt(edge, acceptedBase(session, id), pointers);
  const inGroups = async (groups: readonly (readonly string[])[], asked: readonly Ask[], of: Whole) => {
    for (const part of groups) await narrow(session, id, edge, part, asked, of);
  };
  if (body.length >= DRAWN.body && pointers.length > 1) return inGroups(halvesOf(pointers), gap, whole);
  const where = pointers.length === pointersOf(edge).length ? '' : `: ${pointers.join(', ')}`;
  const role = pointers.length === 1 && edge.parts.length === 0 ? 'alone' : 'probe';
  const asks = [...gap, ...edgeAsks(edge, pointers)];
  const answer = await sendTo(session, id, { body, role, asks, about: `${edge.label}${where}`, ...whole });
  const stored =
    answer.accepted && id === 'updateTrunk' ? await readStored(session, edge, pointers, answer, read) : null;
  if (answer.accepted) await restore(session, id, pointers);
  if (answer.accepted && stored === null) return;
  const parts = { partOf: answer.exchange.seq, ...(stored && { read: stored }) };
  if (isServerFailure(answer.exchange) && id !== ASSIGN) await withoutStored(session, id as Update);
  const isBroken = stored !== null || needsNarrowing(answer);
  const isRejected = isAboutRequest(answer.exchange);
  const values = pointers.flatMap((pointer) => edge.values[pointer] ?? []);
  if (isBroken ? pointers.length > 1 : isRejected && values.length > 1 && values.length === pointers.length)
    return inGroups(halvesOf(pointers), [], parts);
  if (isBroken || (isRejected && values.length > 1)) {
    for (const part of edge.parts) {
      const held = pointers.filter((pointer) => pointer in part.texts);
      for (const group of apart(session, id, held)) await narrow(session, id, part, group, [], parts);
    }
    return;
  }
  const [pointer] = pointers;
  if (values.length === 1 && pointer !== undefined && isRejected) session.state.noteRejectedAlone(`${id} ${pointer}`);
}

/**
 * A failure may come from a value that was stored: then all later answers that show the record fail, whatever they were
 * sent. Unless a read shows that it was not stored, plain values replace it.
 */
async function withoutStored(session: Session, id: Update): Promise<void> {
  if (id === 'updateTrunk' && (await fieldsOfTrunk(session, 'the trunk after an update that failed')) !== null) return;
  const json = { ...valuesFor(session, id), ...objectBase(session, id) };
  await sendTo(session, id, { json, role: 'restore', about: 'plain values after an update that failed' });
}

/** A trunk's state is restored at once, and read again unless the answer shows it. */
async function restore(session: Session, id: OperationId, pointers: readonly string[]): Promise<void> {
  // The value may be in a further member, too.
  const fields = fieldsOf(id).filter((field) => field !== 'name' && pointers.includes(`/${field}`));
  if (id !== 'updateTrunk' || fields.length === 0) return;
  const values = valuesFor(session, id);
  const state = Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
  const json = { ...acceptedBase(session, id), ...state };
  const about = 'the state of the trunk again';
  const shown = settledIn((await sendTo(session, id, { json, role: 'restore', about })).exchange);
  if (fields.some((field) => shown[field] !== state[field]))
    await fieldsOfTrunk(session, 'the trunk after its state was restored');
}

/** Members in which a value may be written: a trunk's state only if getTrunk shows a text, which can be restored. */
function writablePointers({ state }: Session, id: OperationId, pointers: readonly string[]): readonly string[] {
  const hidden = fieldsOf(id).filter((field) => field !== 'name' && typeof state.facts.trunk?.[field] !== 'string');
  const isOpen = (pointer: string): boolean => !hidden.includes(pointer.slice(1));
  return id === 'updateTrunk' ? pointers.filter(isOpen) : pointers;
}

function edgeOf(id: OperationId, edge: Edge): Sequence {
  const gap = [ask(GAP_OF[edge.theme], edge.label)];
  const all = pointersOf(edge);
  const asks = [...gap, ...edgeAsks(edge, all)];
  const otherwise = { reason: 'no read shows this field, so nothing unusual is written', why: 'occasion' } as const;
  return onNamed(id, `boundary: ${edge.label}`, { asks, otherwise, phase: 'hazards' }, async (session) => {
    const pointers = writablePointers(session, id, all);
    if (pointers.length === 0 && all.length > 0) throw noOccasion('no read shows the fields that it would change');
    for (const group of edge.theme === 'text' ? apart(session, id, pointers) : [pointers])
      await narrow(session, id, edge, group, gap);
  });
}

/**
 * A service with unique names may fail if a name is taken. Our own name is written back at once, whatever the answer:
 * two trunks with the same name are hard to tell apart.
 */
function nameOfAnother(): Sequence {
  const label = 'the name of another trunk';
  const asks = [boundary(label)];
  return onNamed('updateTrunk', `boundary: ${label}`, { asks, phase: 'hazards' }, async (session) => {
    if (session.state.facts.isAnotherNamed !== true)
      throw noOccasion('the list of trunks shows no other trunk with a plain name of eight characters or more');
    const base = objectBase(session, 'updateTrunk');
    await sendTo(session, 'updateTrunk', { json: { ...base, name: OTHER_NAME }, asks, about: label });
    const json = { ...base, name: session.builder.mark };
    await sendTo(session, 'updateTrunk', { json, role: 'restore', about: 'a name of its own for the trunk again' });
  });
}

/** The boundary values of an operation; wrong types of the assignment have a requirement of their own. */
export function edgesFor(id: OperationId, builder: RequestBuilder): readonly Edge[] {
  return edgesOf(schemaOf(id), optionsFor(id, builder), id === ASSIGN);
}

/** Every boundary value on every update and on the assignment. */
export function edges(builder: RequestBuilder): readonly Sequence[] {
  const ids: readonly OperationId[] = [...UPDATES, ASSIGN];
  return [...ids.flatMap((id) => edgesFor(id, builder).map((edge) => edgeOf(id, edge))), nameOfAnother()];
}
