// Runs of neighbouring words: as hashes for signatures, as texts where sets are compared exactly.
import { combineHashes, hashText } from "./min-hash.ts";

/** The runs of `size` words; of fewer words than that, one run of them all. */
export function shingleSet(words: readonly string[], size: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (let start = 0, last = lastStart(words, size); start <= last; start += 1) {
    found.add(words.slice(start, start + size).join(" "));
  }
  return found;
}

/** 32 bits of each run, repeats included; the same in every process. */
export function shingleHashes(words: readonly string[], size: number): Uint32Array {
  const hashes = Uint32Array.from(words, hashText);
  const last = lastStart(words, size);
  const runs = new Uint32Array(last + 1);
  for (let start = 0; start <= last; start += 1) {
    let run = 1;
    for (let at = start; at < start + size && at < hashes.length; at += 1)
      run = combineHashes(run, hashes[at] as number);
    runs[start] = run;
  }
  return runs;
}

/** Below 0 for no words. */
function lastStart(words: readonly string[], size: number): number {
  return words.length === 0 ? -1 : Math.max(0, words.length - size);
}
