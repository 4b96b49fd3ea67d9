/**
 * The limits of the suite on one page, each with its unit and the scenario that set it. Which answers are waited for is the
 * table of `waiting.ts`. A number that only describes a format (an index, a status, a bound of the interface) or what is
 * sent (six reads at once, arrays 400 deep) stands where it is used.
 */

type Limits = Readonly<Record<string, number>>;

/** Times in milliseconds. */
export const TIME = {
  /**
   * The longest single wait, the sum of the waits for one request that is put off, and the longest outage: the window of a
   * rate limit is a minute, and two clocks differ by seconds.
   */
  wait: 65_000,
  /** A shorter wait that a target asks for is believed once, and a last hang-up needs no more: it names whole seconds. */
  shortWait: 1_000,
  /** The age of a call at which a 4xx can mean that it has ended: a younger one may not be known yet, since dialling takes half a minute. */
  settingUp: 30_000,
  /** The wait for a response in the last attempt: a service that starts from cold answers within half a minute. */
  patient: 30_000,
  /** A rejection that takes longer would be noticed by every caller: a gap names it. */
  late: 10_000,
  /** Reads that lag behind by two seconds show what was written at the third look after this time. */
  betweenLooks: 1_000,
  /** A command of `--fixture` that asks an API for a number takes seconds; one that hangs would hold the pipeline. */
  fixture: 60_000,
  /** What a command wrote before its end arrives within a few turns; a telephone that it leaves behind never closes the pipe. */
  arrival: 250,
  /** After this silence a killed run will not hang up, and the inbound call of `serve` rings again. */
  abandoned: 5_000,
  /** A known failure is excused for a quarter, unless its owner says otherwise. */
  knownFailure: 90 * 86_400_000,
  /** npm passes on a signal that the terminal has sent already: two this close together are one press of Ctrl-C. */
  press: 300,
  /** The live line is drawn again after this time: ten times a second look like motion. */
  redraw: 100,
  /** The live line counts the seconds while nothing happens. */
  tick: 1_000,
  /** After this time without an event the live line says that a response is awaited. */
  quiet: 2_000,
  /** After this time without a line the log of a pipeline gets one: some kill a job that says nothing. */
  pipeQuiet: 10_000,
} as const satisfies Limits;

/** What is read of a target, of a command and of a file, in bytes unless it says otherwise: each may send without end. */
export const READ = {
  /** A body of an answer: a lawful list of 3 MB is read whole. */
  body: 4 * 1_024 * 1_024,
  /** One exchange of recorded traffic, in characters: a string of V8 has half a gigabyte at most. */
  exchange: 256 * 1_024 * 1_024,
  /** Text with bytes that are not UTF-8, and the output of a fixture command: no such answer and no settings are longer. */
  text: 65_536,
  /** A header section, and of one that is kept the fields and their characters, which is Node's own limit. */
  header: 64 * 1_024,
  fields: 256,
  fieldCharacters: 16_384,
  /** Codings of a body, and escapes within one another of a text or a path: no honest answer has more. */
  codings: 4,
  layers: 8,
  /** Characters of a text that is parsed for ids: as a value, deep nesting takes many times its memory. */
  parsed: 262_144,
  /** Entries of a bundle's folder: it has eight files, and a folder of a million names must not be listed. */
  entries: 100,
  /** Services of recorded traffic: a proxy of a laptop records every page that its user opened. */
  services: 32,
  /** Secrets of a kind that recorded answers are searched for: production has thousands, and a search takes its time for each. */
  soughtSecrets: 16,
  /** Secrets that are only removed from what is kept of traffic. */
  removedSecrets: 256,
  /** Kinds of findings of a case of traffic: a target may put a new text into each answer. */
  kinds: 500,
  /** Digits of a number in the settings, and of the user of a SIP URI: 112 with fewer than seven rings, `sip:2001@` is an extension. */
  phoneDigits: 7,
  sipDigits: 4,
} as const satisfies Limits;

