/** Statements of section 2: bodies and their fields. */

import { opens, owes, type Statement, section, table, tells } from './statement.ts';

/** Section 2. */
export const FIELD_STATEMENTS: readonly Statement[] = section('2', [
  tells('This is the body of create call.', 'request'),
  ...table(
    'Body `call-create`',
    ['Field', 'Type', 'Required'],
    [
      [
        owes('`from`', 'CALL-CREATE-MINIMAL', 'CALL-CREATE-REQUIRED-FIELDS'),
        owes('string', 'CALL-CREATE-REQUIRED-FIELDS'),
        owes('yes', 'CALL-CREATE-REQUIRED-FIELDS'),
      ],
      [
        owes('`to`', 'CALL-CREATE-MINIMAL', 'CALL-CREATE-REQUIRED-FIELDS'),
        owes('string', 'CALL-CREATE-REQUIRED-FIELDS'),
        owes('yes', 'CALL-CREATE-REQUIRED-FIELDS'),
      ],
      [
        owes('`application_id`', 'CALL-CREATE-IDS'),
        owes(
          'UUID string or null',
          'CALL-CREATE-IDS',
          'CALL-CREATE-NULLABLE',
          'CALL-CREATE-UUID',
          'CALL-CREATE-FIELD-TYPES',
        ),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
      [
        owes('`trunk_id`', 'CALL-CREATE-IDS'),
        owes(
          'UUID string or null',
          'CALL-CREATE-IDS',
          'CALL-CREATE-NULLABLE',
          'CALL-CREATE-UUID',
          'CALL-CREATE-FIELD-TYPES',
        ),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
      [
        owes('`variables`', 'CALL-CREATE-VARIABLES'),
        owes('object of strings', 'CALL-CREATE-VARIABLES', 'CALL-CREATE-FIELD-TYPES', 'NULL-REFUSED'),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
      [
        owes('`privacy`', 'CALL-CREATE-PRIVACY'),
        owes('boolean', 'CALL-CREATE-PRIVACY', 'CALL-CREATE-FIELD-TYPES', 'NULL-REFUSED'),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
      [
        owes('`dtmf_mode`', 'CALL-CREATE-FIELD-TYPES'),
        owes('string', 'CALL-CREATE-FIELD-TYPES', 'NULL-REFUSED'),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
      [
        owes('`codecs`', 'CALL-CREATE-FIELD-TYPES'),
        owes('array of strings', 'CALL-CREATE-FIELD-TYPES', 'NULL-REFUSED'),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
      [
        owes('`media_encryption`', 'CALL-CREATE-FIELD-TYPES'),
        owes('string', 'CALL-CREATE-FIELD-TYPES', 'NULL-REFUSED'),
        owes('no', 'CALL-CREATE-MINIMAL'),
      ],
    ],
  ),
  tells('This is the body of the voice application update.', 'request'),
  owes('Each of its fields is a member of the body.', 'UPDATE-FIELD-ALONE', 'UPDATE-BODY-OBJECT'),
  ...table(
    'Body `voice-application-update`',
    ['Field', 'Type'],
    [
      [owes('`name`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`ring_timeout_seconds`', 'UPDATE-FIELD-ALONE'), owes('integer', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`caller_id`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`voice_url`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`callback_url`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
    ],
  ),
  tells('This is the body that sets the inbound authentication of a carrier connection.', 'request'),
  ...table(
    'Body `inbound-auth`',
    ['Field', 'Type'],
    [
      [owes('`method`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`username`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`realm`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`secret`', 'UPDATE-FIELD-ALONE', 'SECRET-WITHHELD'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
    ],
  ),
  owes('The field `secret` holds a secret.', 'SECRET-WITHHELD'),
  owes('The intent is that `secret` can be written and not read.', 'SECRET-WITHHELD'),
  tells('The specification writes `<SECRET>` in its place.', 'page'),
  tells('This is the body of the trunk update.', 'request'),
  ...table(
    'Body `trunk-update`',
    ['Field', 'Type'],
    [
      [owes('`name`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`direction`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
      [owes('`status`', 'UPDATE-FIELD-ALONE'), owes('string', 'UPDATE-FIELD-TYPES', 'NULL-REFUSED')],
    ],
  ),
  tells('This is the body that assigns a number to a carrier connection.', 'request'),
  tells('It has no other field than the one of this table.', 'request'),
  ...table(
    'Body `number-assignment`',
    ['Field', 'Type', 'Required'],
    [
      [
        owes('`carrier_connection_id`', 'NUMBER-ASSIGN-INVALID'),
        owes('UUID string', 'NUMBER-ASSIGN-INVALID'),
        owes('yes', 'NUMBER-ASSIGN-INVALID'),
      ],
    ],
  ),
  owes('This is the body of an error (section 7).', 'ERROR-ENVELOPE'),
  ...table(
    'Body `error-envelope`',
    ['Field', 'Type', 'Required'],
    [
      [owes('`success`', 'ERROR-ENVELOPE'), owes('boolean', 'ERROR-ENVELOPE'), owes('yes', 'ERROR-ENVELOPE')],
      [owes('`error`', 'ERROR-ENVELOPE'), owes('object', 'ERROR-ENVELOPE'), owes('yes', 'ERROR-ENVELOPE')],
      [owes('`error.code`', 'ERROR-ENVELOPE'), owes('string', 'ERROR-ENVELOPE'), owes('yes', 'ERROR-ENVELOPE')],
      [owes('`error.message`', 'ERROR-ENVELOPE'), owes('string', 'ERROR-ENVELOPE'), owes('yes', 'ERROR-ENVELOPE')],
    ],
  ),
  owes('In an error `success` is never anything but `false`.', 'ERROR-ENVELOPE', 'SUCCESS-NOT-ERROR'),
  opens('The interface does not say which fields of the update bodies are required.', 'GAP-UPDATE-REQUIRED'),
  opens('The interface does not say which range `ring_timeout_seconds` has.', 'GAP-RING-TIMEOUT-BOUNDS'),
  opens('The interface does not say which bounds the other fields of the update bodies have.', 'GAP-UPDATE-BOUNDS'),
  opens('The interface does not say which values `dtmf_mode` can take.', 'GAP-VALUES-DTMF-MODE'),
  opens('The interface does not say which values `media_encryption` can take.', 'GAP-VALUES-MEDIA-ENCRYPTION'),
  opens('The interface does not say which values `codecs` can list.', 'GAP-VALUES-CODECS'),
  opens('The interface does not say which values `direction` can take.', 'GAP-VALUES-DIRECTION'),
  opens('The interface does not say which values `status` can take.', 'GAP-VALUES-STATUS'),
  opens('The interface does not say which values `method` can take.', 'GAP-VALUES-METHOD'),
  opens(
    'The interface does not say what `application_id` means beside `trunk_id` when a call is created.',
    'GAP-APPLICATION-VERSUS-TRUNK',
  ),
  opens('The interface does not say which fields the record of a call has.', 'GAP-RECORD-CALL'),
  opens(
    'The interface does not say which fields the record of a voice application has.',
    'GAP-RECORD-VOICE-APPLICATION',
  ),
  opens('The interface does not say which fields the record of a trunk has.', 'GAP-RECORD-TRUNK'),
  opens('The interface does not say which fields the record of a number has.', 'GAP-RECORD-NUMBER'),
  opens('The interface does not say which fields the record of a carrier provider has.', 'GAP-RECORD-CARRIER-PROVIDER'),
  opens(
    'The interface does not say which fields the record of a carrier connection has.',
    'GAP-RECORD-CARRIER-CONNECTION',
  ),
  opens(
    'The interface does not say which fields the record of a conference participant has.',
    'GAP-RECORD-CONFERENCE-PARTICIPANT',
  ),
  opens('The interface is silent on members of a request body that it does not name.', 'GAP-UNKNOWN-MEMBERS'),
  opens('The interface is silent on a member that a request body has twice.', 'GAP-DUPLICATE-MEMBERS'),
  opens('The interface is silent on an update body without members.', 'GAP-EMPTY-UPDATE'),
  opens('The interface is silent on null in an optional field whose type does not name it.', 'GAP-NULL-MEMBERS'),
  opens(
    'The interface is silent on undashed, braced, short, empty and `urn:uuid:` spellings of a UUID.',
    'GAP-UUID-FORMS',
  ),
  opens('The interface is silent on a request body whose bytes are not UTF-8.', 'GAP-INVALID-UTF8'),
  opens('The interface is silent on bytes that follow the JSON value of a request body.', 'GAP-TRAILING-BYTES'),
]);
