/** `pcs-conformance doctor`: checks the settings with read-only requests. */

import { isSameOrganization } from '../../../suites/expect/configured-credentials.ts';
import { remedyFor } from '../../../suites/expect/remedy.ts';
import { plannerFor } from '../../../suites/index.ts';
import { hasNoInventory } from '../../../suites/valid-requests.ts';
import type { Client } from '../../client/client.ts';
import { itemsIn } from '../../client/learned.ts';
import type { Answer } from '../../client/request.ts';
import { SHOWN, TIME } from '../../contract/limits.ts';
import { groupBy, grouped } from '../../contract/lists.ts';
import { type OperationId, operationById, READS } from '../../contract/operations.ts';
import { RESOURCE_SETTINGS, remedyOf, SETTING_OF, type TargetSettingName } from '../../contract/settings.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { UUID } from '../../contract/uuid.ts';
import { isRetryableStatus, isSuccess } from '../../contract/waiting.ts';
import type { CredentialForm, Exchange } from '../../exchange/exchange.ts';
import { parsedJson } from '../../exchange/json-text.ts';
import { shownUrl } from '../../exchange/url-tokens.ts';
import { cut, visible } from '../../report/text.ts';
import type { RequestBuilder } from '../../run/builder.ts';
import { reachedOver } from '../../run/live.ts';
import { type RunOptions, settingsPresent, watchedIds } from '../../run/options.ts';
import type { Ports } from '../../run/ports.ts';
import { firstReads, knownTargetOf, preflight } from '../../run/preflight.ts';
import { clientOf } from '../../run/run-client.ts';
import { KINDS } from '../../settings/kinds.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import type { Settings } from '../../settings/table.ts';
import { isAccepted, isRetryable } from '../../verdict/answer.ts';
import { Evidence, misplacedIn } from '../../verdict/evidence.ts';
import { connectionOf, demandNumbers, runOptionsOf } from '../engine.ts';
import { missingSettings } from '../rehearsal.ts';
import { knownSettings, settingsOfRun } from '../target.ts';
import { EXIT_CODES, type ExitCode, machineOf, packageVersion, type Terminal } from '../terminal.ts';
import { envLine } from './serve.ts';

/**
 * Prints what cannot be judged for lack of a setting, and what the reads show of the settings. Exits 3 if a setting is
 * wrong, or missing and a run without it would exit 3. Throws `UsageError`.
 */
export async function doctor(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  const diagnosis = await diagnosisOf(settings, terminal);
  if (settings.json) terminal.out(JSON.stringify(diagnosis, null, 2));
  else for (const line of doctorLines(diagnosis, settings)) terminal.out(line);
  const isReady = diagnosis.wrong.length === 0 && !diagnosis.missing.some(({ incomplete }) => incomplete);
  return isReady ? EXIT_CODES.conformant : EXIT_CODES.incomplete;
}

const isShownInList = (name: string, { listed }: Checked): boolean =>
  name === SETTING_OF.trunk && listed.some(({ setting, wrong }) => setting === name && wrong === undefined);

type Diagnosis = Awaited<ReturnType<typeof diagnosisOf>>;

/** What the doctor found, as `--json` prints it; without the `missing` settings something cannot be judged. */
async function diagnosisOf(settings: Settings, terminal: Terminal) {
  const known = knownSettings(settings);
  const missing = await missingSettings(runOptionsOf(known), settingsOfRun(known));
  const unusable = lackingNumbers(known);
  const checked = settings.isReference ? NOTHING_CHECKED : await checkedSettings(settings, terminal);
  return {
    target: settings.isReference ? 'reference' : shownUrl(settings.baseUrl),
    warnings: settings.warnings,
    missing: missing
      .filter(({ names }) => unusable.length === 0 || !names.includes(FROM))
      // The read-only profile reads a trunk of the list.
      .filter(({ names }) => settings.profile !== 'read-only' || !names.some((name) => isShownInList(name, checked)))
      .toSorted((a, b) => Number(b.incomplete) - Number(a.incomplete) || b.cases - a.cases)
      .map((each) => ({ ...each, remedy: remedyOf(...each.names) })),
    ...checked,
    wrong: [...unusable, ...checked.wrong],
  };
}

