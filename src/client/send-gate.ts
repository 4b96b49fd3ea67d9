/**
 * Lets requests out: no more at once than the run may have under way, no more a second than the target takes, and none
 * while a rate limit lasts. A rate limit is the run's, so what one 429 teaches holds for all lanes. The gate changes when
 * a request leaves, never what is sent.
 */

import type { ClientOptions } from './client-options.ts';
import type { Clock } from './clock.ts';

/** A request that wants to leave. */
export interface Ticket {
  /** Who comes first where several requests wait: clean-up (0), then what was sent before (1), then the rest (2). */
  readonly rank: 0 | 1 | 2;
  /** Requests of a group go out with nothing of any other group, or of none, under way. */
  readonly group: string | null;
  /**
   * Whether a lost answer would leave a doubt that nothing clears. While such a request is under way, no more are than
   * were answered at once before.
   */
  readonly isDelicate: boolean;
  /** Whether it is to leave at the same moment as others: for these, what the target has taught does not count. */
  readonly isTogether: boolean;
}

/** A request that left; `leave` has to follow. */
export interface Passage {
  readonly at: number;
  /** How many were under way when it left, itself included. */
  readonly crowd: number;
  /** How many connections may be open for it. */
  readonly room: number;
}

/** A request that is repeated has at most one other beside it, unless more at once are what is repeated. */
const MOST_IN_GROUP = 2;
/** Number of answers without a 429 after which the gate lets a little more through; it doubles after each failed attempt. */
const CALM = 50;
/** The longest learned gap between two requests, in milliseconds. */
const LONGEST_GAP = 6_000;
/** A shorter gap is none. */
const SHORTEST_GAP = 5;
/** How often a learned gap may fail before it is given up. */
const MOST_FAILURES = 2;
/** Milliseconds by which a timer may ring before its time. */
const EARLY = 2;

/** The one gate of a run. */
export class SendGate {
  readonly #clock: Clock;
  #widest: number;
  readonly #shortest: number;
  readonly #queue: Ticket[] = [];
  #wake: (() => void)[] = [];
  #underWay = 0;
  #group: string | null = null;
  /** How many may be under way at once, and milliseconds between two of them: both as the target has taught. */
  #width: number;
  #gap: number;
  /** The gap that was learned, and how often a 429 came in spite of it. */
  #known = 0;
  #failures = 0;
  #limits = 0;
  #hasDelicate = false;
  /** Highest number of requests at once that were all answered. */
  #proven = 1;
  #next = 0;
  /** When the last new 429 came, and how many other answers have come since. */
  #limitedAt: number;
  #passed = 0;
  #calm = CALM;

  /** `concurrency` requests at once, and `rate` a second (0 for no limit). */
  constructor({ concurrency, rate, clock }: Pick<ClientOptions, 'concurrency' | 'rate' | 'clock'>) {
    this.#clock = clock;
    this.#widest = concurrency;
    this.#width = concurrency;
    this.#shortest = rate > 0 ? 1000 / rate : 0;
    this.#gap = this.#shortest;
    this.#limitedAt = clock.now();
  }

