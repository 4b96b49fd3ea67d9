import { describe, expect, test } from 'vitest';
import { carriedForms } from '../../../src/client/credential.ts';
import { CREDENTIAL_FORMS } from '../../../src/exchange/credential-forms.ts';

const headerOf = (form: (typeof CREDENTIAL_FORMS)[number], access: string): string | null => {
  const carried = carriedForms({ access, revoked: 'pcs_org_revoked', otherOrganization: 'pcs_org_other' })[form];
  return carried?.header ?? null;
};

describe('forms of a credential', () => {
  test.each(['pcs_org_aB3_cD4-eF+5/x', 'pcs_org_________________', 'org_1', 'without a prefix', 'x', 'größe', '-'])(
    'of %s are the credential itself only where they are called valid',
    (access) => {
      expect(CREDENTIAL_FORMS.filter((form) => headerOf(form, access) === `Bearer ${access}`)).toEqual(['valid']);
    },
  );

  test('of a base64 credential are other bytes, even where only its last character differs', () => {
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const access = `pcs_org_c2VjcmV0cw${last}`;
      const changed = headerOf('last-changed', access)?.replace('Bearer pcs_org_', '') ?? '';
      const bytes = (text: string) => Buffer.from(text, 'base64url').toString('hex');
      expect(bytes(changed)).not.toBe(bytes(`c2VjcmV0cw${last}`));
    }
  });

  test('of a hexadecimal credential are hexadecimal where one character differs', () => {
    for (const one of '0123456789abcdefABCDEF') {
      for (const form of ['last-changed', 'middle-changed'] as const)
        expect(headerOf(form, one.repeat(32))).toMatch(/^Bearer [0-9a-fA-F]{32}$/);
    }
  });

  test('are not made where a credential has no prefix', () => {
    expect(headerOf('unprefixed', 'nothing')).toBeNull();
    expect(headerOf('wrong-prefix', 'nothing')).toBeNull();
  });
});
