// A short hash of a text: names the blocks of a prompt, so that the same input gives the same prompt. Not a proof of
// anything: what keeps text inside its block is that our delimiters are neutralised in it.

/** 16 hex digits. */
export function contentHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return hex(high) + hex(low);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
