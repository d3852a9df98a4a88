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

// The pieces that the shelf does without.
const LATER = ["{{later}}"];

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

// A newer page that has come while this one was open is offered, never forced.
function watch(registration) {
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && navigator.serviceWorker.controller) dispatchEvent(new Event('parlor-renewed'));
    });
  });
}

// The shelf stands and nothing is going on: the rest may come, so that the first box opens at once. The service worker fetches
// and keeps every piece; where a browser has none (an address without https), it is asked to have them at hand.
function fetchTheRest() {
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.register('/sw.js').then(watch).catch(() => {});
    return;
  }
  for (const href of LATER) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href }));
  }
}

if (typeof WebAssembly !== 'object') {
  sorry('This browser is too old for Parlor. Any browser of the last few years will do.');
} else {
  init({ module_or_path: '{{wasm}}' })
    .then(() => {
      run_app();
      performance.mark('parlor-ready');
      (globalThis.requestIdleCallback ?? setTimeout)(fetchTheRest);
    })
    .catch((fault) => {
      console.error(fault);
      sorry('The page could not be loaded whole. Check the connection and load it again.');
    });
}
