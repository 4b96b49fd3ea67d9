/** Copy buttons and links into closed parts, as scripts of the page. */

/** Copies a command; where the browser keeps its clipboard to itself, selects the text and asks it the old way. */
export const COPYING = `
function copying() {
  const select = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    const source = byId(button.getAttribute('data-copy'));
    let copied = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch (refused) {
      select(source);
      copied = document.execCommand('copy');
    }
    button.textContent = copied ? 'Copied' : 'Selected';
    byId('told').textContent = copied ? 'Copied' : 'Selected; copy it with your keyboard';
    setTimeout(() => { button.textContent = 'Copy'; }, 1600);
  });
}
`;

/** Opens what a link leads to, and everything that is to be printed. */
export const OPENING = `
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
    if (focus && focus.matches('summary')) focus.focus({ preventScroll: true });
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) follow();
  });
  addEventListener('beforeprint', () => all('#failures details, #warnings details, #open details').forEach(open));
  follow();
}
`;
