/** choices.json: what the target chose where the specification says nothing, one choice a line, so that runs compare. */

import { renderChoices } from '../verdict/choices.ts';
import type { RunArtefacts } from './artefacts.ts';

/** The choices as JSON, sorted; `null` where none were read off the record. */
export function renderChoiceFile({ choices }: RunArtefacts): string | null {
  return choices === undefined ? null : renderChoices(choices);
}
