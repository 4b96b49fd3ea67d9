// The script of report.html, inlined into the head of the page. The page can be read without it.

const byId = (id) => document.getElementById(id);
const all = (selector) => Array.from(document.querySelectorAll(selector));

document.documentElement.classList.add('js');

/** Opens the closed parts around an element. */
function unfold(element) {
  for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
}

/** Shows what the address names. */
function follow() {
  const target = byId(location.hash.slice(1));
  if (!target) return;
  unfold(target);
  target.scrollIntoView();
  if (target.matches('details')) target.querySelector('summary').focus({ preventScroll: true });
}

/** Hides cases that do not match and dims them in the matrix. Returns the function that shows all of them again. */
function filter() {
  const form = document.querySelector('.toolbar');
  if (!form) return () => {};
  const search = byId('search');
  const operation = byId('operation');
  const boxes = all('[name="verdict"]');
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
  return () => {
    form.reset();
    show();
  };
}

/** Copies the line of a button, and says so. */
async function copy(button) {
  const said = button.parentElement.querySelector('[aria-live]');
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    said.textContent = 'copied';
  } catch {
    said.textContent = button.dataset.copy;
  }
}

document.addEventListener('DOMContentLoaded', () => {
  const showAll = filter();
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy]');
    if (button) copy(button);
    const link = target.closest('a[href^="#"]');
    if (!link) return;
    // A link to a case that the filter hides has to lead somewhere.
    if (byId(link.hash.slice(1))?.closest('[hidden]')) showAll();
    if (link.hash === location.hash) follow();
  });
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => {
    const parts = ['header', '#gate', '[id^="difference"]', '#failures', '#warnings', '#open'];
    for (const details of all(parts.map((part) => `${part} details`).join())) unfold(details);
  });
  follow();
});
