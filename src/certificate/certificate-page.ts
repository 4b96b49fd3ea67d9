/** certificate.html: one page for people. It says what was judged and how to check it; the signature lies beside it. */

import { createHash } from 'node:crypto';
import { counted } from '../report/console/paint.ts';
import { html, Markup } from '../report/html/markup.ts';
import { badge, symbolSheet } from '../report/html/verdicts.ts';
import { readingSentence } from '../report/reading.ts';
import type { Results } from '../verdict/results.ts';
import { CERTIFICATE_STYLES } from './certificate-styles.ts';
import { namesOf, type Particulars } from './certification.ts';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(CERTIFICATE_STYLES).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function fact(name: string, value: string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function list(title: string, lead: string, items: readonly string[], isCode: boolean): Markup | null {
  if (items.length === 0) return null;
  const rows = items.map((item) => (isCode ? html`<li><code>${item}</code></li>` : html`<li>${item}</li>`));
  return html`<section><h2>${title}</h2><p class="quiet">${lead}</p><ul class="${isCode ? 'columns' : 'rows'}">${rows}</ul></section>`;
}

function readingsOf({ requirements }: Results): readonly string[] {
  return [...new Set(requirements.flatMap(({ reading }) => reading ?? []))].sort().map(readingSentence);
}

function claim({ requirements, counts, without }: Results): string {
  const binding = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'pass').length;
  const narrowed = without.length === 0 ? 'all thirteen operations' : `the operations but ${without.join(', ')}`;
  const { warning } = counts.cases;
  const warned =
    warning === 0 ? '' : ` ${counted(warning, 'recommendation')} ${warning === 1 ? 'is' : 'are'} not kept.`;
  return `It keeps all ${binding} binding requirements that could be put to it, on ${narrowed}.${warned}`;
}

function proof({ catalogue, nonce, suite }: Particulars): Markup {
  return html`<section class="proof"><h2>How to check this page</h2>
<p>This page is one file of a signed bundle and proves nothing alone. Whoever has the bundle and the public key of its signer computes every verdict again from what was recorded:</p><p><code>pcs-conformance verify BUNDLE --key KEY.pub.pem</code></p>
<dl><dt>Suite</dt><dd><code>${suite.name} ${suite.version}</code></dd><dt>Catalogue</dt><dd><code>sha256:${catalogue.sha256}</code></dd><dt>Nonce</dt><dd><code>${nonce}</code></dd></dl></section>`;
}

function sheet(results: Results, particulars: Particulars): Markup {
  const { implementation, time } = particulars;
  const { counts, target, profile, without, strict, seed } = results;
  return html`<main>
<header><div class="head"><p class="kicker">Programmable Communications Service · certificate of conformance</p>${badge('pass')}</div>
<h1>${implementation.name} ${implementation.version}</h1>
<p class="vendor">${implementation.vendor}</p></header>
<p class="claim"><strong>Conformant.</strong> ${claim(results)}</p>
<dl class="facts">
${fact('Date', time.slice(0, 10))}
${fact('Profile', without.length === 0 ? profile : `${profile}, without ${without.join(', ')}`)}
${strict ? fact('Strict', 'recommendations bind') : null}
${fact('Cases passed', `${counts.cases.pass} of ${Object.values(counts.cases).reduce((sum, count) => sum + count, 0)}`)}
${fact('Requests', String(counts.requests))}
${fact('Calls placed', String(counts.calls))}
${fact('Seed', String(seed))}
</dl>
<p class="target"><span class="label">Target</span> <code>${target}</code></p>
${list('Not exercised', 'Nothing came up in the run by which these could be judged.', namesOf(results, 'not-exercised'), true)}
${list('Recommendations that are not kept', 'They do not bind.', namesOf(results, 'warning'), true)}
${list('Readings', 'Where the interface can be read in two ways, this one was taken.', readingsOf(results), false)}
${proof(particulars)}
</main>`;
}

/** The certificate of a conformant run. Pure: equal runs give equal bytes. */
export function renderCertificate(results: Results, particulars: Particulars): string {
  const { name, version } = particulars.implementation;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${name} ${version} · certificate of conformance</title>
<style>${new Markup(CERTIFICATE_STYLES)}</style>
</head>
<body>
${symbolSheet()}
${sheet(results, particulars)}
</body>
</html>
`.text;
}
