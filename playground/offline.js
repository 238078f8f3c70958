// The service worker: after the first visit the live page opens without a network.
// FILES and VERSION are put in by build.py: the names of all files of the folder, and a digest of their contents.

const CACHE = `play-${VERSION}`;
const HASHED = /-[0-9A-Za-z]{8,10}\.(js|json|tar\.gz)$/; // such a file never changes: another content has another name

self.addEventListener("install", (event) => event.waitUntil(install().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(activate().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});

async function install() {
  const cache = await caches.open(CACHE);
  for (const name of FILES) {
    const url = new URL(name, self.registration.scope).href;
    const known = HASHED.test(name) && (await caches.match(url));
    if (known) await cache.put(url, known);
    else await cache.add(url);
  }
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("play-") && name !== CACHE).map((name) => caches.delete(name)));
}

// Files that never change come from the cache, the pages from the network while there is one.
async function answer(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request, { ignoreSearch: true });
  if (known && HASHED.test(new URL(request.url).pathname)) return known;
  try {
    return await fetch(request);
  } catch (error) {
    if (known) return known;
    throw error;
  }
}