/** What the record holds of an answer, in characters or items: nested names of 2 kB once made a journal of 3.7 GB. */
export const KEPT = {
  /** Bytes of an error, and the characters of all pointers of a body: stack traces and pages of gateways are longer. */
  text: 8_192,
  /** A name of a member, and a string of the envelope of a longer error. */
  name: 256,
  /** A name of a member in a success body: a map may have customers' data for names. */
  plainName: 64,
  /** Members of a body: those of a list repeat themselves. */
  members: 200,
  /** Levels of a body: `[[[[…` of 4 MiB has four million. */
  levels: 32,
  /** Bytes that are not UTF-8 and are shown one by one: each takes nine characters. */
  brokenBytes: 1_000,
  /** A value or a part of a secret or id: a shorter one stands in other texts by chance (`trunk_1`, `default`). */
  unmistakable: 8,
  /** Encodings within one another that are undone: percent twice inside JSON is three deep. */
  encodings: 3,
  /** A secret of traffic: a shorter one stands in any text, so it is not removed. */
  removable: 4,
  /** A text whose digest is remembered: names, ids and words come again and again. */
  rememberedText: 512,
  /** Texts that are remembered: a long exploration sends new ones all the time. */
  rememberedTexts: 4_096,
  /** All exchanges of a run, unless whole responses are asked for: the reference run has 2 million characters. */
  record: 134_217_728,
  /** Report folders of earlier runs beside the last one: those of a week of nights. */
  runs: 5,
} as const satisfies Limits;

/** What a person is shown, in characters or items. */
export const SHOWN = {
  /** A name, an id or a path within a line: a terminal has 80 columns. */
  word: 80,
  /** A value, a message or a body within a sentence: two lines of a terminal. */
  line: 160,
  /** A sentence with a quotation, or a body on a terminal: a paragraph. A message may be a stack trace. */
  paragraph: 600,
  /** A body on the page: an error of a gateway is a page of its own. */
  body: 4_000,
  /** A line for `curl`: what is longer is not pasted. */
  curl: 12_000,
  /** An argument of `curl`: Linux takes none over 128 KiB, and the shell's own `printf` takes any. */
  argument: 100_000,
  /** Causes on the first screen, findings of a case, resources of a list that `doctor` prints: one is read, three are scanned. */
  first: 3,
  /** Names in a sentence, before "and 9 more". */
  named: 4,
  /** Lines of a body on a terminal, members of a success body, numbers of exchanges. */
  lines: 12,
  /** Failing cases that the console shows in full: a target without authentication fails dozens. */
  failures: 20,
  /** Entries of a part of the summary, header fields of a message: a job summary of GitHub has 1 MiB. */
  entries: 50,
  /** Exchanges in the list of the page, and those that it mentions: evidence.har has the rest. */
  exchanges: 1_000,
  /** Markup of requests and responses in full, failures first: a page that fails everywhere is still opened and mailed. */
  exchangesMarkup: 1_800_000,
  /** Sequences before the time that is left is estimated: the first ones are the preflight's. */
  beforeEstimate: 10,
  /** Requests after which a target stopped responding: the last two that were answered and the first three that were not. */
  lastRequests: 5,
  /** A line of progress in a pipeline after so many requests. */
  requestsPerLine: 50,
} as const satisfies Limits;

/** How often something has to happen before it is believed, and how often it is tried. */
export const TRIALS = {
  /**
   * What happened three times without an exception is a rule: a lost answer, a deployment or another editor explains one or
   * two. A network that loses one response in ten loses three in a row once in a thousand times.
   */
  rule: 3,
  /** Bodies that are tried after a rejection, where each may cost a call: the second tells a choosy target from a choosy member. */
  calls: 2,
  /**
   * Looks at a read that may lag behind, each a second after the one before: a replica two seconds behind shows a change at
   * the third, and a cache in front of it that answers three reads at the fifth.
   */
  looks: 6,
  /** Sendings of a request that get an error page, and pages of one kind: a network writes no 4xx, a limiter does. */
  pages: 4,
  /** Falls of a target after the same request: one may be a deployment. */
  falls: 2,
  /** Create calls of unknown outcome in a run, where calls are accepted in between: each may ring. */
  unknownCalls: 4,
  /** Create calls put off in a row after which no more are placed: each may place a call after all. */
  putOff: 6,
  /** Rejections in a row that make a health check due, and health checks in a row that end the run: a strict target rejects many. */
  suspicious: 5,
  rejectedChecks: 2,
  /** Invalid credentials in a row before a valid one: a target that locks their sender out does so after ten or more. */
  invalidCredentials: 9,
} as const satisfies Limits;

