/** Pages of made runs, read with parse5. */

import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { EXCHANGES } from '../report/made-run.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** The elements of a page, or within an element, that pass the test, in document order. */
export function elements(
  page: string | Element | undefined,
  passes: (element: Element) => boolean,
): readonly Element[] {
  const found: Element[] = [];
  const walk = (node: Node): void => {
    if ('tagName' in node && passes(node)) found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
  };
  if (page !== undefined) walk(typeof page === 'string' ? parse(page) : page);
  return found;
}

/** Value of an attribute, or `undefined`. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  return element?.attrs.find((one) => one.name === name)?.value;
}

/** The text of a node and its descendants. */
export function textOf(node: Node | undefined): string {
  if (node === undefined) return '';
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** The element with that id. */
export function withId(page: string, id: string): Element | undefined {
  return elements(page, (element) => attribute(element, 'id') === id)[0];
}

const [SAMPLE] = EXCHANGES;

/** That many exchanges, spread over operations, statuses and time. */
export function manyExchanges(count: number): readonly Exchange[] {
  const operations = ['createCall', 'getTrunk', 'listTrunks', 'hangUpCall', null];
  return Array.from({ length: count }, (_, at) => {
    const status = [200, 401, 400, 500][at % 4] ?? 200;
    const sample = SAMPLE as Exchange;
    const response = { status, headers: [], body: null, leaks: [] };
    const operation = operations[at % operations.length] ?? null;
    return { ...sample, seq: at + 1, at: at * 7.3, took: 3 + (at % 90), response, tag: { ...sample.tag, operation } };
  });
}
