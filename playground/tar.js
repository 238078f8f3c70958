// Reads the archives that build.py writes: tar files, of which these archives use plain files with short names alone.

const BLOCK = 512;

// Fetch an archive and return its bytes unpacked. A server that knows .gz has unpacked it already.
export async function fetchArchive(url) {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${url}: the server answered ${reply.status}`);
  const bytes = new Uint8Array(await reply.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

// The pairs of name and content of a tar file. The contents are views of `bytes`.
export function* members(bytes) {
  const decoder = new TextDecoder();
  const text = (start, length) => {
    const field = bytes.subarray(start, start + length);
    const end = field.indexOf(0);
    return decoder.decode(end < 0 ? field : field.subarray(0, end));
  };
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at]; ) {
    const size = parseInt(text(at + 124, 12), 8);
    const prefix = text(at + 345, 155);
    const name = prefix ? `${prefix}/${text(at, 100)}` : text(at, 100);
    yield [name, bytes.subarray(at + BLOCK, at + BLOCK + size)];
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}
