/** The evidence of a run as somebody else's recording: exported as HAR, and judged without its target. */

import { renderHar } from '../../src/report/json-files.ts';
import { type JudgedTraffic, Traffic, type TrafficOptions } from '../../src/traffic/judge.ts';
import { piecesOf } from '../../src/traffic/reader.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { Results } from '../../src/verdict/results.ts';

/** A text in chunks, as a file comes. */
async function* inChunks(text: string, size = 65_536): AsyncIterable<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const OPTIONS: TrafficOptions = { strict: false, suite: { name: 'pcs-conformance', version: '0' } };

/** Judges texts, each as a file of its own. */
export async function judgeTexts(
  texts: Readonly<Record<string, string>>,
  options: Partial<TrafficOptions> = {},
  size?: number,
): Promise<JudgedTraffic> {
  const traffic = new Traffic({ ...OPTIONS, ...options });
  for (const [name, text] of Object.entries(texts)) await traffic.read(name, piecesOf(inChunks(text, size)));
  return traffic.results(Object.keys(texts));
}

/** Judges the evidence.har of a run. */
export function judgeEvidence(run: { readonly record: RunRecord; readonly results: Results }): Promise<JudgedTraffic> {
  return judgeTexts({ 'evidence.har': renderHar({ results: run.results, exchanges: run.record.exchanges }) });
}

/** Requirements that the traffic breaks: failures, and warnings with them. */
export const brokenBy = ({ results }: JudgedTraffic): readonly string[] =>
  results.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning').map(({ id }) => id);
