// Starts the page, and says so kindly where that cannot be done.
import init, { run_app } from '{{app}}';

globalThis.parlor = { worker: '{{worker}}', words: '{{words}}' };

function sorry(why) {
  const says = document.querySelector('.opening-says');
  if (says) says.textContent = why;
}

if (typeof WebAssembly !== 'object') {
  sorry('This browser is too old for Parlor. Any browser of the last few years will do.');
} else {
  init({ module_or_path: '{{wasm}}' })
    .then(() => { run_app(); performance.mark('parlor-ready'); })
    .catch((fault) => {
      console.error(fault);
      sorry('The page could not be loaded whole. Check the connection and load it again.');
    });
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

if ('serviceWorker' in navigator) {
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').then(watch).catch(() => {}));
}
