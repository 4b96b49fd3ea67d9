/**
 * The limits of the suite on one page, each with its unit and the scenario that set it. Which answers are waited for is
 * the table in `waiting.ts`. Numbers that describe a format (an index, a status, a bound of the interface) or a request
 * (six reads at once, arrays 400 deep) are defined where they are used.
 */

type Limits = Readonly<Record<string, number>>;

/** Times in milliseconds. */
export const TIME = {
  /**
   * The longest single wait, the total wait for one deferred request, and the longest outage: a rate-limit window lasts
   * one minute, and two clocks differ by seconds.
   */
  wait: 65_000,
  /** A shorter wait named by the target is trusted once, and enough for a final hang-up: targets name whole seconds. */
  shortWait: 1_000,
  /** The age from which a 4xx can mean that a call has ended. Dialling takes 30 s: younger ones may be unregistered. */
  settingUp: 30_000,
  /** The wait for a response in the last attempt: a service that starts from cold answers within half a minute. */
  patient: 30_000,
  /** Requests at the same moment wait for the connections of all: a handshake over an ocean takes half of it. */
  together: 1_000,
  /** Then they wait until the target has accepted these: a Node server accepts one per turn, and answers in between. */
  accepting: 20,
  /** A slower rejection is noticed by every caller, so it is recorded as a gap. */
  late: 10_000,
  /** With this interval, a read that lags by two seconds shows the new value at the third look. */
  betweenLooks: 1_000,
  /** A fixture command that requests a number from an API takes seconds; a hanging command would block the pipeline. */
  fixture: 60_000,
  /** Output written before a command exits arrives within a few turns; a running telephone never closes the pipe. */
  arrival: 250,
  /** After this silence `serve` assumes that the run was killed, and its inbound call rings again. */
  abandoned: 5_000,
  /** A known failure is excused for a quarter, unless its owner says otherwise. */
  knownFailure: 90 * 86_400_000,
  /** npm forwards a signal that the terminal has already sent: two signals this close are one press of Ctrl-C. */
  press: 300,
  /** The live line is redrawn at this interval: ten times a second looks like motion. */
  redraw: 100,
  /** The live line counts the seconds while nothing happens. */
  tick: 1_000,
  /** After this time without an event the live line says that a response is awaited. */
  quiet: 2_000,
  /** After this silence a line is written to a pipeline's log: some CI systems kill silent jobs. */
  pipeQuiet: 10_000,
} as const satisfies Limits;

/** How much is read from a target, a command or a file, in bytes unless noted: any of them may send endlessly. */
export const READ = {
  /** A response body: a lawful list of 3 MB is read completely. */
  body: 4 * 1_024 * 1_024,
  /** One exchange of recorded traffic, in characters: a string of V8 has half a gigabyte at most. */
  exchange: 256 * 1_024 * 1_024,
  /** Text that is not valid UTF-8, and the output of a fixture command: real ones are shorter. */
  text: 65_536,
  /** A header section; if it is kept, also its fields and their characters, which is Node's own limit. */
  header: 64 * 1_024,
  fields: 256,
  fieldCharacters: 16_384,
  /** Content codings of a body, and nested escapes of a text or a path: no honest response has more. */
  codings: 4,
  layers: 8,
  /** Characters of an answer with several JSON values that are parsed for ids: `{}{}{}…` of 4 MiB has two million. */
  parsed: 262_144,
  /** Levels of a JSON text: 200,000 took 776 MB and eight times as long; a sent member has 2,000, and may be shown. */
  levels: 10_000,
  /** Entries of a bundle's folder: a bundle has eight files, and a folder with a million entries must not be listed. */
  entries: 100,
  /** Services of recorded traffic: a proxy of a laptop records every page that its user opened. */
  services: 32,
  /** Secrets of a kind that recorded answers are searched for: production has thousands, and each takes time. */
  soughtSecrets: 16,
  /** Secrets that are only removed from what is kept of traffic. */
  removedSecrets: 256,
  /** Kinds of findings per traffic case: a target may put a new text into every response. */
  kinds: 500,
  /** Digits of a number or a SIP URI's user in settings: 112, with fewer, rings; `sip:2001@` is an extension. */
  phoneDigits: 7,
  sipDigits: 4,
} as const satisfies Limits;

