// The script of report.html, inlined into the head of the page. The page can be read without it.

const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

document.documentElement.classList.add('js');

/** Copies a command; where the browser withholds its clipboard, it selects the text. */
function copying() {
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    const source = byId(button.getAttribute('data-copy'));
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    byId('announcement').textContent = button.textContent;
  });
}

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
    for (const details of all('.masthead details, #gate details, #failures details, #warnings details, #open details'))
      open(details);
  });
  follow();
}

/** The matrix: one tab stop for all cells, and arrow keys between them. */
function matrix() {
  const links = all('.matrix .cell');
  const rows = all('.matrix tbody tr:not(.theme)');
  const makeTabStop = (link) => {
    for (const one of links) one.tabIndex = one === link ? 0 : -1;
  };
  /** The next cell in that direction that the filter shows. */
  const next = (link, down, right) => {
    let row = rows.indexOf(link.closest('tr'));
    let column = link.parentElement.cellIndex;
    for (;;) {
      row += down;
      column += right;
      const place = rows[row]?.cells[column];
      if (!place) return undefined;
      const found = place.querySelector('.cell');
      if (found && !found.closest('[hidden]')) return found;
    }
  };
  const moves = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  document.querySelector('.matrix').addEventListener('keydown', (event) => {
    const link = event.target.closest('.cell');
    const move = link && moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    next(link, ...move)?.focus();
  });
  for (const link of links) link.addEventListener('focus', () => makeTabStop(link));
  makeTabStop(document.querySelector('.matrix :is(.v-error, .v-fail, .v-warning).cell') || links[0]);
}

/** Hides cases that do not match and dims them in the matrix. The filter lives in the address, so that a view can be sent. */
function filter() {
  const form = document.querySelector('.toolbar');
  const search = byId('search');
  const operation = byId('operation');
  const boxes = all('[name="verdict"]', form);
  const entries = all('[data-case]');
  const cases = all('.matrix [data-cell]').map((cell) => {
    const id = cell.getAttribute('data-cell');
    const [requirement, where] = id.split('/');
    return {
      id,
      where,
      verdict: cell.getAttribute('data-verdict'),
      cell,
      texts: [id, byId(`req-${requirement}`).querySelector('summary').textContent],
    };
  });
  const byCase = new Map(cases.map((one) => [one.id, one]));
  for (const entry of entries) byCase.get(entry.getAttribute('data-case'))?.texts.push(entry.textContent);
  for (const one of cases) one.text = one.texts.join(' ').toLowerCase();

  const checked = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const hideWithout = (selector, content) => {
    for (const one of all(selector)) one.hidden = !one.querySelector(content);
  };
  const show = () => {
    const verdicts = checked();
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
  const apply = () => {
    show();
    const address = new URL(location.href);
    const values = { verdict: checked().join(','), operation: operation.value, q: search.value.trim() };
    for (const [name, value] of Object.entries(values)) {
      if (value === '') address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    try {
      history.replaceState(null, '', address);
    } catch {
      // Some viewers of artefacts allow no change of the address.
    }
  };

  form.addEventListener('input', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => event.preventDefault());
  // A link to a case that the filter hides has to lead somewhere.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || !byId(link.getAttribute('href').slice(1))?.closest('[hidden]')) return;
    form.reset();
    apply();
  });
  // The address counts, not what a browser restores when the page is reloaded.
  const query = new URLSearchParams(location.search);
  const verdicts = (query.get('verdict') ?? '').split(',');
  for (const box of boxes) box.checked = verdicts.includes(box.value);
  operation.value = query.get('operation') ?? '';
  if (operation.selectedIndex < 0) operation.value = '';
  search.value = query.get('q') ?? '';
  show();
}

document.addEventListener('DOMContentLoaded', () => {
  copying();
  matrix();
  filter();
  opening();
});
