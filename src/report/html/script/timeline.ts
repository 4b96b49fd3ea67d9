/** Reading single exchanges off the timeline, as a script of the page. */

/** The slider and the pointer choose an exchange; the line beside it says what it was. */
export const TIMELINE = `
function timeline() {
  const drawing = byId('timeline');
  if (!drawing) return;
  const slider = byId('scrub');
  const cursor = byId('cursor');
  const told = byId('scrubbed');
  const number = (name) => Number(drawing.getAttribute('data-' + name));
  const left = number('left');
  const width = number('right') - left;
  const xOf = (at) => left + (at / Math.max(1, data.length)) * width;
  const show = (index) => {
    const exchange = data.exchanges[index];
    if (!exchange) return;
    const [lane, at, took, status, seq] = exchange;
    cursor.setAttribute('x1', xOf(at));
    cursor.setAttribute('x2', xOf(at));
    const text = 'Exchange ' + seq + ': ' + data.lanes[lane] + ', ' + (status || 'no complete answer') + ' after ' + took + ' ms, at ' + at + ' ms';
    told.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  };
  slider.addEventListener('input', () => show(slider.value - 1));
  drawing.addEventListener('pointermove', (event) => {
    const box = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale;
    const lane = Math.floor(((event.clientY - box.top) * scale - number('top')) / number('lane'));
    let best = -1;
    let least = 12;
    data.exchanges.forEach((exchange, index) => {
      const distance = Math.abs(xOf(exchange[1]) - x);
      if (exchange[0] === lane && distance < least) { best = index; least = distance; }
    });
    if (best < 0) return;
    slider.value = best + 1;
    show(best);
  });
}
`;
