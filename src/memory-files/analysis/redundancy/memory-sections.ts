// Which section of the memory holds most of a text.
import type { Section } from "../../../text/markdown/sections.ts";
import type { RedundantSection } from "../../analysis.ts";
import { type MemoryFile, textOf } from "../../memory-file.ts";
import type { HeldPlace } from "../holding/held-passages.ts";
import { previewOf } from "../preview.ts";
import { headingOf, sectionsOf } from "../section-reports.ts";
import { tokenize } from "../tokenize.ts";

export interface MemorySection {
  readonly file: MemoryFile;
  readonly section: Section;
}

export interface MemorySections {
  /** All tokens of the memory. */
  readonly tokens: ReadonlySet<string>;
  /** The first of those with the most tokens of these. */
  most(tokens: ReadonlySet<string>): MemorySection | undefined;
  at(place: HeldPlace): MemorySection | undefined;
}

/** A token that stands in more sections than these tells nothing about which it is. */
const MOST_SECTIONS = 200;

export function readMemorySections(memory: readonly MemoryFile[]): MemorySections {
  const sections = memory.flatMap((file) => sectionsOf(file).map((section): MemorySection => ({ file, section })));
  const places = new Map<string, number[]>();
  for (const [at, { file, section }] of sections.entries()) {
    for (const token of tokenize(textOf(file, section.from, section.to))) {
      const known = places.get(token);
      if (known === undefined) places.set(token, [at]);
      else if (known.length < MOST_SECTIONS) known.push(at);
    }
  }
  const counts = new Uint32Array(sections.length);
  // Over whole files: a pair of characters never reaches over a line end, so sections and files have the same tokens.
  return {
    tokens: new Set(places.keys()),
    most: (tokens) => sections[mostFrequent(tokens, places, counts)],
    at: ({ file, line }) =>
      sections.find((known) => known.file.file === file && known.section.from <= line && line < known.section.to),
  };
}

/** Position of the first of those that occur most; -1 for none. `counts` is all zeros, before and after. */
function mostFrequent(
  tokens: ReadonlySet<string>,
  places: ReadonlyMap<string, readonly number[]>,
  counts: Uint32Array,
): number {
  const touched: number[] = [];
  for (const token of tokens) {
    for (const at of places.get(token) ?? []) {
      if (counts[at] === 0) touched.push(at);
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  let best = -1;
  for (const at of touched) {
    const [count, most] = [counts[at] ?? 0, counts[best] ?? 0];
    if (count > most || (count === most && at < best)) best = at;
  }
  for (const at of touched) counts[at] = 0;
  return best;
}

export function describe({ file, section }: MemorySection): NonNullable<RedundantSection["memory_section"]> {
  return {
    file: file.file,
    heading: headingOf(section),
    line_from: section.from + 1,
    preview: previewOf(textOf(file, section.body, section.to)),
  };
}
