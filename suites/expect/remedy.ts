/** What would help where a valid request was not accepted: one phrase, derived from what happened in the run. */

import { OPERATIONS, type ResourceKind } from '../../src/contract/operations.ts';
import {
  QUERY_SETTINGS,
  remedyOf,
  SETTING_OF,
  SHOW_A_CALL,
  type TargetSettingName,
} from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import {
  isAccepted,
  isError,
  isOfOthers,
  isOurs,
  isSameTarget,
  messageOf,
  statusOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { LOCK_OUT_REMEDY } from '../../src/verdict/lock-out.ts';
import { RUN_AGAIN } from '../../src/verdict/opinion.ts';
import { ACTIONS, ASSIGN, CALL_IDS, isOneOf, UPDATES } from '../operations.ts';

/** The remedy for something that the target lacks at the moment. */
export const LATER = `${RUN_AGAIN} once the target can serve this request`;

/** The statuses with which a service breaks, and the remedy: neither a setting nor time helps. */
const BROKEN: readonly (number | null)[] = [500, 501];
const MEND = 'mend the 5xx, and run again';

/** The remedy where an answer says nothing: no setting would change it. */
export const laterOrMend = (exchange: Exchange): string => (BROKEN.includes(statusOf(exchange)) ? MEND : LATER);

/** The remedy where both organizations' credentials get the same. */
export const OTHER_ORGANIZATION = 'check PCS_OTHER_ORG_ACCESS_TOKEN: it must belong to a second organization';

const STAY_VALID = 'check PCS_ACCESS_TOKEN: it must stay valid for the whole run';

/** What would help where the valid credential was not accepted after an exchange. */
export function remedyForLoss({ seq }: Exchange, { exchanges }: Evidence): string {
  return exchanges.some((one) => one.seq > seq && isOurs(one) && statusOf(one) === 401) ? STAY_VALID : LATER;
}

const RIGHT = 'allow PCS_ACCESS_TOKEN to use this operation';
/** A number that may call alone often may not call over a trunk, and the other way round. */
const TRUNK_CALLER = 'PCS_TRUNK_CALL_FROM';
const TWO_CALLERS = `set PCS_CALL_FROM to a number that may call without a trunk, and ${TRUNK_CALLER} to the one that it holds now`;
const CALL_NUMBERS = ['PCS_CALL_FROM', 'PCS_CALL_TO'] as const;

/** Statuses that say what is wrong with the body, or with the query. */
const INVALID: readonly (number | null)[] = [400, 422];
/** Statuses with which a business rule may reject a valid request. */
const OF_A_RULE: readonly (number | null)[] = [400, 402, 403, 404, 409, 422];

/** The setting for what an operation without a body may ask in its query. */
const QUERIES: Readonly<Record<string, TargetSettingName>> = QUERY_SETTINGS;

const isSet = (name: TargetSettingName, { facts }: Evidence): boolean => facts.settings.includes(name);

/** Asks to check a setting that is there, and to set one that is not. */
function checked(names: readonly TargetSettingName[], why: string, evidence: Evidence): string {
  const missing = names.filter((name) => !isSet(name, evidence));
  return missing.length > 0 ? remedyOf(...missing) : `check ${names.join(' and ')}${why}`;
}

/** Kinds of the ids that a request's body names. */
function kindsInBody({ request, tag }: Exchange): readonly ResourceKind[] {
  if (tag.operation === 'assignNumber') return ['carrierConnection'];
  if (tag.operation !== 'createCall') return [];
  const named = (pointer: string): boolean =>
    request.body?.members.some((member) => member.pointer === pointer && member.type === 'string') === true;
  return Object.entries(CALL_IDS).flatMap(([name, kind]) => (named(`/${name}`) ? [kind] : []));
}

/** Kinds of the ids in the path of a request's operation. */
export const kindsInPath = ({ tag }: Exchange): readonly ResourceKind[] =>
  OPERATIONS.find(({ id }) => id === tag.operation)?.resources ?? [];

/** Whether the other organization's credential was accepted for the same request before, which can work only once. */
const wasTaken = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some((one) => one.seq < exchange.seq && isOfOthers(one) && isAccepted(one) && isSameTarget(one, exchange));

/** A target may reject the assignment that the number has. */
const ASSIGNED_ELSEWHERE = 'assign the number to another carrier connection before the run';

/** A kind of answer to a valid request, and what would help with it; `null` where the rule does not apply after all. */
interface Rule {
  /** The statuses that it is about; any unless given. */
  readonly statuses?: readonly (number | null)[];
  readonly help: (exchange: Exchange, evidence: Evidence) => string | null;
}

/** What the first of these rules says that applies to the answer. */
function byFirst(rules: readonly Rule[], exchange: Exchange, evidence: Evidence): string | null {
  for (const { statuses, help } of rules) {
    const remedy = statuses === undefined || statuses.includes(statusOf(exchange)) ? help(exchange, evidence) : null;
    if (remedy !== null) return remedy;
  }
  return null;
}

const onlyIf = (applies: boolean, remedy: string): string | null => (applies ? remedy : null);

/** What would help where a call without a trunk was rejected, and every accepted one went over a trunk. */
export function twoCallers(exchange: Exchange, evidence: Evidence): string | undefined {
  const isOverTrunk = (one: Exchange): boolean => kindsInBody(one).includes('trunk');
  const accepted = evidence.controls('createCall').filter(isAccepted);
  const isOnlyOver = accepted.length > 0 && accepted.every(isOverTrunk) && !isOverTrunk(exchange);
  return isOnlyOver && !isSet(TRUNK_CALLER, evidence) ? TWO_CALLERS : undefined;
}

/** The ids that may be why a create call was rejected: none that an accepted call named, unless every one was. */
function suspectsOf(exchange: Exchange, evidence: Evidence): readonly TargetSettingName[] {
  const accepted = evidence.controls('createCall').filter(isAccepted);
  const suspects = kindsInBody(exchange).filter((kind) => !accepted.some((one) => kindsInBody(one).includes(kind)));
  return (suspects.length > 0 ? suspects : kindsInBody(exchange)).map((kind) => SETTING_OF[kind]);
}

/** An id is the reason where a call without any was accepted; a known trunk may want another caller. */
function ofCallIds(exchange: Exchange, evidence: Evidence): string | null {
  const ids = suspectsOf(exchange, evidence);
  const isPlainAccepted = evidence
    .controls('createCall')
    .some((one) => kindsInBody(one).length === 0 && isAccepted(one));
  if (ids.length === 0 || !isPlainAccepted) return null;
  const check = checked(ids, ': calls must be able to use it', evidence);
  const mayBeCaller = ids.includes(SETTING_OF.trunk) && !isSet(TRUNK_CALLER, evidence) && statusOf(exchange) !== 404;
  return mayBeCaller ? `${remedyOf(TRUNK_CALLER)}, or ${check}` : check;
}

/** What would help with the answer to a create call. */
const OF_CALLS: readonly Rule[] = [
  { help: ofCallIds },
  { help: (exchange, evidence) => twoCallers(exchange, evidence) ?? null },
  { statuses: [403], help: (_, evidence) => `${checked(CALL_NUMBERS, '', evidence)}, or ${RIGHT}` },
  {
    help: (_, evidence) => {
      const unset = [SETTING_OF.trunk, SETTING_OF.voiceApplication].filter((name) => !isSet(name, evidence));
      return unset.length === 0 ? null : `${remedyOf(...unset)}, which calls may need`;
    },
  },
  { help: (exchange, evidence) => checked([...CALL_NUMBERS, ...suspectsOf(exchange, evidence)], '', evidence) },
];

/** What would help with the answer to an operation on resources of the settings. */
function forResources(exchange: Exchange, kinds: readonly ResourceKind[], evidence: Evidence): string {
  const status = statusOf(exchange);
  const names = kinds.map((kind) => SETTING_OF[kind]);
  const them = names.length === 1 ? 'it' : 'they';
  if (names.includes(SETTING_OF.call)) {
    const ringing = checked(names, ': the call must still ring when the run starts', evidence);
    return status === 403 ? `${RIGHT}, or ${ringing}` : ringing;
  }
  if (status === 404) return checked(names, `: ${them} must name what exists`, evidence);
  const exist = INVALID.includes(status) ? 'name what exists, and be' : 'be';
  const state = checked(names, `: ${them} must ${exist} in a state that allows this operation`, evidence);
  if (status === 403) return `${RIGHT}, or ${state}`;
  return exchange.tag.operation === ASSIGN && status === 409 ? `${state}, or ${ASSIGNED_ELSEWHERE}` : state;
}

const CREDIT = 'give the organization credit for this operation';

/** What would help with the answer to a valid request, apart from another body: time, rate, credential, state, settings. */
const OF_REQUESTS: readonly Rule[] = [
  {
    statuses: [null],
    help: ({ failure, tag }) => {
      if (failure?.kind !== 'timeout') return LATER;
      return tag.operation === 'createCall' ? 'raise --call-timeout' : 'raise --timeout';
    },
  },
  // A credential that is accepted later is locked out for a while, or has no right to this operation.
  {
    statuses: [401],
    help: (exchange, evidence) => onlyIf(evidence.isAcceptedLater(exchange), `${LOCK_OUT_REMEDY}, or ${RIGHT}`),
  },
  { statuses: [401], help: () => STAY_VALID },
  { statuses: [429], help: () => 'lower --rate, raise --max-wait, or run again later' },
  { statuses: [408, 425, 503], help: () => LATER },
  { statuses: BROKEN, help: () => MEND },
  {
    help: (exchange, evidence) =>
      onlyIf(isOneOf(ACTIONS, exchange.tag.operation) && wasTaken(exchange, evidence), OTHER_ORGANIZATION),
  },
  {
    help: (exchange, evidence) => {
      if (exchange.tag.operation !== 'createCall') return null;
      const credit = statusOf(exchange) === 402 ? `${CREDIT}, or ` : '';
      return `${credit}${byFirst(OF_CALLS, exchange, evidence)}`;
    },
  },
  {
    statuses: OF_A_RULE,
    help: (exchange, evidence) => {
      const query = QUERIES[exchange.tag.operation ?? ''];
      if (query === undefined) return null;
      return [...ofCaller(statusOf(exchange)), checked([query], ': the target rejects it', evidence)].join(', or ');
    },
  },
  {
    help: (exchange, evidence) => {
      const kinds = [...kindsInPath(exchange), ...kindsInBody(exchange)];
      if (kinds.length === 0) return null;
      const resources = forResources(exchange, kinds, evidence);
      return statusOf(exchange) === 402 ? `${CREDIT}, or ${resources}` : resources;
    },
  },
  { help: (exchange) => ofCaller(statusOf(exchange))[0] ?? LATER },
];

const forRequest = (exchange: Exchange, evidence: Evidence): string =>
  byFirst(OF_REQUESTS, exchange, evidence) ?? LATER;

/** What the caller may lack where a business rule may be the reason as well. */
function ofCaller(status: number | null): readonly string[] {
  if (status === 402) return [CREDIT];
  return status === 403 ? [RIGHT] : [];
}

/** A message that names a header field: the word, or a name such as `Idempotency-Key`. */
const NAMES_A_HEADER = /\bheader\b|\b[A-Z][a-z]+-[A-Z][a-z]+/;

/** The target's own words, to be added to a remedy. */
export function said(exchange: Exchange): string {
  const message = isError(exchange) ? messageOf(exchange) : null;
  return message === null ? '' : `; the target says "${message}"`;
}

/** What a target with rules for passwords needs. */
const secretShape = (operation: string | null): string =>
  operation === 'setInboundAuth' ? ' (a secret in it gives the shape: the run draws its own)' : '';

/** Whether the id of the call is one that the run made up, since it had no call. */
const isOnNoCall = (exchange: Exchange): boolean =>
  exchange.tag.ids !== 'named' && kindsInPath(exchange).includes('call');

/** What would help with the answer to a valid request. A business rule may reject a body with any of its statuses. */
export function remedyFor(exchange: Exchange, evidence: Evidence): string {
  const { operation } = exchange.tag;
  const step = isOnNoCall(exchange) ? remedyForOperation('createCall', evidence) : undefined;
  if (step !== undefined) return step;
  const isUpdate = isOneOf(UPDATES, operation);
  const isOfBody = OF_A_RULE.includes(statusOf(exchange)) && (isUpdate || operation === 'createCall');
  const sample = `give a body that the target accepts for ${operation} with --samples${secretShape(operation)}`;
  const header = NAMES_A_HEADER.test(said(exchange)) ? ['give the header that it names with --header'] : [];
  const isInvalid = isUpdate && INVALID.includes(statusOf(exchange));
  const request = forRequest(exchange, evidence);
  const remedies = isOfBody ? (isInvalid ? [sample, request] : [request, sample]) : [request];
  return `${[...header, ...remedies].join(', or ')}${said(exchange)}`;
}

/** What the last valid request of an operation needed, unless none was rejected. */
export function remedyForOperation(operation: string | null, evidence: Evidence): string | undefined {
  const controls = evidence.controls(operation);
  // After two calls that cannot be hung up, no further control is placed.
  const without = controls.find((one) => isAccepted(one) && one.response?.learned?.create === 'unclear');
  if (without !== undefined)
    return (without.response?.body?.length ?? 0) === 0 ? SHOW_A_CALL : remedyOf('PCS_CALL_ID_POINTER');
  const rejected = controls.findLast((one) => !isAccepted(one));
  return rejected === undefined ? undefined : remedyFor(rejected, evidence);
}

/** What would help where a control is missing: what the last valid request of the operation needed. */
export const remedyForControl = ({ tag }: Exchange, evidence: Evidence): string =>
  remedyForOperation(tag.operation, evidence) ?? LATER;
