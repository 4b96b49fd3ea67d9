/** What helps where a requirement could not be judged: the settings on which its requests rest. */

import { type OperationId, operationById } from '../../contract/operations.ts';
import type { Requirement } from '../../contract/requirements/index.ts';
import { SETTING_OF } from '../../contract/settings.ts';

const NUMBERS: readonly string[] = ['PCS_CALL_FROM', 'PCS_CALL_TO'];

/** Updates whose accepted values the interface does not show. */
const FREE_BODIES: readonly string[] = ['updateVoiceApplication', 'setInboundAuth', 'updateTrunk'];

function settingsOf(id: OperationId): readonly string[] {
  // What is created and hung up is a call of the run itself.
  if (id === 'createCall' || id === 'hangUpCall') return NUMBERS;
  if (id === 'searchAvailableNumbers') return ['PCS_AVAILABLE_NUMBERS_QUERY'];
  const own = operationById(id).resources.map((kind) => SETTING_OF[kind]);
  return id === 'assignNumber' ? [...own, SETTING_OF.carrierConnection] : own;
}

/** Settings, in the order of the operations, and then what else helps; sentences without a full stop. */
export function helpFor({ id, operations, needs }: Requirement): readonly string[] {
  const shown = operations.filter((operation): operation is OperationId => operation !== 'undocumented');
  const inBody = id === 'CALL-CREATE-IDS' ? [SETTING_OF.voiceApplication, SETTING_OF.trunk] : [];
  const settings = [...new Set([...(needs === undefined ? [] : [needs]), ...shown.flatMap(settingsOf), ...inBody])];
  return [
    ...(settings.length === 0 ? [] : [`set ${settings.join(', ')}`]),
    ...(shown.some((operation) => FREE_BODIES.includes(operation))
      ? ['give bodies that the target accepts with --samples']
      : []),
    ...(settings.length === 0 ? ['give PCS_ACCESS_TOKEN the right to the operation'] : []),
  ];
}
