// A program in the fragment of an address: compressed, then base64 with the letters that an address may have.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";

const KEY = "#p=";
const MOST_BYTES = 1_000_000; // of a program; a small link may unpack to any size

export function linkOf(program) {
  const bytes = deflateSync(strToU8(program), { level: 9 });
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${location.href.split("#")[0]}${KEY}${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// Return the program of a fragment, or null if it has none. Throws if it is damaged.
export function programOf(fragment) {
  if (!fragment.startsWith(KEY)) return null;
  const base64 = fragment.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/");
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bytes = inflateSync(packed, { out: new Uint8Array(MOST_BYTES) });
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
