// The line that stays where sections of the memory stood, and knowing it again. A quote, so that it joins no list and no
// paragraph.
import { SAYS_DECIDED, says } from "../../language/words.ts";
import { plural } from "../../text/figures.ts";
import { cutAt, cutAtCodePoint, flat } from "../../text/quote.ts";
import { compareTexts } from "../../text/words.ts";
import { freeName } from "../journal/archive-files.ts";
import { baseName } from "../workspace/root.ts";
import { ARCHIVE_FOLDER, type MemoryFile, type Root } from "../workspace.ts";

const MOST_NAMES = 240;
const POINTER = new RegExp(`^> Moved on \\d{4}-\\d{2}-\\d{2} to ${ARCHIVE_FOLDER}/`);
/** Of the lines below it, in the same quote. */
const CONTENT = "> · ";
const MOST_CONTENT = 160;
/** As long as the line that stands for it must be what moves. */
const LEAST_TIMES = 4;
const MARK = /^[\s>]{0,99}(?:(?:[-+*•]|\d{1,9}[.)])\s{1,9})?(?:\[[ xX]\]\s)?/u;
/** What a line says of itself before its first colon. */
const LABEL = /^[^:：\n]{1,40}(?=[:：])/u;

interface MovedSection {
  readonly heading: string;
  readonly date: string;
  /** Of its lines, its heading the first. */
  readonly text: string;
}

/**
 * What stays of sections that are neighbours: where they are, then each decision in them, for it holds on; without any, the
 * first line of the latest section, where that is short beside them. `day` as `2031-02-03`.
 */
export function pointerLines(day: string, movedTo: string, sections: readonly MovedSection[]): readonly string[] {
  const names = sections.map(({ heading }) => cutAt(inert(heading), 80));
  let shown = 1;
  while (shown < names.length && names.slice(0, shown + 1).join(", ").length <= MOST_NAMES) shown += 1;
  const list = names.slice(0, shown).join(", ") + (shown < names.length ? ", …" : "");
  const decisions = sections.flatMap(({ date, text }) =>
    linesOf(text).flatMap((line) => (isDecision(line) ? [`${line} (${date})`] : [])),
  );
  const latest = sections.toSorted((a, b) => compareTexts(a.date, b.date)).at(-1);
  const length = sections.reduce((sum, { text }) => sum + text.length, 0);
  const first = linesOf(latest?.text ?? "")
    .slice(0, 1)
    .filter((line) => line.length * LEAST_TIMES <= length);
  return [
    `> Moved on ${day} to ${movedTo}: ${list} (${plural(sections.length, "section")})`,
    ...(decisions.length > 0 ? decisions : first).map((line) => `${CONTENT}${line}`),
  ];
}

/** What is said, heading and labels left out, each line cut to its beginning. */
function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .slice(1)
    .map((line) => cutAt(inert(line.replace(MARK, "")), MOST_CONTENT))
    .filter((line) => /\p{L}/u.test(line) && !/^[#|`~>=-]/u.test(line) && !/[:：]\**$/u.test(line));
}

/** A sentence that says so, or one behind a label that does. */
function isDecision(line: string): boolean {
  const [label = ""] = LABEL.exec(line.replace(/[*_`]/g, "")) ?? [];
  return SAYS_DECIDED.test(line) || (label !== "" && says(label, "settled"));
}

function inert(text: string): string {
  return flat(text).replaceAll("<", "‹");
}

export function isPointer(text: string): boolean {
  return POINTER.test(text) || text.startsWith(CONTENT);
}

/** A name in the archive that is free as the plan is made. Apply looks again, and refuses one that is too long. */
export async function archiveNameFor(root: Root, file: string, what: string): Promise<string> {
  const wanted = `${ARCHIVE_FOLDER}/${baseName(file).replace(/\.[^.]{1,20}$/, "")}.${what}.md`;
  return freeName(root, wanted).catch(() => wanted);
}

// What a note becomes when it is rotated: where the whole of it went, and its first lines in a quote, so that none of them is a
// heading or opens a fence.

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
