// What finding near-duplicates and the guard cost, in microseconds of processor time a text, for 1,000 to 20,000 notes of
// about 100 words: `unrun bench/similarity/near-duplicates.ts`. Twice the notes should cost twice the time.
import { findNearDuplicates } from "../../src/similarity/near-duplicates.ts";
import { factKey } from "../../src/similarity/same-fact.ts";

const WORDS = 100;
const VOCABULARY = 8000;

let state = 11;
function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** A tenth are earlier notes with a few words exchanged. */
function makeNotes(count: number): readonly string[] {
  const notes: string[][] = [];
  for (let i = 0; i < count; i += 1) {
    const earlier = i > 0 && random(10) === 0 ? notes[random(i)] : undefined;
    const words =
      earlier === undefined ? Array.from({ length: WORDS }, () => `word${random(VOCABULARY)}`) : [...earlier];
    for (let k = 0; earlier !== undefined && k < 3; k += 1) words[random(WORDS)] = `word${random(VOCABULARY)}`;
    notes.push(words);
  }
  return notes.map((words) => words.join(" "));
}

function measure(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}

for (const count of [1000, 5000, 10_000, 20_000]) {
  const notes = makeNotes(count);
  const pairs = findNearDuplicates(notes).length;
  const near = measure(() => findNearDuplicates(notes)) / count;
  const guard = measure(() => notes.forEach((note) => void factKey(note))) / count;
  console.log(
    `${count.toLocaleString("en-US")} notes: ${near.toFixed(1)} us a note to find ${pairs} pairs, ${guard.toFixed(1)} us a note for the guard`,
  );
}
