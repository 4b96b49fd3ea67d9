/**
 * The bundle of a certification: everything that its verdicts are computed from, the digests, the signature, and for
 * people certificate.html, which says what was judged and how to check it.
 */

import type { KeyObject } from 'node:crypto';
import { choicesOf, resultsOf } from '../../suites/index.ts';
import { SHOWN } from '../contract/limits.ts';
import { counted, firstOf, grouped, picked } from '../contract/lists.ts';
import { canonicalJson, sha256 } from '../exchange/digest.ts';
import { fact, html, type Markup, page, seal } from '../report/html/markup.ts';
import { renderBadge, renderResults } from '../report/json-files.ts';
import { allCases, type OpenGroup, questionGroups, readingSentence } from '../report/model.ts';
import { renderChoices } from '../run/choices.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { questionsSentence } from '../verdict/sentence.ts';
import { fingerprintOf, signStatement, statementOf } from './attestation.ts';
import {
  ATTESTATION,
  type Certification,
  canonicalText,
  MANIFEST,
  type Manifest,
  type Particulars,
  recordFiles,
} from './bundle-files.ts';
import { caseNames, catalogueOf, certificationOutcome, type Outcome, readingIds, statedName } from './certification.ts';

/** A bundle, or the part of it that follows from its record alone. */
export type Bundle = ReturnType<typeof computed>;

/**
 * Computes what follows from a record: results, outcome, and files as texts by name, with a certificate and a badge
 * only if the outcome is conformant; `problem` says why it could not be verified.
 */
export function computed(record: RunRecord, particulars: Particulars, problem: string | null = null) {
  const results = resultsOf(record);
  const outcome: Outcome =
    problem === null
      ? certificationOutcome(results)
      : { kind: 'incomplete', reason: `it could not be verified: ${problem}` };
  const files = new Map([
    ['results.json', renderResults({ results })],
    ['choices.json', renderChoices(choicesOf(record))],
  ]);
  if (outcome.kind === 'attested' && outcome.outcome === 'conformant') {
    files.set('certificate.html', renderCertificate(results, particulars));
    const badge = renderBadge(results);
    if (badge !== null) files.set('badge.json', badge);
  }
  return { results, outcome, files };
}

/** Makes the bundle; signs it only if every case of the profile was judged, and nothing is wrong with its record. */
export function makeBundle(certification: Certification, key: KeyObject, problem: string | null = null): Bundle {
  const { record: judged, ...stated } = certification;
  const { suite } = judged.header;
  // In the form that the verifier reads: the manifest sorts members such as labels, and pages follow their order.
  const record: RunRecord = { ...JSON.parse(JSON.stringify(judged)), ...picked(judged, ['judgements']) };
  const particulars: Particulars = JSON.parse(
    canonicalJson({ ...stated, suite, catalogue: catalogueOf(suite.version) }),
  );
  const made = computed(record, particulars, problem);
  const files = new Map([...recordFiles(record), ...made.files]);
  const listed = [...files].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text), sha256: sha256(text) }));
  const manifest: Manifest = {
    format: 'pcs-conformance/bundle@1',
    ...particulars,
    files: listed.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  files.set(MANIFEST, canonicalText(manifest));
  if (made.outcome.kind === 'attested')
    files.set(ATTESTATION, signStatement(statementOf(manifest, made.results, made.outcome, fingerprintOf(key)), key));
  return { ...made, files };
}

const codeMarkup = (text: string): Markup => html`<code>${text}</code>`;

function listSection(title: string, lead: string, items: readonly (Markup | string)[], style = '') {
  if (items.length === 0) return null;
  const rows = items.map((item) => html`<li>${item}</li>`);
  return html`<section><h2>${title}</h2><p class="aside">${lead}</p><ul class="${style}">${rows}</ul></section>`;
}

function claim({ requirements, counts: { cases }, without, questions }: Results): string {
  const passed = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'pass').length;
  const scope = without.length === 0 ? 'all operations' : `all operations except ${without.join(', ')}`;
  const unmet = requirements.filter((each) => each.cases.some(({ verdict }) => verdict === 'warning')).length;
  const warned =
    unmet === 0 ? '' : ` ${counted(unmet, 'recommendation')} not followed, in ${counted(cases.warning, 'case')}.`;
  return `It meets all ${passed} binding requirements that could be tested, on ${scope}: ${questionsSentence(questions)}.${warned}`;
}

const questionsPhrase = ({ title, cases, reason, remedy }: OpenGroup): string =>
  `${title} of ${firstOf(cases, SHOWN.first)}: ${reason}${remedy === undefined ? '' : ` (${remedy})`}`;

function proof({ catalogue, nonce, suite }: Particulars): Markup {
  return html`<section><h2>How to check this page</h2>
<p>This page is one file of a signed bundle and proves nothing by itself. With the bundle and the public key of its signer, anyone can compute every verdict again from the recorded exchanges:</p><p><code>pcs-conformance verify BUNDLE --key KEY.pub.pem</code></p>
<p>A countersignature is added later, so this page cannot show one: <code>verify</code> does, and demands it with <code>--programme-key</code>.</p>
<dl>${fact('Suite', codeMarkup(`${suite.name} ${suite.version}`))}${fact('Nonce', codeMarkup(nonce))}${fact('Catalogue', codeMarkup(`sha256:${catalogue.sha256}`))}</dl></section>`;
}

/** The certificate of a conformant run. Pure: equal runs give equal bytes. */
export function renderCertificate(results: Results, particulars: Particulars): string {
  const { name, version, vendor } = particulars.implementation;
  const names = `${statedName(name)} ${statedName(version)}`;
  const { counts, target, sentence, colour, conditions } = results;
  const body = html`<main class="certificate c-${colour}">
<header><p class="aside">Programmable Communications Service</p>
<div class="verdict">${seal(colour)}<h1>Certificate of conformance</h1></div>
<p>for ${names} by ${statedName(vendor)}<br><span class="aside">These names are what the signer states, not verified.</span></p></header>
<p class="claim"><strong>${sentence}.</strong> ${claim(results)}</p>
<dl>
${fact('Date', particulars.time.slice(0, 10))}
${fact('Cases passed', `${grouped(counts.cases.pass)} of ${grouped(allCases(results).length)}`)}
${fact('Requests', grouped(counts.requests))}
${fact('Calls placed', grouped(counts.calls))}
</dl>
<p><span class="aside">Stated by the signer, not verified: the names above, the date, the target</span> <code>${target}</code></p>
${listSection('Conditions', 'All that decided what was asked, and how the target was reached.', conditions)}
${listSection('Not exercised', 'No response in the run matched these cases.', caseNames(results, 'not-exercised').map(codeMarkup), 'columns')}
${listSection('Questions without an answer', 'They were planned, and no response settled them.', questionGroups(results).map(questionsPhrase))}
${listSection('Recommendations not followed', 'Recommendations are not binding.', caseNames(results, 'warning').map(codeMarkup), 'columns')}
${listSection('Readings', 'Where the interface can be read in two ways, this reading was applied.', readingIds(results).map(readingSentence))}
${proof(particulars)}
</main>`;
  return page(`${names} · certificate of conformance`, body);
}
