// The script of report.html, inlined into the head of the page. The page can be read without it.

const byId = (id) => document.getElementById(id);
const all = (selector) => Array.from(document.querySelectorAll(selector));

document.documentElement.classList.add('js');

/** Opens the collapsed parts around an element. */
function unfold(element) {
  for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
}

/** Shows the element named in the address. */
function follow() {
  const target = byId(location.hash.slice(1));
  if (!target) return;
  unfold(target);
  target.scrollIntoView();
  if (target.matches('details')) target.querySelector('summary').focus({ preventScroll: true });
}

/** Hides cases that do not match, and groups that become empty. Returns the function that shows everything again. */
function filter() {
  const form = document.querySelector('.toolbar');
  if (!form) return () => {};
  const cases = all('.matrix [data-case]').map(({ dataset: { case: id, verdict } }) => {
    const [requirement, operation] = id.split('/');
    const views = all(`[data-case="${id}"]`);
    const told = [byId(`req-${requirement}`).querySelector('summary'), ...views].map((one) => one.textContent);
    return { operation, verdict, views, text: [id, ...told].join(' ').toLowerCase() };
  });
  const show = () => {
    const asked = new FormData(form);
    const verdicts = asked.getAll('verdict');
    const words = asked.get('words').toLowerCase().split(/\s+/);
    const matches = ({ verdict, operation, text }) =>
      (verdicts.length === 0 || verdicts.includes(verdict)) &&
      ['', operation].includes(asked.get('operation')) &&
      words.every((word) => text.includes(word));
    const left = cases.filter(matches);
    for (const one of cases) for (const view of one.views) view.hidden = !left.includes(one);
    for (const group of all('[data-group]')) group.hidden = !group.querySelector('[data-case]:not([hidden])');
    byId('shown').textContent = `${left.length} of ${cases.length} cases shown`;
  };

  form.addEventListener('input', show);
  form.addEventListener('reset', () => setTimeout(show));
  form.addEventListener('submit', (event) => event.preventDefault());
  show();
  return () => {
    form.reset();
    show();
  };
}

/** Copies the line of a button, and confirms it. */
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
    // A link to a case that the filter hides must still lead there.
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
