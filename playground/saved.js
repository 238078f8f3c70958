// Keeps the state of a started Python in the browser's cache, from where the next start takes a fraction of the time.

const CACHE = "play-saved";

// `name` is an address that names all files of which the state was made.
export async function recall(name) {
  const found = await self.caches?.match(name).catch(() => undefined);
  if (!found) return null;
  const bytes = new Uint8Array(await found.arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0);
  const rest = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { ...rest, memory: bytes.subarray(4 + length) };
}

// The states of other versions of these files go.
export async function keep(name, { memory, ...rest }) {
  const text = new TextEncoder().encode(JSON.stringify(rest));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, text.length);
  const cache = await self.caches?.open(CACHE);
  if (!cache) return;
  const kind = kindOf(name);
  for (const { url } of await cache.keys()) if (kindOf(url) === kind && url !== name) await cache.delete(url);
  await cache.put(name, new Response(new Blob([length, text, memory])));
}

export async function forget(name) {
  await self.caches?.delete(name);
  await (await self.caches?.open(CACHE))?.delete(name);
}

function kindOf(name) {
  return new URL(name).searchParams.get("kind");
}
