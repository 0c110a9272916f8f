// The line that stays where sections of the memory stood, and knowing it again. A quote, so that it joins no list and no
// paragraph.
import { cutAt } from "../../../text/cut.ts";
import { ARCHIVE_FOLDER } from "../../workspace/workspace.ts";

const MOST_NAMES = 240;
const POINTER = new RegExp(`^> Moved on \\d{4}-\\d{2}-\\d{2} to ${ARCHIVE_FOLDER}/`);

/** `day` as `2031-02-03`. */
export function pointerLine(day: string, movedTo: string, headings: readonly string[]): string {
  const names = headings.map((heading) => cutAt(heading.replace(/\s+/gu, " ").replaceAll("<", "‹").trim(), 80));
  let shown = 1;
  while (shown < names.length && names.slice(0, shown + 1).join(", ").length <= MOST_NAMES) shown += 1;
  const list = names.slice(0, shown).join(", ") + (shown < names.length ? ", …" : "");
  return `> Moved on ${day} to ${movedTo}: ${list} (${headings.length} section${headings.length === 1 ? "" : "s"})`;
}

export function isPointer(text: string): boolean {
  return POINTER.test(text);
}
