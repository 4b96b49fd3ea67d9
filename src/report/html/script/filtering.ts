/** Filter and search over every list of the page, as a script of the page. */

/** Hides what does not match, dims it in the matrix, and says how many cases are left. */
export const FILTERING = `
function filtering() {
  const form = document.querySelector('.toolbar');
  const search = byId('search');
  const operation = byId('operation');
  const entries = all('[data-case]');
  const cells = all('[data-cell]');
  const rows = all('.matrix tbody tr:not(.theme)');
  const groups = all('[data-group]');
  const sections = all('[data-section]');

  const matching = () => {
    const verdicts = all('[name="verdict"]:checked', form).map((box) => box.value);
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    return new Set(data.cases.filter(([, verdict, where, text]) =>
      (verdicts.length === 0 || verdicts.includes(verdict)) &&
      (operation.value === '' || operation.value === where) &&
      words.every((word) => text.includes(word))).map(([id]) => id));
  };
  const apply = () => {
    const left = matching();
    const everything = left.size === data.cases.length;
    for (const entry of entries) entry.hidden = !left.has(entry.getAttribute('data-case'));
    for (const cell of cells) cell.classList.toggle('dim', !left.has(cell.getAttribute('data-cell')));
    for (const row of rows) row.hidden = !everything && !row.querySelector('[data-cell]:not(.dim)');
    for (const body of all('.matrix tbody')) body.hidden = !body.querySelector('tr:not(.theme):not([hidden])');
    for (const group of groups) group.hidden = !group.querySelector('[data-case]:not([hidden])');
    for (const section of sections) section.hidden = !section.querySelector('[data-case]:not([hidden])');
    byId('nothing').hidden = left.size > 0;
    byId('shown').textContent = everything ? data.cases.length + ' cases' : left.size + ' of ' + data.cases.length + ' cases shown';
  };
  let waiting = 0;
  search.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(apply, 80); });
  form.addEventListener('change', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => { event.preventDefault(); apply(); });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
    event.preventDefault();
    search.focus();
  });
  // A browser may give a reloaded page its old form back.
  apply();
}
`;
