/** Settings that belong to one target: where it is, who calls it and what the suite may touch there. */

import type { Setting } from './setting.ts';

/** The target's settings; all but the address come from variables only, so that no credential is in a command line. */
export const TARGET_SETTINGS = [
  {
    name: 'PCS_BASE_URL',
    flag: 'base-url',
    kind: 'url',
    placeholder: 'URL',
    description: 'address of the target, without /v1',
  },
  {
    name: 'PCS_ACCESS_TOKEN',
    kind: 'token',
    description: 'organization credential of the target',
    secret: true,
  },
  {
    name: 'PCS_OTHER_ORG_ACCESS_TOKEN',
    kind: 'token',
    description: 'optional: credential of a second organization, for the checks that organizations are kept apart',
    secret: true,
  },
  {
    name: 'PCS_REVOKED_ACCESS_TOKEN',
    kind: 'token',
    description: 'optional: a credential that was revoked, for the check that it is refused',
    secret: true,
  },
  { name: 'PCS_CALL_FROM', kind: 'phone', description: 'the only number that the suite may dial from' },
  { name: 'PCS_CALL_TO', kind: 'phone', description: 'the only number that the suite may dial' },
  {
    name: 'PCS_VOICE_APPLICATION_ID',
    kind: 'uuid',
    description: 'voice application set aside for the suite',
  },
  {
    name: 'PCS_CARRIER_CONNECTION_ID',
    kind: 'uuid',
    description: 'carrier connection set aside for the suite; its inbound authentication is replaced',
  },
  { name: 'PCS_TRUNK_ID', kind: 'uuid', description: 'trunk set aside for the suite' },
  { name: 'PCS_NUMBER_ID', kind: 'id', description: 'number set aside for the suite' },
  { name: 'PCS_CARRIER_PROVIDER_ID', kind: 'id', description: 'carrier provider that the suite may read' },
  { name: 'PCS_CONFERENCE_ID', kind: 'id', description: 'conference with a participant to mute' },
  { name: 'PCS_PARTICIPANT_ID', kind: 'id', description: 'participant of that conference' },
  {
    name: 'PCS_RINGING_CALL_ID',
    kind: 'id',
    description: 'optional: an inbound call that is ringing, for a successful answer',
  },
  {
    name: 'PCS_INBOUND_USERNAME',
    kind: 'text',
    description: 'optional: user name of the inbound authentication to put back at the end',
  },
  {
    name: 'PCS_INBOUND_REALM',
    kind: 'text',
    description: 'optional: realm of the inbound authentication to put back at the end',
  },
  {
    name: 'PCS_INBOUND_SECRET',
    kind: 'text',
    description: 'optional: secret of the inbound authentication to put back at the end',
    secret: true,
  },
  {
    name: 'PCS_AVAILABLE_NUMBERS_QUERY',
    kind: 'query',
    description: 'optional: query that the search for available numbers needs, such as country_code=US',
  },
] as const satisfies readonly Setting[];
