// The filter of report.html: it hides cases that do not match, dims them in the matrix, and lives in the address of the
// page, so that a filtered view can be bookmarked and sent. A second script, after page.js.

document.addEventListener('DOMContentLoaded', () => {
  const { cases } = JSON.parse(document.getElementById('data').textContent);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const form = document.querySelector('.toolbar');
  const search = document.getElementById('search');
  const operation = document.getElementById('operation');
  const boxes = all('[name="verdict"]', form);
  const entries = all('[data-case]');
  const cells = all('[data-cell]');
  const rows = all('.matrix tbody tr:not(.theme)');
  const groups = all('[data-group]');
  const sections = all('[data-section]');

  const checked = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const matching = () => {
    const verdicts = checked();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = ([, verdict, where, text]) =>
      (verdicts.length === 0 || verdicts.includes(verdict)) &&
      (operation.value === '' || operation.value === where) &&
      words.every((word) => text.includes(word));
    return new Set(cases.filter(matches).map(([id]) => id));
  };
  const show = () => {
    const left = matching();
    const everything = left.size === cases.length;
    for (const entry of entries) entry.hidden = !left.has(entry.getAttribute('data-case'));
    for (const cell of cells) cell.classList.toggle('dim', !left.has(cell.getAttribute('data-cell')));
    for (const row of rows) row.hidden = !everything && !row.querySelector('[data-cell]:not(.dim)');
    for (const body of all('.matrix tbody')) body.hidden = !body.querySelector('tr:not(.theme):not([hidden])');
    for (const group of groups) group.hidden = !group.querySelector('[data-case]:not([hidden])');
    for (const section of sections) section.hidden = !section.querySelector('[data-case]:not([hidden])');
    document.getElementById('nothing').hidden = left.size > 0;
    document.getElementById('shown').textContent = everything
      ? `${cases.length} cases`
      : `${left.size} of ${cases.length} cases shown`;
  };

  /** The filter as a query: `?verdict=fail,warning&operation=getTrunk&q=words`. */
  const write = () => {
    const address = new URL(location.href);
    const values = { verdict: checked().join(','), operation: operation.value, q: search.value.trim() };
    for (const [name, value] of Object.entries(values)) {
      if (value === '') address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    if (address.href === location.href) return;
    try {
      history.replaceState(null, '', address);
    } catch {
      // Some viewers of artefacts allow no change of the address.
    }
  };
  const read = () => {
    const query = new URLSearchParams(location.search);
    const verdicts = (query.get('verdict') ?? '').split(',');
    for (const box of boxes) box.checked = verdicts.includes(box.value);
    const wanted = query.get('operation') ?? '';
    operation.value = Array.from(operation.options).some(({ value }) => value === wanted) ? wanted : '';
    search.value = query.get('q') ?? '';
  };
  const apply = () => {
    show();
    write();
  };

  let timer = 0;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 80);
  });
  form.addEventListener('change', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    apply();
  });
  // A link to a case that the filter hides has to lead somewhere.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const target = link && document.getElementById(link.getAttribute('href').slice(1));
    if (!target?.closest('[hidden]')) return;
    for (const box of boxes) box.checked = false;
    operation.value = '';
    search.value = '';
    apply();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, select, textarea');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    search.focus();
  });
  // The address counts, not what a browser restores when the page is reloaded.
  read();
  show();
});
