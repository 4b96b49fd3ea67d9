/** Findings by stimulus: the identity by which all readers and later runs know them (conformance model, section 8). */

import { groupBy, withoutUndefined } from '../contract/lists.ts';
import { describedIn, type Exchange, PLAIN_REQUEST, type Role } from '../exchange/exchange.ts';
import { isOurs, lastSendings, operationOf, statusOf } from './answer.ts';
import { isOfMoment } from './boundary.ts';
import { contrast, deviationPhrase, isOfContent, likeness } from './identity.ts';
import type { CaseOpinion } from './opinions.ts';
import type { RunRecord } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import type { CaseResult, FoldedFinding, Results } from './results.ts';

/** The size of a request: of equal examples, the smallest is shown. */
export function weightOf({ request }: Exchange): number {
  return (request.body?.length ?? 0) + request.path.length;
}

/** Roles of requests that only support another request. */
const FOR_OTHERS: readonly Role[] = [
  'preflight',
  'health-check',
  'before',
  'after',
  'restore',
  'compared',
  'between',
  'beside',
];

/**
 * Which example explains a finding best; lower is better. A plain request comes first, then an element sent alone. A
 * request that supports another or was simultaneous comes later, and so does one without the valid credential. Of
 * walks, the one with the fewest commands is best.
 */
function rankOf({ tag, request }: Exchange): number {
  if (tag.origin !== undefined) return 6 + tag.origin.commands;
  const isAside = FOR_OTHERS.includes(tag.role) || tag.asks.some(isOfMoment);
  if (tag.about === PLAIN_REQUEST) return 0;
  if (tag.role === 'alone') return 1;
  return 2 + (isAside ? 2 : 0) + (request.credential === 'valid' ? 0 : 1);
}

/** Orders exchanges that show the same by how well they show it, best first; of equal ones, the smallest first. */
export const byExample = (a: Exchange, b: Exchange): number => rankOf(a) - rankOf(b) || weightOf(a) - weightOf(b);

/**
 * The stimulus, in words that a later run uses for the same. Which of several simultaneous requests shows a defect is
 * chance, so their being simultaneous is the stimulus.
 */
export function stimulusOf({ tag }: Exchange): string {
  if (tag.asks.some(isOfMoment)) return tag.sequence;
  return tag.about || tag.sequence;
}

/** The stimuli by operation; walks are drawn, so no other run has their commands as stimuli. */
export function stimuliIn(exchanges: readonly Exchange[]): Results['sent'] {
  const planned = exchanges.filter(({ tag }) => tag.origin === undefined);
  return [...groupBy(planned, operationOf)].map(([operation, sent]) => {
    return { operation, stimuli: [...new Set(sent.map(stimulusOf))] };
  });
}

/** A request of a walk in words that another seed may draw as well, including what was drawn for its body. */
const walkPhrase = (exchange: Exchange): string => `${operationOf(exchange)} (${describedIn(exchange.tag)})`;

/** The same, without the rest of its body: `getTrunk (a valid request)`. */
export const commandOf = (exchange: Exchange): string => `${operationOf(exchange)} (${stimulusOf(exchange)})`;

/** What led to an answer: for a walk its distinct requests up to that one, for the plan the request alone. */
function commandsOf(exchange: Exchange, exchanges: readonly Exchange[]): readonly Exchange[] {
  const { origin, sequence } = exchange.tag;
  if (origin === undefined) return [exchange];
  const last = walkPhrase(exchange);
  const sent = exchanges.filter(
    ({ seq, tag }) => seq < exchange.seq && tag.sequence === sequence && tag.operation !== null,
  );
  const equal = groupBy(sent, walkPhrase);
  return [...[...equal].flatMap(([phrase, [first]]) => (phrase === last ? [] : [first])), exchange];
}

/** Whether the commands are among these, in that order and with the same last one. */
function isWithin(commands: readonly string[], longer: readonly string[]): boolean {
  const found = longer.reduce((at, command) => (command === commands[at] ? at + 1 : at), 0);
  return found === commands.length && commands.at(-1) === longer.at(-1);
}

