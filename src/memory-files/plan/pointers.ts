// The line that stays where sections of the memory stood, and knowing it again. A quote, so that it joins no list and no
// paragraph.
import { plural } from "../../text/figures.ts";
import { cutAt, flat } from "../../text/quote.ts";
import { freeName } from "../journal/archive-files.ts";
import { baseName } from "../workspace/root.ts";
import { ARCHIVE_FOLDER, type Root } from "../workspace.ts";

const MOST_NAMES = 240;
const POINTER = new RegExp(`^> Moved on \\d{4}-\\d{2}-\\d{2} to ${ARCHIVE_FOLDER}/`);

/** `day` as `2031-02-03`. */
export function pointerLine(day: string, movedTo: string, headings: readonly string[]): string {
  const names = headings.map((heading) => cutAt(flat(heading).replaceAll("<", "‹"), 80));
  let shown = 1;
  while (shown < names.length && names.slice(0, shown + 1).join(", ").length <= MOST_NAMES) shown += 1;
  const list = names.slice(0, shown).join(", ") + (shown < names.length ? ", …" : "");
  return `> Moved on ${day} to ${movedTo}: ${list} (${plural(headings.length, "section")})`;
}

export function isPointer(text: string): boolean {
  return POINTER.test(text);
}

/** A name in the archive that is free as the plan is made. Apply looks again, and refuses one that is too long. */
export async function archiveNameFor(root: Root, file: string, what: string): Promise<string> {
  const wanted = `${ARCHIVE_FOLDER}/${baseName(file).replace(/\.[^.]{1,20}$/, "")}.${what}.md`;
  return freeName(root, wanted).catch(() => wanted);
}