  /** Resolves when the request may leave. */
  async enter(ticket: Ticket): Promise<Passage> {
    const behind = this.#queue.findIndex(({ rank }) => rank > ticket.rank);
    this.#queue.splice(behind < 0 ? this.#queue.length : behind, 0, ticket);
    for (;;) {
      if (!this.#isFirst(ticket)) await this.#change();
      else {
        const due = ticket.isTogether ? this.#next - this.#gap : this.#next;
        const wait = due - this.#clock.now();
        if (wait <= 0) break;
        await this.#clock.sleep(wait);
        // A pause ends early only where the run was interrupted: what clean-up sends then does not wait.
        if (this.#clock.now() < due - EARLY && this.#isFirst(ticket)) break;
      }
    }
    this.#queue.splice(this.#queue.indexOf(ticket), 1);
    this.#underWay += 1;
    this.#hasDelicate ||= ticket.isDelicate;
    this.#group = ticket.group;
    const at = this.#clock.now();
    this.#next = Math.max(at, this.#next) + this.#gap;
    this.#changed();
    const crowd = this.#underWay;
    return { at, crowd, room: Math.max(crowd, ticket.group === null || ticket.isTogether ? this.#most(ticket) : 1) };
  }

  leave({ isDelicate }: Pick<Ticket, 'isDelicate'>): void {
    this.#underWay -= 1;
    if (isDelicate) this.#hasDelicate = false;
    if (this.#underWay === 0) this.#group = null;
    this.#changed();
  }

  noteAnswer({ crowd }: Passage): void {
    this.#proven = Math.max(this.#proven, crowd);
    this.#passed += 1;
    if (this.#passed % this.#calm !== 0) return;
    this.#width = Math.min(this.#widest, this.#width + 1);
    const gap = this.#gap * 0.8;
    this.#gap = Math.max(this.#shortest, gap < SHORTEST_GAP ? 0 : gap);
    this.#changed();
  }

  /** A connection that was refused or reset: if there were more at once than ever before, that may be why. */
  noteLoss({ crowd }: Passage): void {
    if (crowd <= this.#proven) return;
    this.#widest = Math.min(this.#widest, this.#proven);
    this.#width = Math.min(this.#width, this.#widest);
  }

  /** What a target could not serve beside others, it served alone: fewer go out at once from then on. */
  noteCrowd(crowd: number): void {
    this.#width = Math.max(1, Math.min(this.#width, Math.floor(crowd / 2)));
    if (this.#passed >= this.#calm) this.#calm *= 2;
    this.#passed = 0;
  }

  /**
   * A 429 that asks for that wait (milliseconds): nothing leaves before it is over. If others were under way, fewer go out
   * at once from then on; if not, no faster than the target took them since the 429 before, if it `isTelling`: of a
   * request that was not sent before, and with a credential that counts.
   */
  noteLimit({ at, crowd }: Passage, wait: number, isTelling: boolean): void {
    const now = this.#clock.now();
    this.#next = Math.max(this.#next, now + wait);
    // What left before the last 429 came could not yet know.
    if (at < this.#limitedAt) return;
    if (Math.max(crowd, this.#underWay) > 1) this.#width = Math.max(1, Math.floor(this.#width / 2));
    else if (isTelling && this.#limits > 0 && this.#passed > 0) this.#learnPace((now - this.#limitedAt) / this.#passed);
    // What was let through was too much: the next attempt at more comes later.
    if (this.#passed >= this.#calm) this.#calm *= 2;
    this.#limits += 1;
    this.#limitedAt = now;
    this.#passed = 0;
  }

  #learnPace(gap: number): void {
    const isEased = this.#gap < this.#known;
    if (!isEased && this.#known > 0 && this.#passed < CALM) this.#failures += 1;
    if (!isEased) this.#known = Math.min(LONGEST_GAP, Math.max(this.#known, gap));
    // A pace that prevents no 429 only costs time.
    this.#gap = this.#failures < MOST_FAILURES ? this.#known : this.#shortest;
  }

  #isFirst(ticket: Ticket): boolean {
    const ofGroup = this.#group === null ? undefined : this.#queue.find(({ group }) => group === this.#group);
    return (ofGroup ?? this.#queue[0]) === ticket && this.#isRoom(ticket);
  }

  #isRoom(ticket: Ticket): boolean {
    if (this.#underWay === 0) return true;
    return ticket.group === this.#group && this.#underWay < this.#most(ticket);
  }

  #most({ group, isDelicate, isTogether }: Ticket): number {
    if (isTogether) return this.#widest;
    if (group !== null) return Math.min(MOST_IN_GROUP, this.#width);
    return isDelicate || this.#hasDelicate ? Math.min(this.#proven, this.#width) : this.#width;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
    });
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
