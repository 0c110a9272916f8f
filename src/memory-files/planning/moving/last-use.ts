// When each section of the memory was last of use: the latest day that it holds, or that of the newest note that speaks of it.
// A note speaks of a section when it has all the words of its heading that no other heading has, or two names that
// stand in no other section.
import { wordTokens } from "../../../text/words.ts";
import { createPacer } from "../../../tokens/turns/pacer.ts";
import { textOf } from "../../memory-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Movable } from "./find-movable.ts";

/** Paths, commits, versions, names of code: what is written as no word is. */
const NAME = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_][\p{L}\p{N}_./@-]{2,80}[\p{L}\p{N}_]/gu;
const IS_NAME = /[_/@]|\p{Ll}\p{Lu}|\p{L}[\d.-]{0,9}\d|\d\p{L}|\p{L}[.-]\p{L}/u;
const NUMERIC = /^[\d./-]+$/;
const SHORTEST_WORD = 4;
const NAMES_OF_A_MENTION = 2;

/** `2031-02-03` for each of `sections`, in their order. */
export async function findLastUses(
  sections: readonly Movable[],
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const uses = sections.map(({ date }) => date);
  const words = distinctive(sections.map(({ heading }) => headingWords(heading)));
  const names = distinctive(sections.map(({ text }) => namesIn(text)));
  const wanted = countByOwner(words);
  const pacer = createPacer();
  // What cannot be read speaks of nothing.
  for await (const note of workspace.readNotes(() => undefined)) {
    signal?.throwIfAborted();
    if (pacer.isDue()) await pacer.pause();
    const { date } = note;
    if (date === undefined) continue;
    const text = textOf(note);
    const hits = hitsIn(words, new Set(wordTokens(text)));
    const named = hitsIn(names, namesIn(text));
    for (const [index, last] of uses.entries()) {
      const isSpokenOf = wanted.has(index) && hits.get(index) === wanted.get(index);
      const isNamed = (named.get(index) ?? 0) >= NAMES_OF_A_MENTION;
      if (date > last && (isSpokenOf || isNamed)) uses[index] = date;
    }
  }
  return uses;
}

function headingWords(heading: string): ReadonlySet<string> {
  return new Set(
    wordTokens(heading).filter(
      (word) => !/^\p{N}+$/u.test(word) && (word.length >= SHORTEST_WORD || /[^\p{ASCII}]/u.test(word)),
    ),
  );
}

function namesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [name] of text.matchAll(NAME))
    if (IS_NAME.test(name) && !NUMERIC.test(name)) found.add(name.toLowerCase());
  return found;
}

/** Those that only one section has, and which that is. */
function distinctive(sets: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  const shared = new Set<string>();
  for (const [index, set] of sets.entries()) {
    for (const each of set) {
      if (owners.has(each)) shared.add(each);
      owners.set(each, index);
    }
  }
  return new Map([...owners].filter(([each]) => !shared.has(each)));
}

function countByOwner(owners: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  return hitsIn(owners, owners.keys());
}

function hitsIn(owners: ReadonlyMap<string, number>, said: Iterable<string>): ReadonlyMap<number, number> {
  const hits = new Map<number, number>();
  for (const each of said) {
    const owner = owners.get(each);
    if (owner !== undefined) hits.set(owner, (hits.get(owner) ?? 0) + 1);
  }
  return hits;
}
