/** Names of the settings that name a resource (conformance model, section 6). */

import type { ResourceKind } from './operations.ts';

/** The setting that names a resource of that kind; a call is named only while it rings. */
export const SETTING_OF: Readonly<Record<ResourceKind, string>> = {
  call: 'PCS_RINGING_CALL_ID',
  voiceApplication: 'PCS_VOICE_APPLICATION_ID',
  carrierConnection: 'PCS_CARRIER_CONNECTION_ID',
  trunk: 'PCS_TRUNK_ID',
  number: 'PCS_NUMBER_ID',
  carrierProvider: 'PCS_CARRIER_PROVIDER_ID',
  conference: 'PCS_CONFERENCE_ID',
  participant: 'PCS_PARTICIPANT_ID',
};
