// What a note becomes when it is rotated: where the whole of it went, and its first lines in a quote, so that none of them is a
// heading or opens a fence.
import { cutAtCodePoint } from "../../text/quote.ts";
import { baseName } from "../workspace/root.ts";
import type { MemoryFile } from "../workspace.ts";

const LINES = 10;
const LINE_LENGTH = 200;
const ELLIPSIS = "...";

/** In UTF-8, with the line end of the note. `archive` is the name of the copy from the workspace. */
export function rotationStub({ file, bytes, lines, lineEnd }: MemoryFile, archive: string): string {
  const preview: string[] = [];
  for (const { text } of lines) {
    if (preview.length === LINES) break;
    if (text.trim() !== "") preview.push(`> ${shortened(text)}`);
  }
  const stub = [
    "# Rotated Daily Note",
    `Original file: ${baseName(file)}`,
    `Original size: ${bytes.length} bytes`,
    `Archived copy: ${archive}`,
    "",
    "## Summary Preview",
    ...preview,
  ];
  return stub.map((line) => `${line}${lineEnd}`).join("");
}

function shortened(text: string): string {
  const line = text.trimEnd();
  const cut = cutAtCodePoint(line, LINE_LENGTH);
  return cut === line ? line : `${cutAtCodePoint(line, LINE_LENGTH - ELLIPSIS.length)}${ELLIPSIS}`;
}
