// Lines of two sections of a memory file that say nearly the same. What is rare in the file weighs most: that two lines share
// the words of every line says nothing. Only reported, with what each says alone: which of the two is right, code cannot know.
import { findDates } from "../../language/dates.ts";
import { findNearDuplicates } from "../../similarity/near-duplicates.ts";
import { differenceOf } from "../../similarity/same-fact.ts";
import { cutAtCodePoint } from "../../text/quote.ts";
import { groupBy, wordTokens } from "../../text/words.ts";
import type { DuplicateLine, NearLines } from "../analysis.ts";
import type { MemoryFile } from "../workspace.ts";
import { wordsWith } from "./overlap.ts";
import { countCharacters, PREVIEW_LENGTH, sectionsOf } from "./section-report.ts";

/** Fewer words are a label, a name, a tick. */
const LEAST_WORDS = 5;
/** Of the words of both, each as often as the other: what is compared at all. */
const CANDIDATE = 0.4;
/** Of the weights of both. On a memory of 63 KB that agents wrote, four of five pairs above it say the same. */
const ALIKE = 0.45;
const MOST_WORDS = 8;
const NONE: ReadonlySet<string> = new Set();

/** The most alike first; each line in one pair at most. Equal lines are repeats, which are listed elsewhere. */
export function findNearLines(file: MemoryFile): readonly NearLines[] {
  const texts = file.lines.map(() => "");
  for (const { kind, from, to } of file.outline.blocks) {
    if (kind !== "paragraph") continue;
    for (let line = from; line < to; line += 1) {
      const text = file.lines[line]?.text.trim() ?? "";
      if (wordTokens(text).length >= LEAST_WORDS) texts[line] = text;
    }
  }
  const words = texts.map((text) => new Set(wordTokens(text)));
  const weigh = weigher(words);
  const places = texts.map(() => ({ section: 0, isOfDay: false }));
  for (const [section, { heading, from, to }] of sectionsOf(file).entries())
    places.fill({ section, isOfDay: findDates(heading?.text ?? "").length > 0 }, from, to);
  const alike = findNearDuplicates(texts, { threshold: CANDIDATE, shingle: 1 }).flatMap(({ first, second }) => {
    const [one, other] = [words[first] ?? NONE, words[second] ?? NONE];
    const isRepeat = texts[first]?.toLowerCase() === texts[second]?.toLowerCase();
    const [place, otherPlace] = [places[first], places[second]];
    // Of two days each number may be the state of its own.
    const isState = place?.isOfDay === true && otherPlace?.isOfDay === true && differInNumbersAlone(one, other);
    if (place?.section === otherPlace?.section || isRepeat || isState) return [];
    const shared = weigh([...one].filter((word) => other.has(word)));
    const similarity = shared / (weigh(one) + weigh(other) - shared);
    return similarity >= ALIKE ? [{ first, second, similarity }] : [];
  });
  const taken = new Set<number>();
  const found: NearLines[] = [];
  for (const { first, second, similarity } of alike.sort((a, b) => b.similarity - a.similarity || a.first - b.first)) {
    if (taken.has(first) || taken.has(second)) continue;
    taken.add(first).add(second);
    const pair = [texts[first] ?? "", texts[second] ?? ""] as const;
    const only = [onlyIn(pair[0], words[second]), onlyIn(pair[1], words[first])] as const;
    const isReworded = only.some((alone) => alone.length > 0);
    found.push({
      file: file.file,
      lines: [first + 1, second + 1],
      texts: [cutAtCodePoint(pair[0], PREVIEW_LENGTH), cutAtCodePoint(pair[1], PREVIEW_LENGTH)],
      similarity: Math.round(similarity * 1000) / 1000,
      differs_in: isReworded ? (differenceOf(...pair) ?? "dress") : "order",
      only,
    });
  }
  return found;
}

/** What a word tells: the fewer lines have it, the more. */
function weigher(lines: readonly ReadonlySet<string>[]): (words: Iterable<string>) => number {
  const counts = new Map<string, number>();
  for (const line of lines) for (const word of line) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = lines.filter(({ size }) => size > 0).length + 1;
  return (words) => [...words].reduce((sum, word) => sum + Math.log(all / (counts.get(word) ?? 1)), 0);
}

function differInNumbersAlone(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const apart = [...[...one].filter((word) => !other.has(word)), ...[...other].filter((word) => !one.has(word))];
  return apart.length > 0 && apart.every((word) => /^\p{N}+$/u.test(word));
}

function onlyIn(text: string, others: ReadonlySet<string> = NONE): readonly string[] {
  const alone = [...new Set(wordTokens(text))].filter((word) => !others.has(word));
  return wordsWith(alone, text).slice(0, MOST_WORDS);
}

// Lines that stand in a memory file more than once. Reported to a person: many repeats are right (an owner under each
// project), so what may leave is decided elsewhere and far more narrowly.

/** A line must be longer than this. */
const SHORTEST = 10;
const FENCE = /^[\s>]*(?:```|~~~)/;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** One entry per text, by its first place. Case and blanks at both ends do not count; front matter is left out. */
export function findDuplicateLines(file: MemoryFile): readonly DuplicateLine[] {
  const passed = linesOfNoText(file);
  const keys = file.lines.map(({ text }) => text.trim().toLowerCase());
  const counted = [...keys.keys()].filter((line) => {
    const key = keys[line] ?? "";
    return countCharacters(key) > SHORTEST && HAS_WORD.test(key) && !passed.has(line);
  });
  return [...groupBy(counted, (line) => keys[line]).values()]
    .filter(({ length }) => length > 1)
    .map((lines) => ({
      file: file.file,
      text: cutAtCodePoint((file.lines[lines[0] ?? 0]?.text ?? "").trim(), PREVIEW_LENGTH),
      occurrences: lines.length,
      lines: lines.map((line) => line + 1),
    }));
}

/** Front matter, and the lines that open and close a fence. */
function linesOfNoText({ lines, outline }: MemoryFile): ReadonlySet<number> {
  const passed = new Set<number>();
  for (const { kind, from, to } of outline.blocks) {
    if (kind === "front_matter") for (let line = from; line < to; line += 1) passed.add(line);
    if (kind !== "code" || !FENCE.test(lines[from]?.text ?? "")) continue;
    passed.add(from);
    passed.add(to - 1);
  }
  return passed;
}