/** The first request of the group that was narrowed to this one, or this one. */
function groupOf(exchange: Exchange, exchanges: readonly Exchange[]): Exchange {
  const whole = exchanges.find(({ seq }) => seq === exchange.tag.partOf && seq < exchange.seq);
  return whole === undefined ? exchange : groupOf(whole, exchanges);
}

/** The calls that may be open, as another run would describe them. */
export function openCallsIn({ openCalls = [], exchanges }: RunRecord): Pick<Results, 'openCalls'> {
  const told = openCalls.map(({ seq, known }) => {
    const exchange = exchanges.find((exchange) => exchange.seq === seq);
    return { stimulus: exchange === undefined ? 'a call of an earlier run' : stimulusOf(exchange), known };
  });
  return told.length === 0 ? {} : { openCalls: told };
}

/** The class of an answer, and whether its request carried the valid credential. */
const kindOf = (exchange: Exchange): string => `${isOurs(exchange)} ${Math.floor((statusOf(exchange) ?? 0) / 100)}`;

/**
 * Whether nothing that was sent meets the requirement. For content that every answer of a kind has, only answers of
 * that kind count: a secret echoed by each accepted request was 31 causes, because rejections echo nothing, and a list
 * as message of each 400 was 97. A leak needs a sent secret: `{"method":"digest"}` without one leaked none.
 */
function isEverywhere(opinions: readonly CaseOpinion[]): boolean {
  const shown = opinions.flatMap(({ opinion, exchange }) =>
    opinion.kind === 'finding' ? [{ ...opinion.finding, basis: opinion.basis, exchange }] : [],
  );
  const isLeak = shown.some(({ basis }) => basis === 'leak');
  const kind = (exchange: Exchange): string =>
    `${operationOf(exchange)} ${isOurs(exchange)} ${statusOf(exchange)} ${isLeak && exchange.request.body?.text?.includes('⟦')}`;
  const kinds = new Set(shown.map(({ exchange }) => kind(exchange)));
  const isContent = shown.every(isOfContent) && new Set(shown.map(contrast)).size === 1;
  return !opinions.some(
    ({ opinion, exchange }) => opinion.kind === 'pass' && (!isContent || kinds.has(kind(exchange))),
  );
}

/**
 * The form shared by all requests with an equal finding, unless an answer of the same kind met the requirement in that
 * form: where every error to a request without Accept was a page, nine stimuli were named, but not the form.
 */
function formOf(equal: readonly Pick<CaseOpinion, 'exchange'>[], opinions: readonly CaseOpinion[]): string | undefined {
  const [form, ...rest] = new Set(equal.map(({ exchange }) => exchange.tag.form));
  const kinds = new Set(equal.map(({ exchange }) => kindOf(exchange)));
  const isMet = opinions.some(
    ({ opinion, exchange }) => opinion.kind === 'pass' && exchange.tag.form === form && kinds.has(kindOf(exchange)),
  );
  return rest.length > 0 || isMet ? undefined : form;
}

/**
 * The findings of a case, one for each stimulus; those like the first come first. If a request with several boundary
 * values was narrowed, the value that fails alone is the stimulus; of walks, the fewest commands that show it.
 */