/** What the record keeps of a response, in characters or items: nested names of 2 kB gave a journal of 3.7 GB. */
export const KEPT = {
  /** Bytes of an error, and characters of all pointers of a body: stack traces and gateway pages are longer. */
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
  /** A value, or a part of a secret or id: a shorter one appears in other texts by chance (`trunk_1`, `default`). */
  unmistakable: 8,
  /** Nested encodings that are undone: percent-encoding twice inside JSON is three levels. */
  encodings: 3,
  /** A secret in recorded traffic: a shorter one appears in any text, so it is not removed. */
  removable: 4,
  /** A text whose digest is remembered: names, ids and words recur. */
  rememberedText: 512,
  /** Texts that are remembered: a long exploration sends new ones all the time. */
  rememberedTexts: 4_096,
  /** All exchanges of a run, unless whole responses are asked for: the reference run has 2 million characters. */
  record: 134_217_728,
  /** Report folders kept beside the last one: a week of nightly runs. */
  runs: 5,
} as const satisfies Limits;

/** How much a person is shown, in characters or items. */
export const SHOWN = {
  /** A name, an id or a path within a line: a terminal has 80 columns. */
  word: 80,
  /** A value, a message or a body within a sentence: two lines of a terminal. */
  line: 160,
  /** A sentence with a quotation, or a body on a terminal: a paragraph. A message may be a stack trace. */
  paragraph: 600,
  /** A body on the page: an error of a gateway is a page of its own. */
  body: 4_000,
  /** A line for `curl`: a longer line is not pasted. */
  curl: 12_000,
  /** An argument of `curl`: Linux accepts at most 128 KiB, and the shell's built-in `printf` accepts any length. */
  argument: 100_000,
  /** Causes on the first screen, findings of a case, list items that `doctor` prints: people read one, scan three. */
  first: 3,
  /** Names in a sentence, before "and 9 more". */
  named: 4,
  /** Lines of a body on a terminal, members of a success body, numbers of exchanges. */
  lines: 12,
  /** Failing cases that the console shows in full: a target without authentication fails dozens. */
  failures: 20,
  /** Entries of a part of the summary, header fields of a message: a job summary of GitHub has 1 MiB. */
  entries: 50,
  /** Exchanges listed or mentioned on the page: evidence.har has the rest. */
  exchanges: 1_000,
  /** Markup of requests and responses in full, failures first: such a page can still be opened and mailed. */
  exchangesMarkup: 1_800_000,
  /** Sequences before the remaining time is estimated: the first ones belong to the preflight. */
  beforeEstimate: 10,
  /** Requests shown around the point where a target went down: the last two answered, the first three unanswered. */
  lastRequests: 5,
  /** Requests between two progress lines in a pipeline. */
  requestsPerLine: 50,
} as const satisfies Limits;

/** How often something must happen before it is believed, and how often it is tried. */
export const TRIALS = {
  /**
   * Three times without an exception is a rule: a lost response, a deployment or another editor explains one or
   * two. A network that loses one response in ten loses three in a row once in a thousand times.
   */
  rule: 3,
  /** Bodies tried after a rejection, each of which may cost a call: the second shows whether one member is at fault. */
  calls: 2,
  /**
   * Looks at a read that may lag, one second apart: a replica two seconds behind shows a change at
   * the third, and a cache in front of it that answers three reads at the fifth.
   */
  looks: 6,
  /** Attempts of a request with an error page, and pages of a kind: a network writes no 4xx, a limiter does. */
  pages: 4,
  /** Operations that confirmed a symptom of one stimulus: one alone may fail whatever is sent to it. */
  operations: 2,
  /** Crashes of a target after the same request: a single one may be a deployment. */
  falls: 2,
  /** Create calls of unknown outcome in a run in which other calls are accepted: each may ring. */
  unknownCalls: 4,
  /** Consecutive deferred create calls after which no more are placed: each may place a call after all. */
  putOff: 6,
  /** Consecutive rejections before a health check, and failed checks before the end: strict targets reject many. */
  suspicious: 5,
  rejectedChecks: 2,
  /** Consecutive invalid credentials: targets lock out after ten or more; eight leave together, a ninth took 40 ms. */
  invalidCredentials: 8,
} as const satisfies Limits;