/** What a run says about missing numbers before its first request. */
function lackingNumbers(settings: Settings): readonly string[] {
  try {
    demandNumbers(settings);
    return [];
  } catch (error) {
    if (error instanceof UsageError) return [error.message.replace(/\.$/, '')];
    throw error;
  }
}

function doctorLines(
  { target, warnings, missing, wrong, unchecked, listed }: Diagnosis,
  settings: Settings,
): readonly string[] {
  const hasNoEnd = settings.fixtureCommand !== undefined && settings.fixtureCleanup === undefined;
  const lines = [
    ...wrong.map((sentence) => `Wrong: ${sentence}.`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...missing.map(
      ({ names, unjudged, remedy, incomplete }) =>
        `${names.join(', ')} not set: ${remedy}; otherwise ${incomplete ? 'a run is incomplete (exit 3), since ' : ''}${unjudged}`,
    ),
    ...(hasNoEnd ? ['PCS_FIXTURE_CLEANUP is not set: the suite does not end the fixtures that it starts.'] : []),
  ];
  if (settings.isReference) {
    return [...lines, 'The built-in reference service runs in this process, so doctor has no connection to check.'];
  }
  const rings = unchecked.includes('PCS_RINGING_CALL_ID');
  return [
    ...lines,
    ...(unchecked.length > 0 ? [`Not checked, because no read of this target shows it: ${unchecked.join(', ')}.`] : []),
    ...(rings
      ? ['The call in PCS_RINGING_CALL_ID has to ring when a run starts: --fixture-command can start one.']
      : []),
    ...listedLines(listed),
    ...(wrong.length > 0 ? [] : [`${target} answers and accepts the credential.`]),
  ];
}

/** Lines for .env: resources that the lists show and no setting names. */
function listedLines(listed: readonly Listed[]): readonly string[] {
  return [...groupBy(listed, ({ setting }) => setting)].flatMap(([setting, all]) => [
    `Shown by a list, as lines for .env; a full run writes to what ${setting} names, so take one that is reserved for testing:`,
    ...all
      .slice(0, SHOWN.first)
      .flatMap(({ id, name, wrong }) => [
        ...(name === undefined ? [] : [`# ${visible(cut(name, SHOWN.word))}`]),
        wrong === undefined
          ? envLine(setting, visible(id))
          : `# ${visible(cut(id, SHOWN.word))} ${wrong}: ${setting} cannot name it`,
      ]),
    ...(all.length > SHOWN.first ? [`# and ${grouped(all.length - SHOWN.first)} more`] : []),
  ]);
}

const NOTHING_CHECKED: Checked = { wrong: [], unchecked: [], listed: [] };
async function checkedSettings(settings: Settings, terminal: Terminal): Promise<Checked> {
  const live = { version: packageVersion(), connection: connectionOf(settings) };
  const { ports, close } = machineOf(terminal).reach(settings, live);
  // The ids of a list are in the text of a success body.
  const more = { watch: soughtIn(settings), fullEvidence: true };
  const recorder: typeof ports.recorder = (secrets) => ({ ...ports.recorder(secrets), ...more });
  try {
    const builder = plannerFor(reachedOver(settings, live.connection));
    const [first] = firstReads(settings);
    // As in a run, this tells a search without inventory from an outage.
    const check = () => (first === undefined ? null : builder.request(first, HARMLESS_READ));
    const limited = { ...settings, maxWait: Math.min(settings.maxWait, TIME.wait) };
    let isSaid = false;
    const onWait: Ports['onWait'] = ({ status, most = 0 }) => {
      if (!isSaid) terminal.err(`The target puts a read off (status ${status}): waiting ${most / 1_000} s at most.`);
      isSaid = true;
    };
    const client = clientOf(limited, { ...ports, recorder, onWait }, `s${ports.random(16)}`, { check });
    return await checkByReads(builder, client, ports.extraHeaders !== undefined);
  } finally {
    await close();
  }
}

/** A resource that a list shows, by the setting that may name it. */
interface Listed {
  readonly setting: string;
  readonly id: string;
  /** Its name or number, if the list shows one. */
  readonly name?: string;
  /** Why the setting cannot name it, as a clause. */
  readonly wrong?: string;
}

/** The lists, and what their items are. */
const LIST_ITEMS = [
  { operation: 'listTrunks', kind: 'trunk' },
  { operation: 'listNumbers', kind: 'number' },
] as const satisfies readonly { readonly operation: OperationId; readonly [name: string]: unknown }[];

const NAME_MEMBERS: readonly string[] = ['name', 'friendly_name', 'phone_number', 'number', 'e164'];

/** The resources in the text of a list. */
function listedIn(operation: string | null, text: string | undefined): readonly Listed[] {
  const list = LIST_ITEMS.find((row) => row.operation === operation);
  if (list === undefined || text === undefined) return [];
  return itemsIn(parsedJson(text)).flatMap((item) => {
    const members = item as Readonly<Record<string, unknown>>;
    const { id } = members;
    if (typeof id !== 'string') return [];
    const reading = KINDS.id.read(id);
    const wrong = 'wrong' in reading ? { wrong: reading.wrong } : {};
    const name = NAME_MEMBERS.map((key) => members[key]).find((label) => typeof label === 'string' && label !== '');
    return [{ setting: SETTING_OF[list.kind], id, ...(typeof name === 'string' ? { name } : {}), ...wrong }];
  });
}

/** Sentences: what is wrong, and what could not be checked. */
interface Checked {
  readonly wrong: readonly string[];
  readonly unchecked: readonly string[];
  /** What the lists show for settings that are not set. */
  readonly listed: readonly Listed[];
}

const FROM = 'PCS_CALL_FROM';
const OTHER_TOKEN = 'PCS_OTHER_ORG_ACCESS_TOKEN';
const THEIR_FROM = 'PCS_OTHER_ORG_CALL_FROM';

/** The numbers to call from as digits, each with its setting. */
const digitsToCallFrom = ({ numbers, otherFrom }: RunOptions): readonly (readonly [digits: string, string])[] =>
  (
    [
      [numbers?.from, FROM],
      [otherFrom, THEIR_FROM],
    ] as const
  ).flatMap(([from, name]) => (from === undefined ? [] : [[from.replaceAll(/\D/g, ''), name]]));

/** What the doctor looks for in responses: the configured ids, and the digits of the numbers to call from. */
function soughtIn(options: RunOptions): ReadonlyMap<string, string> {
  return new Map([...watchedIds(options), ...digitsToCallFrom(options)]);
}

const HARMLESS_READ = { role: 'preflight', about: 'a harmless read' } as const;

/** Sends a read and records it; `null` means an undocumented path. */
type Read = (id: OperationId | null, credential?: CredentialForm, path?: string) => Promise<Answer>;

/**
 * Checks everything that a read can show; if the target is not the service, says only that. `client` never leaves the
 * preflight, so nothing but reads can be sent.
 */
async function checkByReads(builder: RequestBuilder, client: Client, hasGatewayHeader: boolean): Promise<Checked> {
  const { options } = builder;
  const exchanges: Exchange[] = [];
  const read: Read = async (id, credential = 'valid', path) => {
    const answer = await client.send(builder.request(id, { ...HARMLESS_READ, credential, ...(path && { path }) }), {
      sequence: `doctor/${id} ${credential}`,
      attempt: 0,
    });
    const { exchange } = answer;
    // A search that finds no numbers says so with a code that unknown routes do not get.
    const ofRoute = { ...exchange, tag: { ...exchange.tag, role: 'unknown-route' } } as const;
    // A trunk of the other organization says nothing of ours.
    if (path === undefined) exchanges.push(id === null ? ofRoute : exchange);
    return answer;
  };
  const reads = firstReads(options);
  const outcome = await preflight(reads, knownTargetOf(options, hasGatewayHeader), (id) => read(id));
  if ('end' in outcome) return { ...NOTHING_CHECKED, wrong: [outcome.end] };
  const named = reads.filter((id) => operationById(id).resources.every((kind) => builder.named(kind)));
  for (const id of named) if (!exchanges.some(({ tag }) => tag.operation === id)) await read(id);
  const wrongToken = await wrongOther(builder, named, read, exchanges);
  const wrong = [
    ...rejectedReads(builder, named, exchanges),
    ...wrongItems(builder, exchanges),
    ...wrongNumbers(builder, exchanges),
    ...misplacedIn(exchanges).map((name) => `a list shows ${name} as the id of something else: check ${name}`),
    ...wrongToken,
    ...(await wrongRevoked(options, outcome.healthCheck, read)),
  ];
  const listed = named
    .flatMap((id) => {
      const answer = answersTo(id, exchanges).find(isAccepted);
      return listedIn(id, answer?.response?.body?.text);
    })
    .filter(({ setting }) => !settingsPresent(options).some((name) => name === setting));
  return { wrong, unchecked: uncheckedIn(options, exchanges, wrong.join()), listed };
}

/** The exchanges of an operation with a credential, by default the valid one. */
function answersTo(
  id: OperationId,
  exchanges: readonly Exchange[],
  credential: CredentialForm = 'valid',
): readonly Exchange[] {
  return exchanges.filter(({ tag, request }) => tag.operation === id && request.credential === credential);
}

/** Statuses that say, for a path without an id, that it is not served. */
const UNSERVED_STATUSES: readonly number[] = [404, 405, 501];

/** What a run would say about reads that the target fails, or rejects without an id; retries are waited out. */
function rejectedReads(
  { options }: RequestBuilder,
  reads: readonly OperationId[],
  exchanges: readonly Exchange[],
): readonly string[] {
  const evidence = new Evidence({ profile: options.profile, settings: settingsPresent(options) }, exchanges);
  return reads.flatMap((id) => {
    const { path, resources } = operationById(id);
    const exchange = answersTo(id, exchanges).at(-1);
    if (exchange === undefined || isAccepted(exchange) || isRetryable(exchange)) return [];
    const { failure, response } = exchange;
    const isOfId = resources.length > 0 && (response?.status ?? 500) < 500;
    if (isOfId || hasNoInventory(exchange, evidence)) return [];
    if (UNSERVED_STATUSES.includes(response?.status ?? 0)) {
      return [
        `GET ${path} is documented and gets status ${response?.status}: serve it, or leave it out with --without ${id}`,
      ];
    }
    return [`GET ${path} gets ${failure?.detail ?? `status ${response?.status}`}: ${remedyFor(exchange, evidence)}`];
  });
}

/** Resources with a read by id. */
const ITEMS = [
  ['getTrunk', 'trunk'],
  ['getCarrierProvider', 'carrierProvider'],
] as const;

/** Whether an answer may blame a setting: the target has neither put the read off nor failed. */
const isTelling = (status: number | null): status is number => (status ?? 500) < 500 && !isRetryableStatus(status);

const unread = (setting: string, credential: string, status: number): string =>
  `${setting} names nothing that ${credential} may read (status ${status}): check ${setting}`;

function wrongItems(builder: RequestBuilder, exchanges: readonly Exchange[]): readonly string[] {
  return ITEMS.flatMap(([id, kind]) => {
    const status = answersTo(id, exchanges).at(-1)?.response?.status ?? null;
    if (builder.named(kind) === undefined || !isTelling(status) || isSuccess(status)) return [];
    const setting = SETTING_OF[kind];
    const isOthers = answersTo(id, exchanges, 'other-organization').some(isAccepted);
    return isOthers
      ? [
          `PCS_OTHER_ORG_ACCESS_TOKEN reads ${setting}, and PCS_ACCESS_TOKEN does not (status ${status}): swap the two credentials, or check ${setting}`,
        ]
      : [unread(setting, 'PCS_ACCESS_TOKEN', status)];
  });
}

/** Members whose names say that a list is paged. */
const PAGED = /\/(?:next\w*|cursor|has_more|hasMore|page\w*|offset|total\w*)$/;

/** Matches values of this kind in a list: a service may show numbers as plain digits, or in groups of digits. */
const alike = (value: string): RegExp =>
  /^\d+$/.test(value) ? /"\+?\d{8,15}"/ : UUID.test(value) ? /"[\da-f]{8}-[\da-f-]{27}"/i : /"id"/;

/** A missing entry is only evidence if the list is not paged, and shows others of its kind. */
function wrongNumbers(builder: RequestBuilder, exchanges: readonly Exchange[]): readonly string[] {
  const digits = digitsToCallFrom(builder.options);
  const sought = [[builder.named('number') ?? '', SETTING_OF.number] as const, ...digits];
  return sought.flatMap(([value, setting]) => {
    const credential = setting === THEIR_FROM ? 'other-organization' : 'valid';
    const list = answersTo('listNumbers', exchanges, credential).find(
      ({ response }) => (response?.status ?? 500) < 300,
    );
    const body = list?.response?.body;
    if (body == null || body.cut === true || body.members.some(({ pointer }) => PAGED.test(pointer))) return [];
    if (value.length < 8 || body.mentions.includes(setting) || !alike(value).test(body.text ?? '')) return [];
    const whose = setting === THEIR_FROM ? ' of the other organization' : '';
    return [`the list of numbers${whose} does not show ${setting}: check ${setting}`];
  });
}

async function wrongOther(
  builder: RequestBuilder,
  reads: readonly OperationId[],
  read: Read,
  exchanges: readonly Exchange[],
): Promise<readonly string[]> {
  const { credentials, otherTrunk, without } = builder.options;
  if (credentials.otherOrganization === undefined) return [];
  const answers: Answer[] = [];
  for (const id of reads) answers.push(await read(id, 'other-organization'));
  if (!answers.some(({ accepted }) => accepted)) {
    const told = answers.find(({ status }) => isTelling(status));
    return told === undefined ? [] : [`no read accepts ${OTHER_TOKEN} (status ${told.status}): check ${OTHER_TOKEN}`];
  }
  if (isSameOrganization({ exchanges }))
    return [
      `${OTHER_TOKEN} reads what PCS_ACCESS_TOKEN reads: set it to a credential of a second organization, unless the target does not separate organizations`,
    ];
  if (otherTrunk === undefined || without.includes('getTrunk')) return [];
  const { accepted, status } = await read('getTrunk', 'other-organization', builder.path('getTrunk', [otherTrunk]));
  return accepted || !isTelling(status) ? [] : [unread('PCS_OTHER_ORG_TRUNK_ID', OTHER_TOKEN, status)];
}

async function wrongRevoked({ credentials }: RunOptions, id: OperationId, read: Read): Promise<readonly string[]> {
  if (credentials.revoked === undefined || !(await read(id, 'revoked')).accepted) return [];
  return [
    `${operationById(id).title} accepts PCS_REVOKED_ACCESS_TOKEN: set it to a credential that is revoked, unless revoking has no effect at the target`,
  ];
}

/** What the other organization may use in a call or an assignment: only its own lists could show it. */
const THEIRS = [
  OTHER_TOKEN,
  THEIR_FROM,
  'PCS_OTHER_ORG_VOICE_APPLICATION_ID',
  'PCS_OTHER_ORG_CARRIER_CONNECTION_ID',
] as const satisfies readonly TargetSettingName[];

/** Settings that no read of this target can confirm; a call can only be tried. */
function uncheckedIn(options: RunOptions, exchanges: readonly Exchange[], wrong: string): readonly TargetSettingName[] {
  const shown = new Set(exchanges.flatMap(({ response }) => response?.body?.mentions ?? []));
  const isTold = (id: OperationId, credential?: CredentialForm): boolean =>
    answersTo(id, exchanges, credential).some(({ response }) => isTelling(response?.status ?? null));
  const hidden = RESOURCE_SETTINGS.flatMap(([kind, name]) => {
    const isRead = wrong.includes(name) || ITEMS.some(([id, known]) => known === kind && isTold(id));
    return options.resources[kind] === undefined || isRead || shown.has(name) ? [] : [name];
  });
  const isOtherRead = READS.some((id) => isTold(id, 'other-organization'));
  const isOpen = (name: string): boolean => (name === OTHER_TOKEN ? !isOtherRead : !shown.has(name));
  const theirs = THEIRS.filter((name) => settingsPresent(options).includes(name) && isOpen(name));
  return [...hidden, ...theirs, ...(options.ringingCallId === undefined ? [] : [SETTING_OF.call])];
}
