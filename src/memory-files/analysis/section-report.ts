// The sections of a memory file and how many tokens each takes. Headings of level 1 to 3 begin one; deeper ones belong to the
// section they stand in.
import { type Section, splitSections } from "../../text/markdown/outline.ts";
import { cutAtCodePoint, flat } from "../../text/quote.ts";
import type { MemoryFileReport, NoteReport, SecretPlace, SectionReport } from "../analysis.ts";
import { BLOATED_NOTE_BYTES, BLOATED_SECTION_TOKENS, type FindSecrets, ROTATE_BYTES } from "../options.ts";
import { type Count, type MemoryFile, type Note, textOf, wholeText } from "../workspace.ts";

/** Deepest heading that begins a section. */
const DEEPEST_SECTION = 3;
/** What the text before the first heading is called. */
const PREAMBLE = "header";

export function sectionsOf(file: MemoryFile): readonly Section[] {
  return splitSections(file.outline, file.lines.length, DEEPEST_SECTION);
}

export function headingOf({ heading }: Section): string {
  return heading?.text ?? PREAMBLE;
}

/** Lines counted from 1, bytes with an exclusive end, of all lines from `from` to before `to`. */
export function spanOf({ lines }: MemoryFile, { from, to }: { readonly from: number; readonly to: number }) {
  return {
    line_from: from + 1,
    line_to: to,
    byte_from: lines[from]?.start ?? 0,
    byte_to: lines[to - 1]?.end ?? 0,
  };
}

/** Those with a body that is more than blank lines. */
export function reportSections(file: MemoryFile, count: Count): readonly SectionReport[] {
  return sectionsOf(file).flatMap((section) => {
    const body = textOf(file, section.body, section.to);
    return body.trim() === "" ? [] : [reportSection(file, section, body, count)];
  });
}

function reportSection(file: MemoryFile, section: Section, body: string, count: Count): SectionReport {
  const tokens = estimateTokens(body);
  const exact = count(body);
  return {
    heading: headingOf(section),
    lines: section.to - section.body,
    tokens,
    preview: previewOf(body),
    tokens_exact: exact,
    bloated: tokens > BLOATED_SECTION_TOKENS || exact > BLOATED_SECTION_TOKENS,
    file: file.file,
    level: section.heading?.level ?? 0,
    ...spanOf(file, section),
  };
}

// The beginning of a text as one line of a report.

/** Characters of a preview. */
export const PREVIEW_LENGTH = 120;

/** At most 120 characters; every run of blanks and line ends is one blank. */
export function previewOf(text: string): string {
  // Blanks may be many: a bounded beginning is enough to fill a line, whatever stands in front of it.
  const beginning = text.trimStart().slice(0, PREVIEW_LENGTH * 40);
  return cutAtCodePoint(flat(beginning), PREVIEW_LENGTH);
}

// Where values that look like secrets stand in a file. What looks like one is decided by the finder that the part is given;
// the values themselves go no further than this.

/** One for each value, by its first line; of finds that overlap the first. */
export function secretsIn(file: MemoryFile, find: FindSecrets): readonly SecretPlace[] {
  const text = textOf(file);
  const places: SecretPlace[] = [];
  let [line, lineEnd, read] = [1, text.indexOf("\n"), 0];
  for (const { rule, start, end } of find(text).toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < read) continue;
    read = end;
    for (; lineEnd >= 0 && lineEnd < start; line++) lineEnd = text.indexOf("\n", lineEnd + 1);
    places.push({ file: file.file, line, rule });
  }
  return places;
}

// What is reported of one file: its size in bytes, characters and tokens. Its sections, repeated lines and
// secrets are in the files beside this one.

export function measureMemoryFile(file: MemoryFile, imported: boolean, count: Count): MemoryFileReport {
  const text = wholeText(file);
  return {
    file: file.file,
    bytes: file.bytes.length,
    characters: countCharacters(text),
    tokens: estimateTokens(text),
    tokens_exact: count(text),
    imported,
  };
}

export function measureNote(note: Note, count: Count): NoteReport {
  const text = wholeText(note);
  const bytes = note.bytes.length;
  return {
    file: note.file,
    ...(note.date === undefined ? {} : { date: note.date }),
    bytes,
    tokens: estimateTokens(text),
    tokens_exact: count(text),
    bloated: bytes > BLOATED_NOTE_BYTES,
    due_for_rotation: bytes > ROTATE_BYTES,
  };
}

/** Code points. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

// The token estimate of the specification, 1.3 per Chinese character and 0.75 per Latin word, in integers. It is a
// figure to compare with other tools; how much a model really reads is counted exactly beside it.

/** Floor of 1.3 c + 0.75 w over the whole text. */
export function estimateTokens(text: string): number {
  let characters = 0;
  let words = 0;
  let isInWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Upper and lower case letters lie 32 apart.
    const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a && unit < 0x80;
    if (isLetter && !isInWord) words += 1;
    isInWord = isLetter;
    if (unit >= 0x4e00 && unit <= 0x9fff) characters += 1;
  }
  return Math.floor((26 * characters + 15 * words) / 20);
}
