import { describe, expect, test } from 'vitest';
import { shownUrl, tokensIn } from '../../../src/exchange/url-tokens.ts';

const tokens = (url: string): readonly string[] => tokensIn('token', url).map(({ value }) => value);

describe('the tokens of a URL', () => {
  test.each([
    ['of both letter cases and digits in a path', 'https://gw.invalid/t/Zk3-vQ9_aTyB7wXe/v1', ['Zk3-vQ9_aTyB7wXe']],
    ['of sixteen letters and digits in a path', 'https://gw.invalid/9f8e7d6c5b4a3f2e', ['9f8e7d6c5b4a3f2e']],
    ['by their look in a query', '?country=US&x=9f8e7d6c5b4a3f2e1d', ['9f8e7d6c5b4a3f2e1d']],
    ['by their name in a query', '?type=local&api_key=opensesame&limit=1', ['opensesame']],
    ['in a parameter of a path', 'https://gw.invalid/v1;token=opensesame/x', ['opensesame']],
    ['without a name in a query', '?Zk3-vQ9_aTyB7wXe&country=US', ['Zk3-vQ9_aTyB7wXe']],
    ['escaped', '?access_token=a%2Bb%3Dc%2Fdefgh', ['a%2Bb%3Dc%2Fdefgh']],
  ])('are found %s', (_, url, found) => expect(tokens(url)).toEqual(found));

  test.each([
    'https://api.conformance-environment.invalid/telephony/v1',
    'https://api.invalid/tenants/550e8400-e29b-41d4-a716-446655440000',
    'http://127.0.0.1:8080/pull-request-1234/preview',
    'https://api.invalid/VoiceApplicationsOfStaging/v1',
    'https://api.invalid/Api2/12345678901234567',
    '?country_code=US&features=voice&number_type=national&limit=100',
    '?',
  ])('are none in %s', (url) => expect(tokens(url)).toEqual([]));

  test('are left out where the URL is shown', () => {
    expect(shownUrl('https://gw.invalid/t/Zk3-vQ9_aTyB7wXe/v1')).toBe('https://gw.invalid/t/⟦token⟧/v1');
    expect(shownUrl('https://api.invalid/base')).toBe('https://api.invalid/base');
  });
});
