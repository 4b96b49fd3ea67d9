/** Light and dark, as scripts of the page. */

/** Runs before the page is drawn, so that a remembered appearance does not flash. */
export const FIRST_SCRIPT = `
(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('js');
  try {
    var kept = localStorage.getItem('pcs-conformance-theme');
    if (kept === 'light' || kept === 'dark') root.setAttribute('data-theme', kept);
  } catch (refused) { /* A file may have no storage. */ }
})();
`;

/** The button that changes the appearance. */
export const APPEARANCE = `
function appearance() {
  const button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.getAttribute('data-theme') || (system.matches ? 'dark' : 'light')) === 'dark';
  const tell = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    root.setAttribute('data-theme', next);
    try { localStorage.setItem('pcs-conformance-theme', next); } catch (refused) { /* Then it lasts as long as the page. */ }
    tell();
  });
  system.addEventListener('change', tell);
  tell();
}
`;
