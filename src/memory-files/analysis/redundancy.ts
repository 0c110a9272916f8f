// Compares the sections of notes with the whole memory: which are redundant by the specification, which are contained in
// it though they are not alike as a whole, and which of them may leave.
import { hasRelativeDate } from "../../language/relative-days.ts";
import { createTokenReader } from "../../similarity/fact-tokens.ts";
import { factTokens, gravestOf } from "../../similarity/same-fact.ts";
import type { Section } from "../../text/markdown/outline.ts";
import type { Stepwise } from "../../tokens/stepwise.ts";
import type { CrossFileIssue, HeldReason, RedundantSection, Severity } from "../analysis.ts";
import { isInUse } from "../dates.ts";
import { notesNamedBy } from "../protected-text.ts";
import { type Count, type MemoryFile, type Note, textOf } from "../workspace.ts";
import type { ContainingPlace } from "./contained-sections.ts";
import { isKept, isScoped, type MemoryCoverage, type NoteSection, readCoverage } from "./contained-sections.ts";
import {
  containmentOf,
  isContained,
  type Overlap,
  overlapOf,
  severityOf,
  similarityOf,
  tokenize,
  wordsWith,
} from "./overlap.ts";
import { headingFrom, readPassages } from "./passages.ts";
import { headingOf, previewOf, sectionsOf, spanOf } from "./section-report.ts";
import { carriesFact } from "./surroundings.ts";

interface RedundancyInNote {
  readonly issues: readonly CrossFileIssue[];
  /** Contained in the memory, though not alike as a whole. */
  readonly contained: readonly RedundantSection[];
}

interface RedundancyFinder {
  /** In the order of its sections. */
  find(note: Note): Stepwise<RedundancyInNote>;
}

export function createRedundancyFinder(memory: readonly MemoryFile[], now: number, count: Count): RedundancyFinder {
  const sections = readMemorySections(memory);
  const isNamed = notesNamedBy(memory);
  const judge = createJudge(memory, sections, count);
  return {
    *find(note) {
      if (sections.tokens.size === 0 || isRotated(note)) return { issues: [], contained: [] };
      const inUse = isInUse(note.date, now);
      const compared: Compared[] = [];
      for (const placed of placeSections(note)) {
        const { section } = placed;
        const tokens = tokenize(textOf(note, section.from, section.to));
        const overlap = overlapOf(tokens, sections.tokens);
        const severity = severityOf(overlap);
        const isWorth = severity !== undefined || isContained(overlap);
        compared.push({
          ...{ section, severity, isEmpty: isBareHeading(note, section) },
          report: isWorth ? judge(note, placed, tokens, overlap, inUse) : undefined,
        });
        yield;
      }
      return decide(compared, isNamed(note));
    },
  };
}

interface Compared {
  readonly section: Section;
  readonly severity: Severity | undefined;
  /** A bare heading holds nothing back, and is listed only where it leaves with what stands below it. */
  readonly isEmpty: boolean;
  /** Undefined where it is neither redundant nor contained. */
  readonly report: RedundantSection | undefined;
}

/** From the last to the first, since a section waits for those below it. */
function decide(sections: readonly Compared[], isNamed: boolean): RedundancyInNote {
  const issues: CrossFileIssue[] = [];
  const contained: RedundantSection[] = [];
  const leaving = new Set<Compared>();
  for (let at = sections.length - 1; at >= 0; at -= 1) {
    const compared = sections[at];
    if (compared?.report === undefined) continue;
    const { severity, report, isEmpty } = compared;
    const under = below(sections, at);
    const stays = under.some((other) => !leaving.has(other) && !other.isEmpty);
    const held = report.held_because ?? (stays ? "has_subsections" : isNamed ? "scoped" : undefined);
    const removable = held === undefined;
    if (isEmpty && (!removable || under.length === 0)) continue;
    const said = { ...report, removable, ...(removable ? {} : { held_because: held }) };
    if (severity === undefined) contained.unshift(said);
    else issues.unshift({ ...said, severity, recommendation: recommend(severity, held) });
    if (removable && severity === "high") leaving.add(compared);
  }
  return { issues, contained };
}

