// Keeps the page for a day without a network. Files whose names carry their hash are kept as they are; the page itself
// is asked for first and taken from the shelf only when nobody answers. A newer worker waits until no page of the older one
// is open, so that an open page always finds the files it was made with.
const VERSION = '{{version}}';
// Another house may be in another folder of the same server: each has shelves of its own.
const BASE = new URL('./', location).pathname;
const OURS = BASE === '/' ? 'parlor-' : `parlor:${BASE}-`;
const SHELF = `${OURS}${VERSION}`;
const SHELL = ["{{shell}}"];

// The word list is large and seldom changes. Only players of word games have it; they keep it through every update, on a shelf of
// its own that has no version.
const LISTS = BASE === '/' ? 'words' : `words:${BASE}`;
const LIST = '{{words}}' && new URL('{{words}}', location).pathname;
const path = (request) => new URL(request.url).pathname;
const isList = (request) => path(request).endsWith('.words');

// Whoever has any word list gets the one that this page asks for.
async function takeList() {
  const lists = await caches.open(LISTS);
  if (!LIST || await lists.match(LIST)) return;
  // Older workers kept it with the page.
  const kept = await caches.match(LIST);
  if (kept) return lists.put(LIST, kept);
  const shelves = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(shelves.map((shelf) => shelf.keys()));
  if (requests.flat().some(isList)) await lists.add(LIST);
}

// The older lists go only when this page's own is there.
async function dropOlderLists() {
  const lists = await caches.open(LISTS);
  if (!LIST || !await lists.match(LIST)) return;
  const older = (await lists.keys()).filter((request) => path(request) !== LIST);
  await Promise.all(older.map((request) => lists.delete(request)));
}

async function install() {
  const shelf = await caches.open(SHELF);
  await Promise.all([shelf.addAll(SHELL), takeList()]);
}

async function activate() {
  // Somebody may have opened a first word game since the installation. If the list cannot be fetched now, it is when it is needed.
  await takeList().then(dropOlderLists).catch(() => {});
  const old = (name) => name.startsWith(OURS) && name !== SHELF;
  await Promise.all((await caches.keys()).filter(old).map((name) => caches.delete(name)));
  await clients.claim();
}

// A file with a hash in its name: from a shelf, or fetched and kept.
async function file(event) {
  const { request } = event;
  const kept = await caches.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) {
    const copy = fresh.clone();
    event.waitUntil(caches.open(isList(request) ? LISTS : SHELF).then((shelf) => shelf.put(request, copy)));
  }
  return fresh;
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));

// A page asks whether it is of this version.
addEventListener('message', ({ ports: [port] }) => port?.postMessage(VERSION));

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith(`${BASE}api/`)) return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match(`${BASE}index.html`)));
  } else if (/-[0-9a-f]{16}\./.test(url.pathname)) {
    event.respondWith(file(event));
  }
});