export function foldFindings(
  opinions: readonly CaseOpinion[],
  operation: string,
  exchanges: readonly Exchange[],
): Pick<CaseResult, 'findings' | 'everywhere'> {
  const shown = opinions.flatMap(({ opinion, exchange }) =>
    opinion.kind === 'finding' ? [{ ...opinion, exchange, same: JSON.stringify(opinion.finding) }] : [],
  );
  if (shown.length === 0) return { findings: [] };
  type Shown = (typeof shown)[number];
  // In an edited record an exchange may be a part of itself.
  const isLater = ({ exchange: { seq, tag } }: Shown): boolean => (tag.partOf ?? 0) < seq;
  const parts = groupBy(shown.filter(isLater), ({ exchange }) => exchange.tag.partOf);
  // A part names the last sending of its group: the four sendings before it became a finding of their own.
  const lastOf = lastSendings(exchanges);
  const narrowed = (shown: Shown): readonly Shown[] =>
    parts.get(lastOf(shown.exchange).seq)?.flatMap((part) => (part.same === shown.same ? narrowed(part) : [])) ?? [
      shown,
    ];
  const placed = shown
    .flatMap((whole) => narrowed(whole).map((leaf) => ({ ...leaf, seq: whole.exchange.seq })))
    .map((leaf) => {
      const commands = commandsOf(leaf.exchange, exchanges);
      return { ...leaf, commands: commands.map(commandOf), walk: commands.map(walkPhrase).join(', ') };
    });
  const everywhere = isEverywhere(opinions);
  const planned = placed.filter(({ exchange }) => exchange.tag.origin === undefined);
  const bySize = placed.toSorted((a, b) => a.commands.length - b.commands.length || a.walk.length - b.walk.length);
  const sentOf = ({ exchange, commands, walk, same }: (typeof placed)[number]): string => {
    if (exchange.tag.origin === undefined) {
      const place = operationOf(exchange) === operation ? '' : `${operationOf(exchange)}: `;
      return `${place}${stimulusOf(exchange)}`;
    }
    // A walk adds nothing if fewer commands show the same, or if nothing in the plan meets the requirement.
    const enough =
      planned.find((candidate) => candidate.same === same && (everywhere || isWithin(candidate.commands, commands))) ??
      bySize.find((candidate) => candidate.same === same && isWithin(candidate.commands, commands));
    return enough === undefined || enough.commands === commands ? walk : sentOf(enough);
  };
  const alike = groupBy(placed, ({ same }) => same);
  const forms = new Map([...alike].map(([same, group]) => [same, formOf(group, opinions)]));
  const folded = [...groupBy(placed, (leaf) => JSON.stringify([sentOf(leaf), leaf.same])).values()].map((equal) => {
    const best = equal.reduce((a, b) => (byExample(b.exchange, a.exchange) < 0 ? b : a));
    const { finding, exchange, sibling } = best;
    const group = groupOf(exchange, exchanges);
    const within = group === exchange ? undefined : stimulusOf(group);
    const told: FoldedFinding = {
      ...finding,
      stimulus: sentOf(best),
      example: exchange.seq,
      exchanges: [...new Set(equal.map(({ seq }) => seq))].sort((a, b) => a - b),
      ...withoutUndefined({ within, form: forms.get(best.same), walk: exchange.tag.origin?.path, sibling }),
    };
    return { told, exchange };
  });
  const sorted = folded.toSorted((a, b) => byExample(a.exchange, b.exchange)).map(({ told }) => told);
  const findings = [...groupBy(sorted, likeness).values()].flat();
  return { findings, ...(findings.length > 1 && everywhere && { everywhere: true }) };
}

/** The stimulus, with its form if everything that deviates in this way has that form. */
export const sentPhrase = ({ stimulus, form }: Pick<FoldedFinding, 'stimulus' | 'form'>): string =>
  form === undefined ? stimulus : `${stimulus}, ${form}`;

/** Several stimuli by name; only one if nothing that was sent meets the requirement, which is one defect. */
export const stimuliPhrase = (stimuli: readonly string[], everywhere = false): string =>
  everywhere && stimuli.length > 1 ? `whatever was sent, such as ${stimuli[0]}` : stimuli.join('; ');

/** The verdict of a case with findings, and one sentence that names each stimulus; `null` without findings. */
export function failureOf(
  { level }: Pick<JudgedRequirement, 'level'>,
  findings: readonly FoldedFinding[],
  { everywhere }: Pick<CaseResult, 'everywhere'> = {},
): Pick<CaseResult, 'verdict' | 'reason'> | null {
  if (findings.length === 0) return null;
  const told = [...groupBy(findings, likeness).values()].map((alike) => {
    const [first, ...rest] = alike;
    const form = everywhere || rest.length === 0 || first.form === undefined ? '' : `all ${first.form}: `;
    const stimuli = alike.map(({ stimulus }) => stimulus);
    const sent = rest.length === 0 ? sentPhrase(first) : `${form}${stimuliPhrase(stimuli, everywhere)}`;
    return `${deviationPhrase(first)} (${sent})`;
  });
  return { verdict: level === 'must' ? 'fail' : 'warning', reason: told.join('; ') };
}