/** Nothing stands directly below it, and it carries no fact of its own: that is no content. */
export function isBareHeading(
  note: MemoryFile & { readonly date?: string | undefined },
  { heading, body, to }: Section,
): boolean {
  return heading !== undefined && !carriesFact(heading.text, note.date) && textOf(note, body, to).trim() === "";
}

/** What a rotation left: a preview of what is in the archive. */
function isRotated({ lines }: Note): boolean {
  return /^# Rotated Daily Note\s*$/.test(lines[0]?.text ?? "");
}

/** Levels are three at most, so each section is looked at twice at most. */
function below(sections: readonly Compared[], at: number): readonly Compared[] {
  const end = sections[at]?.section.whole ?? 0;
  let to = at + 1;
  while (to < sections.length && (sections[to]?.section.from ?? end) < end) to += 1;
  return sections.slice(at + 1, to);
}

/** One sentence each. */
export const WHY_HELD: Readonly<Record<HeldReason, string>> = {
  says_more: "It says something that the memory does not say.",
  said_differently: "The memory has its words, but not the same text in one piece under the same headings.",
  has_subsections: "A section below it stays, and would come to stand below another heading.",
  no_heading_of_its_own: "It has no heading of its own by which it could be found again.",
  scoped: "What stands around it in the note may change what it says.",
  marked: "It is marked to be kept.",
  relative_date: 'It says "today", "yesterday" or the like, and only its note tells which day that was.',
  in_use: "The note is still being written.",
};

/** What to do about a redundant section. "Remove" is said only where nothing would be lost. */
function recommend(severity: Severity, held: HeldReason | undefined): string {
  const why = held === undefined ? "The memory holds all of it." : WHY_HELD[held];
  if (severity === "medium") return `COMPACT — keep only decisions/action items. ${why}`;
  return held === undefined ? `REMOVE — fully duplicated. ${why}` : `REVIEW — nearly duplicated. ${why}`;
}

// Judges one section of a note: what of it the memory lacks, whether it may leave, and if not, why.

type Judge = (
  note: Note,
  placed: PlacedSection,
  tokens: ReadonlySet<string>,
  overlap: Overlap,
  isInUse: boolean,
) => RedundantSection;

/** Listed of what the memory lacks. */
const MOST_NOVEL = 20;

/** Kinds of difference that are facts of their own, whatever the words. */
const SAYS_MORE: ReadonlySet<string> = new Set(["negation", "date", "number", "modality", "direction", "task", "name"]);

/** What it says is held does not yet know of the sections below. */
function createJudge(memory: readonly MemoryFile[], sections: MemorySections, count: Count): Judge {
  const reader = createTokenReader();
  let read: MemoryCoverage | undefined;
  // Read when the first section asks for it: most workspaces have nothing that does.
  const coverage = (): MemoryCoverage => {
    read ??= readCoverage(memory, reader);
    return read;
  };
  const known = new Map<MemorySection, ReadonlySet<string>>();
  const factsOf = (place: MemorySection): ReadonlySet<string> => {
    const { file, section } = place;
    const facts = known.get(place) ?? new Set(factTokens(textOf(file, section.from, section.to), reader));
    known.set(place, facts);
    return facts;
  };

  const differenceOf = (
    text: string,
    { section, placed }: PlacedSection,
    novel: readonly string[],
    best: MemorySection | undefined,
  ) => {
    const unknown = placed === undefined ? [] : coverage().unknownTokens(placed);
    const facts = best === undefined ? new Set<string>() : factsOf(best);
    const heading = headingOf(section);
    const titles = new Set(carriesFact(heading, placed?.note.date) ? [] : factTokens(heading, reader));
    const lacking = [...unknown.filter((token) => !facts.has(token) && !titles.has(token)), ...novel];
    if (lacking.length > 0) return gravestOf(lacking, text);
    return unknown.length > 0 ? "order" : undefined;
  };

  const novelIn = (note: Note, section: Section, tokens: ReadonlySet<string>): readonly string[] => {
    const said = carriesFact(headingOf(section), note.date) ? tokens : tokenize(textOf(note, section.body, section.to));
    return [...said].filter((token) => !sections.tokens.has(token));
  };

  return (note, placed, tokens, overlap, isInUse) => {
    const { section } = placed;
    const text = textOf(note, section.from, section.to);
    const place = placed.placed === undefined ? undefined : coverage().placeOf(placed.placed);
    const best = (place === undefined ? undefined : sections.at(place)) ?? sections.most(tokens);
    const novel = novelIn(note, section, tokens);
    const differs = place === undefined ? differenceOf(text, placed, novel, best) : undefined;
    const saysMore = novel.length > 0 || SAYS_MORE.has(differs ?? "");
    const content: HeldReason = saysMore ? "says_more" : "said_differently";
    const reason =
      heldBecause(placed, isInUse) ?? (place === undefined ? content : undefined) ?? heldAround(placed, text);
    return {
      file: note.file,
      section: headingOf(section),
      similarity: similarityOf(overlap),
      shared_tokens: overlap.shared,
      section_tokens: overlap.own,
      containment: containmentOf(overlap),
      novel_tokens: novel.slice(0, MOST_NOVEL),
      novel_words: wordsWith(novel.slice(0, MOST_NOVEL), text),
      ...(differs === undefined ? {} : { differs_in: differs }),
      removable: false,
      ...(reason === undefined ? {} : { held_because: reason }),
      ...spanOf(note, section),
      tokens_exact: count(text),
      preview: previewOf(textOf(note, section.body, section.to)),
      ...(best === undefined ? {} : { memory_section: describe(best) }),
    };
  };
}

