/** report.html: one file that opens from disk, loads nothing and runs nothing that a target sent. */

import { operationOf } from '../../verdict/answer.ts';
import { durationOf, type RunArtefacts } from '../artefacts.ts';
import { allCases, type CaseOfRequirement, outcomeOf } from '../cases.ts';
import { capitalized, cut } from '../text.ts';
import { BASE, inlineAsset, page, REPORT_STYLES } from './asset.ts';
import { body } from './body.ts';
import { html, jsonIsland, spelledOut } from './markup.ts';
import { lanesOf } from './time.ts';
import { basisOf, operationName, operationsOf } from './words.ts';

const STYLES = inlineAsset(BASE, REPORT_STYLES, new URL('./reasons.css', import.meta.url));
const SCRIPT = inlineAsset(new URL('./page.js', import.meta.url), new URL('./filter.js', import.meta.url));

const SEARCH_CHARACTERS = 800;
const READOUT_CHARACTERS = 200;

type CaseTuple = readonly [id: string, verdict: string, operation: string, search: string, readout: string];

/** An exchange for the timeline; the status is 0 if no complete response came. */
type ExchangeTuple = readonly [lane: number, at: number, took: number, status: number, seq: number];

function searchText({ requirement, one }: CaseOfRequirement): string {
  const findings = one.findings.flatMap(({ expected, actual, where, about }) => [expected, actual, where, about]);
  const parts = [one.id, requirement.level, requirement.statement, one.reason ?? '', one.remedy ?? '', ...findings];
  return parts.join(' ').toLowerCase().slice(0, SEARCH_CHARACTERS);
}

function caseTuple(item: CaseOfRequirement): CaseTuple {
  const { id, verdict, operation, reason } = item.one;
  const readout = reason === undefined ? basisOf(item.one) : spelledOut(cut(reason, READOUT_CHARACTERS));
  return [id, verdict, operation, searchText(item), readout];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** What the script reads: cases in the order of the plan, exchanges in the order of the record, milliseconds. */
function pageData({ results, exchanges }: RunArtefacts): object {
  const lanes = lanesOf(exchanges, operationsOf(results));
  return {
    cases: allCases(results).map(caseTuple),
    lanes: lanes.map(operationName),
    length: tenth(durationOf(exchanges)),
    exchanges: exchanges.map((exchange): ExchangeTuple => {
      const { at, took, response, seq } = exchange;
      return [lanes.indexOf(operationOf(exchange)), tenth(at), tenth(took), response?.status ?? 0, seq];
    }),
  };
}

/** The page of a run. Pure: equal runs give equal bytes. */
export function renderHtml(run: RunArtefacts): string {
  const { target } = run.results;
  const title = `${capitalized(outcomeOf(run))} · ${target} · conformance report`;
  return page(title, STYLES, SCRIPT, html`${body(run)}\n${jsonIsland('data', pageData(run))}`);
}
