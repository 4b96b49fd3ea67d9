// The script of report.html, inlined into the head of the page. The page can be read without it.

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

const THEME = 'pcs-conformance-theme';

// Before the page is drawn, so that a remembered theme does not flash.
root.classList.add('js');
try {
  const theme = localStorage.getItem(THEME);
  if (theme === 'light' || theme === 'dark') root.setAttribute('data-theme', theme);
} catch {
  // A page opened from disk may have no storage.
}

/** The button that switches between light and dark. */
function theme() {
  const button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.getAttribute('data-theme') || (system.matches ? 'dark' : 'light')) === 'dark';
  const update = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    root.setAttribute('data-theme', next);
    try {
      localStorage.setItem(THEME, next);
    } catch {
      // Then it lasts as long as the page.
    }
    update();
  });
  system.addEventListener('change', update);
  update();
}

/** Copies a command. A browser that withholds its clipboard gets the text selected and is asked the old way. */
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
    } catch {
      select(source);
      copied = document.execCommand('copy');
    }
    button.textContent = copied ? 'Copied' : 'Selected';
    byId('announcement').textContent = copied ? 'Copied' : 'Selected. Press Ctrl+C to copy.';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1600);
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
    for (const details of all('#failures details, #warnings details, #open details')) open(details);
  });
  follow();
}

/** The matrix: one tab stop for all cells, arrow keys between them, and a line that describes the current one. */
function matrix({ cases }) {
  const readout = byId('readout');
  const known = new Map(cases.map(([id, verdict, , , text]) => [id, [verdict, text]]));
  const links = all('.matrix .cell');
  const describe = (link) => {
    const id = link.parentElement.getAttribute('data-cell');
    const [verdict, text] = known.get(id) || ['', ''];
    const name = document.createElement('b');
    name.textContent = id;
    readout.replaceChildren(name, ` \u00a0${verdict}${text ? ` \u2013 ${text}` : ''}`);
  };
  const makeTabStop = (link) => {
    for (const one of links) one.tabIndex = one === link ? 0 : -1;
  };
  const sideways = (link, step) => {
    const own = all('.cell', link.closest('tr'));
    return own[own.indexOf(link) + step];
  };
  const vertically = (link, step) => {
    const row = link.closest('tr');
    const column = Array.from(row.children).indexOf(link.parentElement);
    const rows = all('.matrix tbody tr:not(.theme)');
    for (let at = rows.indexOf(row) + step; at >= 0 && at < rows.length; at += step) {
      const found = rows[at].children[column]?.querySelector('.cell');
      if (found && !found.closest('[hidden]')) return found;
    }
    return undefined;
  };
  const moves = {
    ArrowRight: (link) => sideways(link, 1),
    ArrowLeft: (link) => sideways(link, -1),
    ArrowDown: (link) => vertically(link, 1),
    ArrowUp: (link) => vertically(link, -1),
    Home: (link) => all('.cell', link.closest('tr'))[0],
    End: (link) => all('.cell', link.closest('tr')).pop(),
  };
  document.querySelector('.matrix').addEventListener('keydown', (event) => {
    const link = event.target.closest('.cell');
    const move = link && moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(link)?.focus();
  });
  for (const link of links) {
    link.addEventListener('focus', () => {
      makeTabStop(link);
      describe(link);
    });
    link.addEventListener('pointerenter', () => describe(link));
  }
  const first = document.querySelector('.matrix .v-error, .matrix .v-fail, .matrix .v-warning') || links[0];
  if (first) makeTabStop(first);
}

/** The timeline: slider and pointer select an exchange, and the line beside it describes it. */
function timeline({ exchanges, lanes, length }) {
  const drawing = byId('timeline');
  if (!drawing) return;
  const slider = byId('scrub');
  const cursor = byId('cursor');
  const readout = byId('scrubbed');
  const number = (name) => Number(drawing.getAttribute(`data-${name}`));
  const left = number('left');
  const width = number('right') - left;
  const xOf = (at) => left + (at / Math.max(1, length)) * width;
  const show = (index) => {
    const exchange = exchanges[index];
    if (!exchange) return;
    const [lane, at, took, status, seq] = exchange;
    cursor.setAttribute('x1', xOf(at));
    cursor.setAttribute('x2', xOf(at));
    const outcome = status || 'no complete response';
    const rest = `: ${lanes[lane]}, ${outcome} after ${took} ms, at ${at} ms`;
    const name = document.createElement(byId(`exchange-${seq}`) ? 'a' : 'span');
    if (name.tagName === 'A') name.setAttribute('href', `#exchange-${seq}`);
    name.textContent = `Exchange ${seq}`;
    readout.replaceChildren(name, rest);
    slider.setAttribute('aria-valuetext', `Exchange ${seq}${rest}`);
  };
  slider.addEventListener('input', () => show(slider.value - 1));
  drawing.addEventListener('pointermove', (event) => {
    const box = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale;
    const lane = Math.floor(((event.clientY - box.top) * scale - number('top')) / number('lane'));
    let best = -1;
    let least = 12;
    exchanges.forEach((exchange, index) => {
      const distance = Math.abs(xOf(exchange[1]) - x);
      if (exchange[0] !== lane || distance >= least) return;
      best = index;
      least = distance;
    });
    if (best < 0) return;
    slider.value = best + 1;
    show(best);
  });
}

document.addEventListener('DOMContentLoaded', () => {
  const data = JSON.parse(byId('data').textContent);
  theme();
  copying();
  matrix(data);
  timeline(data);
  opening();
});
