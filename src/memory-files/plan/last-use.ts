// When each section of the memory was last of use: the latest day that it holds, or that of the newest note that speaks of it.
// A note speaks of a section when it has all the words of its heading that no other heading has, or two names that
// stand in no other section.
import { isHeading } from "../../text/markdown/outline.ts";
import { wordTokens } from "../../text/words.ts";
import { type MemoryFile, type Note, textOf } from "../workspace.ts";
import type { Movable } from "./movable-sections.ts";

/** Paths, commits, versions, names of code: what is written as no word is. */
const NAME = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_][\p{L}\p{N}_./@-]{2,80}[\p{L}\p{N}_]/gu;
const IS_NAME = /[_/@]|\p{Ll}\p{Lu}|\p{L}[\d.-]{0,9}\d|\d\p{L}|\p{L}[.-]\p{L}/u;
const NUMERIC = /^[\d./-]+$/;
const SHORTEST_WORD = 4;
const NAMES_OF_A_MENTION = 2;

export interface Mentions {
  /** Notes come in any order. */
  add(note: Note): void;
  /** `2031-02-03` for each of the sections, in their order. They stand in those that were watched for. */
  lastUses(sections: readonly Movable[]): readonly string[];
}

interface Mention {
  readonly date: string;
  readonly words: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** The last mention of each of these sections of the file. The notes are read once, by the analysis. */
export function watchMentions(file: MemoryFile, sections: readonly Movable[]): Mentions {
  const headings = file.outline.blocks.filter(isHeading);
  const words = new Set(headings.flatMap(({ text }) => [...headingWords(text)]));
  const names = new Set(sections.flatMap(({ text }) => [...namesIn(text)]));
  const mentions: Mention[] = [];
  return {
    add(note) {
      if (note.date === undefined) return;
      const text = textOf(note);
      mentions.push({
        date: note.date,
        words: new Set(wordTokens(text).filter((word) => words.has(word))),
        names: new Set([...namesIn(text)].filter((name) => names.has(name))),
      });
    },
    lastUses: (chosen) => lastUses(chosen, mentions),
  };
}

function lastUses(sections: readonly Movable[], mentions: readonly Mention[]): readonly string[] {
  const uses = sections.map(({ date }) => date);
  const words = distinctive(sections.map(({ heading }) => headingWords(heading)));
  const names = distinctive(sections.map(({ text }) => namesIn(text)));
  const wanted = hitsIn(words, words.keys());
  for (const mention of mentions) {
    const hits = hitsIn(words, mention.words);
    const named = hitsIn(names, mention.names);
    for (const [index, last] of uses.entries()) {
      const isSpokenOf = wanted.has(index) && hits.get(index) === wanted.get(index);
      const isNamed = (named.get(index) ?? 0) >= NAMES_OF_A_MENTION;
      if (mention.date > last && (isSpokenOf || isNamed)) uses[index] = mention.date;
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

function hitsIn(owners: ReadonlyMap<string, number>, said: Iterable<string>): ReadonlyMap<number, number> {
  const hits = new Map<number, number>();
  for (const each of said) {
    const owner = owners.get(each);
    if (owner !== undefined) hits.set(owner, (hits.get(owner) ?? 0) + 1);
  }
  return hits;
}
