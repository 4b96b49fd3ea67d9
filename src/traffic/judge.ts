/** Judges recorded traffic as it is read: what it shows by itself, and never what would need a control. */

import { withoutQuery } from '../client/request-path.ts';
import { otherSlashForm } from '../contract/operations.ts';
import type { CredentialForm, Exchange } from '../exchange/exchange.ts';
import type { Results } from '../verdict/results.ts';
import { type Entry, entryOf } from './entry.ts';
import { placeOf } from './place.ts';
import type { Piece } from './reader.ts';
import { exchangeOf, keptExchange } from './record.ts';
import { type JudgedTraffic, resultsOfTraffic } from './results.ts';
import { type Credentials, Secrets, type Sender, senderOf } from './secrets.ts';
import { ServiceTally } from './service.ts';

/** What is known beside the files. */
export interface TrafficOptions extends Credentials {
  /** The only address that is judged; any below which the interface answers if absent. */
  readonly baseUrl?: string;
  /** The files hold a part of the traffic, so that no two exchanges belong together. */
  readonly isSample: boolean;
  readonly strict: boolean;
  readonly suite: Results['suite'];
}

/** More addresses are not told apart. */
const MOST_SERVICES = 32;

const formOf = ({ own }: Entry, sender: Sender): CredentialForm =>
  own?.credential ?? (sender === 'others' ? 'other-organization' : 'valid');

/** Reads one file after the other, and adds up what they show. */
export class Traffic {
  /** Sentences: files that were not read whole. */
  readonly problems: string[] = [];
  readonly #options: TrafficOptions;
  readonly #secrets = new Secrets();
  readonly #services = new Map<string, ServiceTally>();
  #read = 0;
  #silent = 0;
  /** When the first exchange began, in milliseconds since the epoch. */
  #began = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /** Judges the pieces of a file. */
  async read(name: string, pieces: AsyncIterable<Iterable<Piece>>): Promise<void> {
    let [lost, first] = [0, ''];
    for await (const some of pieces) {
      for (const piece of some) {
        const where = `${name}, line ${piece.line}`;
        const entry = piece.kind === 'entry' ? entryOf(piece) : piece.problem;
        if (typeof entry !== 'string') this.#take(entry, where);
        else if (++lost === 1) first = `${where}: ${entry}`;
      }
    }
    if (lost > 0) this.problems.push(lost === 1 ? first : `${first} (and ${lost - 1} more such places)`);
  }

  #take(entry: Entry, about: string): void {
    this.#read += 1;
    const place = placeOf(entry.method, entry.url);
    if (place === null) return;
    if (!place.documented) {
      // A service may carry out a change at the other slash form, too: what came before it says nothing.
      const alias = otherSlashForm(withoutQuery(place.path));
      if (entry.method !== 'GET') this.#services.get(place.base)?.disturb(alias);
      return;
    }
    const service = this.#serviceAt(place.base);
    if (service === undefined) return;
    this.#secrets.note(entry, place);
    const { outcome, holds } = entry;
    if (outcome === null) {
      this.#silent += 1;
      return;
    }
    this.#began ||= entry.at;
    const sender = senderOf(entry, this.#options);
    const [seq, at] = [this.#read, Math.max(0, entry.at - this.#began)];
    const context = { seq, at, about, credential: formOf(entry, sender), redactor: this.#secrets };
    service.take(exchangeOf(entry, outcome, place, context), holds, sender);
  }

  #serviceAt(base: string): ServiceTally | undefined {
    const { baseUrl, isSample } = this.#options;
    const isMeant =
      baseUrl === undefined || base === baseUrl || (base.startsWith('/') ? baseUrl.endsWith(base) : base === '');
    const known = this.#services.get(base);
    if (known !== undefined || !isMeant || this.#services.size >= MOST_SERVICES) return known;
    const keep = (exchange: Exchange): Exchange => keptExchange(exchange, this.#secrets);
    const made = new ServiceTally(base, keep, !isSample);
    this.#services.set(base, made);
    return made;
  }

  /** The results of everything that was read; `files` are the names. */
  results(files: readonly string[]): JudgedTraffic {
    const unsearched = this.#secrets.unsearched.size;
    const read = { files, read: this.#read, silent: this.#silent, unsearched, problems: this.problems };
    return { ...resultsOfTraffic([...this.#services.values()], read, this.#options), startedAt: this.#began };
  }
}
