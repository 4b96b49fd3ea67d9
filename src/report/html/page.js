// The script of report.html, inlined into the head of the page. The page can be read without it.

const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

document.documentElement.classList.add('js');

/** Opens the closed parts that a link leads into, and every finding before printing. */
function opening() {
  const open = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const follow = () => {
    const target = location.hash.length > 1 ? byId(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    open(target);
    target.scrollIntoView();
    const focus = target.matches('details') ? target.querySelector('summary') : target;
    if (focus?.matches('summary')) focus.focus({ preventScroll: true });
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) follow();
  });
  addEventListener('beforeprint', () => {
    const parts = ['header', '#gate', '[id^="difference"]', '#failures', '#warnings', '#open'];
    for (const details of all(parts.map((part) => `${part} details`).join())) open(details);
  });
  follow();
}

/** Hides cases that do not match and dims them in the matrix. */
function filter() {
  const form = document.querySelector('.toolbar');
  if (!form) return;
  const search = byId('search');
  const operation = byId('operation');
  const boxes = all('[name="verdict"]', form);
  const entries = all('[data-case]');
  const cases = all('.matrix [data-cell]').map((cell) => {
    const id = cell.getAttribute('data-cell');
    const [requirement, where] = id.split('/');
    const verdict = cell.getAttribute('data-verdict');
    return { id, where, verdict, cell, texts: [id, byId(`req-${requirement}`).querySelector('summary').textContent] };
  });
  const byCase = new Map(cases.map((one) => [one.id, one]));
  for (const entry of entries) byCase.get(entry.getAttribute('data-case'))?.texts.push(entry.textContent);
  for (const one of cases) one.text = one.texts.join(' ').toLowerCase();

  const hideWithout = (selector, content) => {
    for (const one of all(selector)) one.hidden = !one.querySelector(content);
  };
  const show = () => {
    const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = ({ verdict, where, text }) =>
      (verdicts.length === 0 || verdicts.includes(verdict)) &&
      (operation.value === '' || operation.value === where) &&
      words.every((word) => text.includes(word));
    const left = new Set(cases.filter(matches).map(({ id }) => id));
    for (const { cell, id } of cases) cell.classList.toggle('dim', !left.has(id));
    for (const entry of entries) entry.hidden = !left.has(entry.getAttribute('data-case'));
    hideWithout('.matrix tbody tr:not(.theme)', '[data-cell]:not(.dim)');
    hideWithout('.matrix tbody', 'tr:not(.theme):not([hidden])');
    hideWithout('[data-group], [data-section]', '[data-case]:not([hidden])');
    byId('nothing').hidden = left.size > 0;
    byId('shown').textContent =
      left.size === cases.length ? `${cases.length} cases` : `${left.size} of ${cases.length} cases shown`;
  };

  form.addEventListener('input', show);
  form.addEventListener('reset', () => setTimeout(show));
  form.addEventListener('submit', (event) => event.preventDefault());
  // A link to a case that the filter hides has to lead somewhere.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || !byId(link.getAttribute('href').slice(1))?.closest('[hidden]')) return;
    form.reset();
    show();
  });
}

/** Copies the line of a button, and says so. */
function copying() {
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    const said = button.parentElement.querySelector('[aria-live]');
    const done = await navigator.clipboard?.writeText(button.dataset.copy).then(
      () => true,
      () => false,
    );
    said.textContent = done ? 'copied' : button.dataset.copy;
  });
}

document.addEventListener('DOMContentLoaded', () => {
  copying();
  filter();
  opening();
});
