/** What a gap is: something that the interface does not say, and how a target's own answer to it is seen. */

/** One gap of the interface (docs/interface.md). */
export type Gap = {
  readonly id: `GAP-${string}`;
  /** Section of the interface specification that leaves it open. */
  readonly section: string;
  /** What is left open, as a question. */
  readonly question: string;
} & (
  | {
      /** How the target's choice is observed. */
      readonly probe: string;
    }
  | {
      /** Why it is not observed. */
      readonly reason: string;
    }
);

/** A gap whose choice is observed. */
export function observed(section: string, id: Gap['id'], question: string, probe: string): Gap {
  return { id, section, question, probe };
}

/** A gap that nothing observes, for a reason. */
export function unobserved(section: string, id: Gap['id'], question: string, reason: string): Gap {
  return { id, section, question, reason };
}
