/** What stands between the requirements and the failing cases: warnings, what was not judged, what was left behind. */

import type { Results } from '../../verdict/results.ts';
import { type CaseOfRequirement, type OpenGroup, openGroups, warningCases } from '../cases.ts';
import { cutSentences } from '../cut-answers.ts';
import { replayCommand } from '../replay.ts';
import { cut, visible } from '../visible.ts';
import { counted, LOOKS, type Paint, type Tone } from './paint.ts';

const SHOWN_CASES = 4;
const TEXT_CHARACTERS = 300;

const said = (text: string): string => visible(cut(text, TEXT_CHARACTERS));

/** A heading and its lines, and nothing at all where there are none. */
function section(heading: string, tone: Tone, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : [paint(tone, heading), ...lines, ''];
}

function warningLines({ requirement, one }: CaseOfRequirement, results: Results, paint: Paint): readonly string[] {
  return [
    `${paint('warn', LOOKS.warning.mark)} ${one.id} (${requirement.section}): ${said(one.reason ?? requirement.statement)}`,
    `    ${paint('quiet', replayCommand(results, [one.id]))}`,
  ];
}

function groupLines(group: OpenGroup, paint: Paint): readonly string[] {
  const { mark, tone } = LOOKS[group.verdict];
  const shown = group.cases.slice(0, SHOWN_CASES).join(', ');
  const more = group.cases.length > SHOWN_CASES ? `, and ${group.cases.length - SHOWN_CASES} more` : '';
  const head = group.remedy === undefined ? said(group.reason) : `to judge it: ${said(group.remedy)}`;
  const why = group.remedy === undefined ? [] : [`    because ${said(group.reason)}`];
  return [
    `${paint(tone, mark)} ${counted(group.cases.length, 'case')}: ${head}`,
    ...why,
    `    ${paint('quiet', shown + more)}`,
  ];
}

const sentences = (texts: readonly string[]): readonly string[] => texts.map((text) => `- ${said(text)}`);

/** The sections in their order; what is empty is left out. */
export function sectionLines(results: Results, paint: Paint): readonly string[] {
  const open = (verdict: OpenGroup['verdict']): readonly string[] =>
    openGroups(results, verdict).flatMap((group) => groupLines(group, paint));
  const intermittent = results.intermittent.map(
    ({ symptom, exchanges }) => `${symptom}, in ${counted(exchanges.length, 'request')}: ${exchanges.join(', ')}`,
  );
  return [
    ...section(
      'Warnings',
      'warn',
      warningCases(results).flatMap((each) => warningLines(each, results, paint)),
      paint,
    ),
    ...section('Could not be judged', 'open', open('inconclusive'), paint),
    ...section('Not exercised', 'quiet', open('not-exercised'), paint),
    ...section('Intermittent: seen, and gone when repeated', 'warn', sentences(intermittent), paint),
    ...section('Not read to the end', 'warn', sentences(cutSentences(results)), paint),
    ...section('Changed on the target and not put back', 'warn', sentences(results.changed), paint),
    ...openCallLines(results, paint),
  ];
}

/** Calls that somebody has to look for: told however little else is. */
export function openCallLines({ possiblyOpen }: Results, paint: Paint): readonly string[] {
  return section('Calls that may still be open', 'bad', sentences(possiblyOpen), paint);
}
