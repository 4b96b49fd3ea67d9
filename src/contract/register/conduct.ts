/** Statements of sections 5 to 9: credentials, events, errors, limits and versions. */

import { opens, owes, type Statement, section, table, tells } from './statement.ts';

/** Section 5. */
export const CREDENTIAL_STATEMENTS: readonly Statement[] = section('5', [
  owes(
    'Every operation is authenticated with HTTP bearer authentication.',
    'AUTH-CREDENTIAL-REQUIRED',
    'AUTH-SCHEME',
    'AUTH-ALIAS',
    'AUTH-NO-EFFECT',
    'AUTH-STATUS-401',
    'AUTH-CHALLENGE',
    'AUTH-SCHEME-CASE',
  ),
  owes(
    'The credential travels in the header `Authorization: Bearer <ACCESS_TOKEN>`.',
    'AUTH-CREDENTIAL-ACCEPTED',
    'AUTH-HEADER-ONLY',
    'AUTH-SCHEME',
  ),
  owes('The credential is that of an organization.', 'AUTH-SECRET', 'AUTH-REVOKED'),
  owes('Its value begins with a fixed organization prefix, written `<service_prefix>org_`.', 'AUTH-SECRET'),
  owes('The secret part follows the prefix.', 'AUTH-SECRET', 'CREDENTIAL-WITHHELD'),
  owes('The credential identifies the organization.', 'ORG-ISOLATION'),
  owes('Resources are owned by organizations.', 'ORG-ISOLATION', 'ORG-NO-EFFECT'),
  opens('The interface does not say how a credential is issued.', 'GAP-AUTH-ISSUING'),
  opens('The interface does not say how a credential is revoked.', 'GAP-AUTH-REVOKING'),
  opens('The interface does not say which status a missing credential is answered with.', 'GAP-AUTH-MISSING-STATUS'),
  opens('The interface does not say which status an invalid credential is answered with.', 'GAP-AUTH-REFUSAL-STATUS'),
  opens(
    'The interface does not say which header fields come with the refusal of a credential.',
    'GAP-AUTH-REFUSAL-HEADERS',
  ),
  opens(
    'The interface does not say what the answer to a refused credential tells the caller.',
    'GAP-AUTH-REFUSAL-BODY',
  ),
  opens('The interface is silent on telling a wrong prefix from a wrong secret.', 'GAP-AUTH-WRONG-PREFIX'),
  opens('The interface is silent on the letter case of the word Bearer.', 'GAP-AUTH-SCHEME-CASE'),
]);

/** Section 6. */
export const EVENT_STATEMENTS: readonly Statement[] = section('6', [
  tells('The interface names webhooks.', 'scope'),
  tells('It names endpoints, secrets, tests, deliveries and retries as their parts.', 'scope'),
  opens('The interface does not say which kinds of event there are.', 'GAP-EVENT-KINDS'),
  opens('The interface does not say which shape the payload of an event has.', 'GAP-EVENT-PAYLOADS'),
  opens('The interface does not say how events are signed.', 'GAP-EVENT-SIGNING'),
  opens('The interface does not say which rules retries follow.', 'GAP-EVENT-RETRIES'),
]);

/** Section 7. */
export const ERROR_STATEMENTS: readonly Statement[] = section('7', [
  owes('The body of an error is the envelope of section 2.', 'ERROR-ENVELOPE'),
  owes('In the envelope `success` is `false`.', 'ERROR-ENVELOPE', 'SUCCESS-NOT-ERROR'),
  owes('In the envelope `error` has `code` and `message`.', 'ERROR-ENVELOPE'),
  owes('Both are strings.', 'ERROR-ENVELOPE'),
  ...table(
    'Errors',
    ['Status', 'Meaning', 'Shown for'],
    [
      [
        owes('400', 'CALL-CREATE-400'),
        owes(
          'The request is bad',
          'CALL-CREATE-400',
          'CALL-CREATE-REQUIRED-FIELDS',
          'CALL-CREATE-FIELD-TYPES',
          'CALL-CREATE-UUID',
          'CALL-CREATE-BODY',
        ),
        owes('`createCall`', 'CALL-CREATE-400'),
      ],
      [
        owes('409', 'CALL-CREATE-409'),
        owes('A resource or the request is in conflict', 'CALL-CREATE-409'),
        owes('`createCall`', 'CALL-CREATE-409'),
      ],
      [
        owes('503', 'CALL-CREATE-503', 'NO-SERVER-ERROR'),
        owes('A dependency that is needed at run time is unavailable', 'CALL-CREATE-503', 'NO-SERVER-ERROR'),
        owes('`createCall`', 'CALL-CREATE-503'),
      ],
    ],
  ),
  owes('A failure of `updateVoiceApplication` has the same envelope.', 'ERROR-ENVELOPE'),
  owes('A failure of `getCarrierProvider` has the same envelope.', 'ERROR-ENVELOPE'),
  owes('A failure of `searchAvailableNumbers` has the same envelope.', 'ERROR-ENVELOPE'),
  owes('A failure of `hangUpCall` has the same envelope.', 'ERROR-ENVELOPE'),
  owes('A failure of `answerCall` has the same envelope.', 'ERROR-ENVELOPE'),
  opens('The interface does not say which values `error.code` can take.', 'GAP-ERROR-CODES'),
  opens(
    'The interface does not say which error statuses the operations other than create call answer.',
    'GAP-ERROR-STATUS',
  ),
  opens('The interface is silent on further members of the envelope.', 'GAP-ENVELOPE-MEMBERS'),
]);

/** Section 8. */
export const LIMIT_STATEMENTS: readonly Statement[] = section('8', [
  tells('This section of the interface holds gaps only.', 'page'),
  opens('The interface does not say which rate limits there are.', 'GAP-RATE-LIMITS'),
  opens('The interface does not say which limits of size there are.', 'GAP-SIZE-LIMITS'),
  opens('The interface does not say which limits paging has.', 'GAP-PAGE-LIMITS'),
  opens('The interface does not say which bounds the fields have.', 'GAP-FIELD-BOUNDS'),
  opens('The interface is silent on how deep a request body can be nested.', 'GAP-NESTING'),
  opens('The interface is silent on how long an answer can take.', 'GAP-LATENESS'),
]);

/** Section 9. */
export const VERSION_STATEMENTS: readonly Statement[] = section('9', [
  owes('Every path begins with `/v1`.', 'PATH-SERVED'),
  tells('The description of the interface has the version 1.0.0.', 'name'),
  opens('The interface does not say which changes stay compatible.', 'GAP-COMPATIBILITY'),
  opens('The interface does not say how something is deprecated.', 'GAP-DEPRECATION'),
]);
