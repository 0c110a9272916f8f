// Which of many texts stand in one long text, in one pass for all of them: asking for each by itself would read a summary
// of a thousand quotes a thousand times.

/** Lengths of a text's beginning that are looked for; a text goes by the longest it has. Shorter ones are looked for singly. */
const LENGTHS = [96, 32, 8] as const;
const BASE = 31;

/** The `wanted` texts that `text` holds. */
export function heldTexts(text: string, wanted: Iterable<string>): ReadonlySet<string> {
  const held = new Set<string>();
  const byLength = new Map<number, Map<number, Set<string>>>();
  for (const needle of new Set(wanted)) {
    const length = LENGTHS.find((least) => needle.length >= least);
    if (length === undefined) {
      if (text.includes(needle)) held.add(needle);
      continue;
    }
    const byHash = byLength.get(length) ?? new Map<number, Set<string>>();
    byLength.set(length, byHash);
    const hash = hashOf(needle, length);
    byHash.set(hash, (byHash.get(hash) ?? new Set<string>()).add(needle));
  }
  for (const [length, byHash] of byLength) searchOnce(text, length, byHash, held);
  return held;
}

/** Looks at each place of `text` once; what is found is not looked for again. */
function searchOnce(text: string, length: number, byHash: Map<number, Set<string>>, held: Set<string>): void {
  if (text.length < length) return;
  let power = 1;
  for (let index = 1; index < length; index++) power = Math.imul(power, BASE);
  let hash = hashOf(text, length);
  for (let start = 0; ; start++) {
    const candidates = byHash.get(hash);
    for (const needle of candidates ?? []) {
      if (!text.startsWith(needle, start)) continue;
      held.add(needle);
      candidates?.delete(needle);
      if (candidates?.size === 0) byHash.delete(hash);
    }
    if (start + length >= text.length || byHash.size === 0) return;
    hash = Math.imul(hash - Math.imul(text.charCodeAt(start), power), BASE) + text.charCodeAt(start + length);
    hash |= 0;
  }
}

/** Of the first `length` units. */
function hashOf(text: string, length: number): number {
  let hash = 0;
  for (let index = 0; index < length; index++) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
  return hash;
}