/** What a run remembers of answers and of its own writes: a hostile target shows something new in each of 900 answers. */
export const LEARNED = {
  /** Ids that were shown, after which a made-up UUID is not trusted any more: a list of 3 MB has 30,000. */
  ids: 200_000,
  /** Requests and values that were seen: an exploration sends many more than a run of 900. */
  texts: 10_000,
  /** Assignments, marks and places of ids: a service shows a handful. */
  handful: 100,
  /** Characters of a value: the journal repeats what was there before beside each write. */
  value: 4_096,
  /** Characters after which a value may be cut, or has something added, and is still known. */
  cut: 16,
  /** Characters of an id, ids of an answer, which cannot all be tried in a hang-up, and members that are looked at for them. */
  id: 1_024,
  candidates: 8,
  members: 20_000,
} as const satisfies Limits;

/** How fast requests go out once a target has rejected some with 429. Times are milliseconds. */
export const PACE = {
  /**
   * Answers without a 429 after which a learned gap gets shorter; it doubles after each failed attempt. A target of eight
   * requests a second that is asked for more every 50 answers rejects one in 50, and fewer with each failure.
   */
  calm: 50,
  /** At ten requests a minute a whole run takes an hour and a half. */
  longestGap: 6_000,
  /** A shorter gap changes nothing: a round trip alone takes as long. */
  shortestGap: 5,
  /** Failures of a learned gap: a pace that prevents no 429 only costs time. */
  failures: 2,
  /** Requests that end a run in order: hang-ups, restores and closing reads. */
  reserve: 10,
} as const satisfies Limits;

/** What requests without a response may cost, in timeouts. */
export const HANGS = {
  /** Timeouts of a request after which its next attempt is short: the second tells a hang from a lost answer. */
  beforeShort: 2,
  /** Timeouts lost in total after which each further one is short. Together with that of a create call they end the run: 90 s. */
  lost: 3,
  /** A shortened timeout lasts so many times as long as the slowest response of its operation: what is slow does not hang. */
  margin: 3,
} as const satisfies Limits;

/** When a target is said to look like a mock server, since its answers do not depend on the request. */
export const MOCK = {
  /** Answers with the commonest status of their operation: the reference service gives some 60 % of them so. */
  share: 0.9,
  /** Answers of a run: one that ended after a few reads shows nothing. */
  answers: 100,
} as const satisfies Limits;

/** What is read of a bundle, which comes from somebody else: as values its parts take many times their bytes. */
export const BUNDLE = {
  /** Levels of a value: our own files have far fewer. */
  levels: 64,
  exchanges: 5_000,
  /** Characters of an exchange, and members of all bodies. */
  exchange: 2 ** 20,
  members: 150_000,
  /** Characters of a sentence that may quote a bundle. */
  phrase: 1_000,
} as const satisfies Limits;

/** What is drawn for bodies and explorations. */
export const DRAWN = {
  /** Bytes of a generated body: a lawful target may reject what is over 8 KiB. */
  body: 8_192,
  /** Items of a list and members of a map: a thousand would fill the body and show nothing else. */
  items: 20,
  /** Requests of a walk, with the one that separates it from the walk before: a shorter one has fewer pairs of neighbours, a longer one takes more to shrink. */
  walk: 20,
  /** Commands from which a walk chooses: where most pairs of ordinary requests were sent, three in four are passed over. */
  candidates: 80,
  /** Smaller walks that are tried for one finding, and in one run: 30 find the smallest of ten requests, four findings share the rest. */
  trials: 30,
  trialsOfRun: 120,
  /** Ordinary commands for each that has a certain unusual thing: the first walks are for pairs of ordinary ones, and once these were sent, only what is unusual makes new pairs. */
  ordinary: 20,
} as const satisfies Limits;
