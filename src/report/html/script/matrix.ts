/** The matrix under pointer and keyboard, as a script of the page. */

/** One tab stop for all cells, arrow keys between them, and a line that tells what a cell says. */
export const MATRIX = `
function matrix() {
  const readout = byId('readout');
  const told = new Map(data.cases.map(([id, verdict, , , reason]) => [id, [verdict, reason]]));
  const links = all('.matrix .cell');
  const place = (link) => {
    const cell = link.parentElement;
    return [Array.prototype.indexOf.call(cell.parentElement.children, cell), cell.parentElement];
  };
  const tell = (link) => {
    const id = link.parentElement.getAttribute('data-cell');
    const [verdict, reason] = told.get(id) || ['', ''];
    const name = document.createElement('b');
    name.textContent = id;
    readout.replaceChildren(name, ' \\u00a0' + verdict + (reason ? ' \\u2013 ' + reason : ''));
  };
  const stop = (link) => {
    for (const one of links) one.tabIndex = one === link ? 0 : -1;
  };
  const seen = (link) => link && !link.closest('[hidden]');
  const sideways = (link, step) => {
    const own = all('.cell', link.closest('tr'));
    return own[own.indexOf(link) + step];
  };
  const upright = (link, step) => {
    const [column, row] = place(link);
    const rows = all('.matrix tbody tr:not(.theme)');
    for (let at = rows.indexOf(row) + step; at >= 0 && at < rows.length; at += step) {
      const found = rows[at].children[column] && rows[at].children[column].querySelector('.cell');
      if (seen(found)) return found;
    }
  };
  const moves = {
    ArrowRight: (link) => sideways(link, 1),
    ArrowLeft: (link) => sideways(link, -1),
    ArrowDown: (link) => upright(link, 1),
    ArrowUp: (link) => upright(link, -1),
    Home: (link) => all('.cell', link.closest('tr'))[0],
    End: (link) => all('.cell', link.closest('tr')).pop(),
  };
  document.querySelector('.matrix').addEventListener('keydown', (event) => {
    const link = event.target.closest('.cell');
    const move = link && moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = move(link);
    if (next) next.focus();
  });
  for (const link of links) {
    link.addEventListener('focus', () => { stop(link); tell(link); });
    link.addEventListener('pointerenter', () => tell(link));
  }
  const first = document.querySelector('.matrix .v-error, .matrix .v-fail, .matrix .v-warning') || links[0];
  if (first) stop(first);
}
`;
