/** What the page's script reads: every case in a line, every exchange in five numbers. */

import type { RunArtefacts } from '../artefacts.ts';
import { allCases } from '../cases.ts';
import { shortened } from './limits.ts';
import { spelledOut } from './markup.ts';
import { judgedOn, operationName, operationsOf, searchText } from './page-cases.ts';
import { lanesOf } from './timeline.ts';

/** A case for filter and readout. */
export type CaseTuple = readonly [id: string, verdict: string, operation: string, search: string, told: string];

/** An exchange for the timeline: lane, start, duration, status (0 where no complete answer came), seq. */
export type ExchangeTuple = readonly [lane: number, at: number, took: number, status: number, seq: number];

/** Data of the page, in the order of the plan and of the record. */
export interface PageData {
  readonly cases: readonly CaseTuple[];
  readonly lanes: readonly string[];
  readonly length: number;
  readonly exchanges: readonly ExchangeTuple[];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** The data of a run's page; `length` is the run's duration in milliseconds. */
export function pageData({ results, exchanges }: RunArtefacts, length: number): PageData {
  const lanes = lanesOf(exchanges, operationsOf(results));
  return {
    cases: allCases(results).map((item) => {
      const { id, verdict, operation, reason } = item.one;
      const told = reason === undefined ? `rests on ${judgedOn(item.one)}` : spelledOut(shortened(reason, 200));
      return [id, verdict, operation, searchText(item), told];
    }),
    lanes: lanes.map(operationName),
    length: tenth(length),
    exchanges: exchanges.map(({ tag, at, took, response, seq }) => {
      return [lanes.indexOf(tag.operation ?? 'undocumented'), tenth(at), tenth(took), response?.status ?? 0, seq];
    }),
  };
}
