/** How much of a run the page holds, so that a run of any length can be opened and read. */

/** Characters of a body that are shown. */
export const BODY_CHARACTERS = 4_000;

/** Characters of a single text of a target or a finding. */
export const PHRASE_CHARACTERS = 600;

/** Header fields of a message. */
export const HEADER_FIELDS = 40;

/** Members of a success body, whose values the record does not hold. */
export const MEMBERS = 14;

/** Longest curl line; a longer one is not something to paste. */
export const CURL_CHARACTERS = 12_000;

/** Findings of a case that are told with their request and answer. */
export const FINDINGS = 3;

/** Characters of all findings with their requests and answers, as markup; the gravest cases come first and are served first. */
export const EXHIBIT_CHARACTERS = 2_000_000;

/** Text of at most so many characters; what was left out is counted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // A cut between the halves of a character would leave one that is none.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
