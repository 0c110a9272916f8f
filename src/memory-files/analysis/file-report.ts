// What is reported of one file: its size in bytes, characters and tokens. Its sections, repeated lines and
// secrets are in the files beside this one.
import type { MemoryFileReport, NoteReport } from "../analysis.ts";
import { BLOATED_NOTE_BYTES, ROTATE_BYTES } from "../limits.ts";
import { type Count, type MemoryFile, type Note, wholeText } from "../workspace.ts";

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
