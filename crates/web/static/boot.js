// Starts the page, and says so kindly where that cannot be done.
import init, { run_app } from '{{app}}';

// A record made small enough for a link, and back. What grows beyond all records is none.
const LONGEST = 4_000_000; // bytes; lists of words keep within it (LONGEST_LIST)
const through = (bytes, way) => new Blob([bytes]).stream().pipeThrough(way);
async function pack(text) {
  const small = new Uint8Array(await new Response(through(text, new CompressionStream('deflate-raw'))).arrayBuffer());
  return btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0));
  const [parts, reader] = [[], through(bytes, new DecompressionStream('deflate-raw')).getReader()];
  for (let length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    parts.push(value);
    length += value.length;
    if (length > LONGEST) throw new Error('too long');
  }
}

globalThis.parlor = { worker: '{{worker}}', words: '{{words}}', pack, unpack };

// When the program itself has broken, its last words offer this; a link alone would lose what stands behind the #.
addEventListener('click', (click) => {
  if (!click.target.closest?.('[data-do="reload"]')) return;
  click.preventDefault();
  location.reload();
});

function sorry(why) {
  const says = document.querySelector('.opening-says');
  if (says) says.textContent = why;
}

// A newer page that has come while this one was open is offered, never forced. After an update most visitors have the newer page
// before its worker is installed, and are told nothing: so the worker is asked for its version.
let newest = document.querySelector('meta[name=version]')?.content;
function compare(worker) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    if (data === newest) return;
    newest = data;
    dispatchEvent(new Event('parlor-renewed'));
  };
  worker.postMessage('version', [port2]);
}
function hear(worker) {
  if (worker?.state === 'installed') return compare(worker);
  worker?.addEventListener('statechange', () => { if (worker.state === 'installed') compare(worker); });
}
function watch(registration) {
  hear(registration.waiting);
  hear(registration.installing);
  registration.addEventListener('updatefound', () => hear(registration.installing));
  // A browser looks for a newer worker when a page is loaded, which a page that stays open for days never is.
  addEventListener('visibilitychange', () => { if (!document.hidden) registration.update().catch(() => {}); });
}

// The shelf stands and nothing is going on: the service worker may fetch and keep the rest, so that every box opens at once and
// without a network. Where a browser has none (an address without https) or takes none (a certificate it does not know), each piece
// comes when its box is opened, and the shelf says what that means.
function keepTheRest() {
  const notKept = () => { document.documentElement.dataset.kept = 'no'; };
  const { serviceWorker } = navigator;
  if (serviceWorker) serviceWorker.register('./sw.js').then(watch, notKept);
  else notKept();
}

if (typeof WebAssembly !== 'object') {
  sorry('This browser is too old for Parlor. Any browser of the last few years will do.');
} else {
  init({ module_or_path: '{{wasm}}' })
    .then(() => {
      run_app();
      performance.mark('parlor-ready');
      (globalThis.requestIdleCallback ?? setTimeout)(keepTheRest);
    })
    .catch((fault) => {
      console.error(fault);
      sorry('The page could not be loaded whole. Check the connection and load it again.');
    });
}
