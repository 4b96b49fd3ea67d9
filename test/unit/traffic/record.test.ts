import { expect, test } from 'vitest';
import { entryOf } from '../../../src/traffic/entry.ts';
import { TrafficRecorder } from '../../../src/traffic/record.ts';

const SECRET = '4f9d2c7b1a8e60354f9d';

/** An exchange as it is judged, without the digests that stand for values, after a request that carried a secret. */
function judged(written: Readonly<Record<string, string>>): string {
  const { path = 'x', field = 'x', body = 'x', answerField = 'x', answer = 'x', detail } = written;
  const seen = (token: string, response: object) => {
    const headers = [
      { name: 'authorization', value: token },
      { name: 'accept', value: field },
    ];
    const url = `https://api.example/v1/trunks/${path}`;
    const request = {
      _credential: 'valid',
      method: 'PATCH',
      url,
      headers,
      postData: { text: JSON.stringify({ name: body }) },
    };
    const entry = entryOf({ request, response }, true);
    if (entry === null || typeof entry === 'string' || entry.outcome === null) throw new Error('it is no entry');
    return { entry, outcome: entry.outcome };
  };
  const recorder = new TrafficRecorder();
  recorder.note(seen(`Bearer ${SECRET}`, { status: 200 }).entry);
  const { entry, outcome } = seen('Bearer x', {
    status: detail === undefined ? 400 : 0,
    headers: [{ name: 'location', value: answerField }],
    content: { text: JSON.stringify({ error: answer }) },
    ...(detail === undefined ? {} : { _failure: { kind: 'reset', detail } }),
  });
  const exchange = recorder.record(entry, outcome, 1, '');
  return JSON.stringify(exchange, (name, value: unknown) => (name === 'digest' ? '' : value));
}

test.each(['path', 'field', 'body', 'answerField', 'answer', 'detail'])('no exchange shows a secret: %s', (where) => {
  const exchange = judged({ [where]: SECRET });
  expect(exchange).not.toContain(SECRET);
  expect(exchange).toContain('⟦credential⟧');
});

test('an exchange without a secret stays as it is', () => {
  expect(judged({ path: 'harmless', body: 'harmless' })).not.toContain('⟦');
});