function heldBecause({ section, placed }: PlacedSection, isInUse: boolean): HeldReason | undefined {
  if (isInUse) return "in_use";
  if ((section.heading?.level ?? 1) === 1) return "no_heading_of_its_own";
  return placed !== undefined && isKept(placed) ? "marked" : undefined;
}

/** Though the memory has the same text. */
function heldAround({ placed }: PlacedSection, text: string): HeldReason | undefined {
  if (hasRelativeDate(text)) return "relative_date";
  return placed !== undefined && isScoped(placed) ? "scoped" : undefined;
}

// Which section of the memory holds most of a text.

interface MemorySection {
  readonly file: MemoryFile;
  readonly section: Section;
}

interface MemorySections {
  /** All tokens of the memory. */
  readonly tokens: ReadonlySet<string>;
  /** The first of those with the most tokens of these. */
  most(tokens: ReadonlySet<string>): MemorySection | undefined;
  at(place: ContainingPlace): MemorySection | undefined;
}

/** A token that stands in more sections than these tells nothing about which it is. */
const MOST_SECTIONS = 200;

function readMemorySections(memory: readonly MemoryFile[]): MemorySections {
  const sections = memory.flatMap((file) => sectionsOf(file).map((section): MemorySection => ({ file, section })));
  const places = new Map<string, number[]>();
  for (const [at, { file, section }] of sections.entries()) {
    for (const token of tokenize(textOf(file, section.from, section.to))) {
      const known = places.get(token) ?? [];
      if (known.length < MOST_SECTIONS) known.push(at);
      places.set(token, known);
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

function describe({ file, section }: MemorySection): NonNullable<RedundantSection["memory_section"]> {
  return {
    file: file.file,
    heading: headingOf(section),
    line_from: section.from + 1,
    preview: previewOf(textOf(file, section.body, section.to)),
  };
}

// The sections of a note, each with the headings above it and the blocks in it.

interface PlacedSection {
  readonly section: Section;
  /** Undefined before the first heading. */
  readonly placed: NoteSection | undefined;
}

function placeSections(note: Note): readonly PlacedSection[] {
  const { blocks } = note.outline;
  const sections = sectionsOf(note);
  let above: NoteSection | undefined;
  let at = 0;
  return sections.map((section, index) => {
    const first = at;
    while (at < blocks.length && (blocks[at]?.from ?? 0) < section.to) at += 1;
    if (section.heading === undefined) return { section, placed: undefined };
    const heading = headingFrom(section.heading, above?.heading, note.date);
    let parent = above;
    while (parent !== undefined && parent.heading !== heading.parent) parent = parent.parent;
    const own = blocks.slice(first + 1, at);
    let read: NoteSection["read"] | undefined;
    above = {
      note,
      heading,
      parent,
      blocks: own,
      get read() {
        read ??= [...readPassages(note, own, heading)];
        return read;
      },
      before: blocks[first - 1],
      next: sections[index + 1]?.heading,
      body: section.body,
      to: section.to,
    };
    return { section, placed: above };
  });
}
