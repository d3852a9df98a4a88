// Keeps the page for a day without a network. Files whose names carry their hash are kept as they are; the page itself
// is asked for first and taken from the shelf only when nobody answers. A newer worker waits until no page of the older one
// is open, so that an open page always finds the files it was made with.
const SHELF = 'parlor-{{version}}';
const SHELL = ["{{shell}}"];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(SHELL)));
});

addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('parlor-') && name !== SHELF;
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
    .then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('/index.html')));
  } else if (/-[0-9a-f]{16}\./.test(url.pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request).then((fresh) => {
      if (fresh.ok) {
        const copy = fresh.clone();
        caches.open(SHELF).then((shelf) => shelf.put(request, copy));
      }
      return fresh;
    })));
  }
});
