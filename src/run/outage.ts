/** How lanes wait for each other while one of them finds out whether the target is still there (section 5). */

/** Milliseconds that an outage may last: waits, and the time that the health checks themselves took. */
export const LONGEST_OUTAGE = 61_000;

/**
 * Lets the lanes of a run send, or holds them while one of them examines an outage. It changes when they send, not what:
 * lanes share nothing.
 */
export class OutageLock {
  #sending = 0;
  /** Lanes that wait to examine; a request that reached the target comes before one that found it gone already. */
  readonly #waiting: Waiting = { sent: 0, unsent: 0 };
  #isBusy = false;
  #wake: (() => void)[] = [];

  /** Sends as soon as no lane examines an outage; If `due` calls for an examination, `alone` has to follow. */
  async pass<T>(
    send: () => Promise<T>,
    due: (answer: T) => Examination,
  ): Promise<{ readonly first: T; readonly kind: Examination }> {
    while (this.#isBusy || this.#waiting.sent + this.#waiting.unsent > 0) await this.#change();
    this.#sending += 1;
    try {
      const first = await send();
      const kind = due(first);
      if (kind !== null) this.#waiting[kind] += 1;
      return { first, kind };
    } finally {
      this.#sending -= 1;
      this.#changed();
    }
  }

  /** Works while no other lane sends, after an answer of that kind. */
  async alone<T>(kind: keyof Waiting, work: () => Promise<T>): Promise<T> {
    while (this.#isBusy || this.#sending > 0 || (kind === 'unsent' && this.#waiting.sent > 0)) await this.#change();
    this.#isBusy = true;
    this.#waiting[kind] -= 1;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
      this.#changed();
    }
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

interface Waiting {
  sent: number;
  unsent: number;
}

/** Whether a request without a response calls for an examination, and whether it had been sent. */
export type Examination = keyof Waiting | null;