/** What a run remembers of responses and its own writes: a hostile target shows new values in each of 900 responses. */
export const LEARNED = {
  /**
   * Ids shown by the target that are remembered, the latest: a body has 110,000 at most. Of a list with 20,000 new ids
   * in each response ten reads were enough to forbid every made-up id, and seven cases stayed open.
   */
  ids: 200_000,
  /** Assignments, marks and places of ids: a service shows a handful. */
  handful: 100,
  /** Characters of a value: the journal repeats the previous value beside each write. */
  value: 4_096,
  /** Characters after which a value may be cut or extended and is still recognized. */
  cut: 16,
  /** Characters of an id; ids in a response, since a hang-up cannot try them all; members searched for ids. */
  id: 1_024,
  candidates: 8,
  members: 20_000,
} as const satisfies Limits;

/** How fast requests are sent after a target has answered 429. Times are milliseconds. */
export const PACE = {
  /**
   * Responses without a 429 after which a learned gap gets shorter; doubles after each failed attempt. At a limit of
   * eight requests a second, a probe every 50 responses loses one in 50, and fewer after each failure.
   */
  calm: 50,
  /** At ten requests a minute a whole run takes an hour and a half. */
  longestGap: 6_000,
  /** A shorter gap changes nothing: a round trip alone takes as long. */
  shortestGap: 5,
  /** Failures after which a learned gap is given up: a pace that prevents no 429 only costs time. */
  failures: 2,
  /** Requests reserved for an orderly end: hang-ups, restores and closing reads. */
  reserve: 10,
} as const satisfies Limits;

/** How many timeouts requests without a response may cost. */
export const HANGS = {
  /** Timeouts of a request after which its next attempt is short: the second tells a hang from a lost response. */
  beforeShort: 2,
  /** Timeouts in total after which further ones are short. With that of a create call they end the run: 90 s. */
  lost: 3,
  /** A shortened timeout, as a multiple of the slowest response of its operation: slow is not hanging. */
  margin: 3,
} as const satisfies Limits;

/** When a target is reported as a likely mock server because its responses do not depend on the request. */
export const MOCK = {
  /** The share of responses with the commonest status of their operation: about 60 % on the reference service. */
  share: 0.9,
  /** Responses of a run: a run that ended after a few reads shows nothing. */
  answers: 100,
} as const satisfies Limits;

/** How much of a bundle is read. It comes from a third party, and parsed values take many times their bytes. */
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

/** What is generated for bodies and explorations. */
export const DRAWN = {
  /** Bytes of a generated body: a lawful target may reject what is over 8 KiB. */
  body: 8_192,
  /** Items of a list and members of a map: a thousand would fill the body and show nothing else. */
  items: 20,
  /** Requests of a walk, including the separator before it: a shorter one has fewer pairs, a longer shrinks slowly. */
  walk: 20,
  /** Candidate commands of a walk: once most pairs of ordinary requests were sent, three in four are passed over. */
  candidates: 80,
  /** Smaller walks tried per finding and per run: 30 find the smallest of ten requests; four findings share them. */
  trials: 30,
  trialsOfRun: 120,
  /** Ordinary commands per unusual one: once ordinary pairs are covered, only unusual commands make new pairs. */
  ordinary: 20,
} as const satisfies Limits;
