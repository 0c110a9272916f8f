// How large a file of a workspace is: bytes, characters, tokens by both counts.
import type { MemoryFileReport, NoteReport } from "../analysis.ts";
import { type MemoryFile, type Note, textOf } from "../memory-file.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { BLOATED_NOTE_BYTES, ROTATE_BYTES } from "./limits.ts";

export type Count = (text: string) => number;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The text of a file, its final line end included; each line end is one character. */
export function wholeText(file: MemoryFile): string {
  return endsLine(file) ? `${textOf(file)}\n` : textOf(file);
}

/** Its last line has an end. */
export function endsLine({ lines, bytes }: MemoryFile): boolean {
  const last = lines.at(-1);
  const lastByte = last === undefined || last.end === last.start ? undefined : bytes[last.end - 1];
  return lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN;
}

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
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) characters += 1;
  return characters;
}
