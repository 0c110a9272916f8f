// Opens what a model puts around a summary: scratch work, wrapping tags, one surrounding fence, control characters.
// Prefaces and trailers are lines, so whoever reads the lines drops them.
import { toWellFormed } from "../../../text/cut.ts";
import { removeScratch } from "./remove-scratch.ts";

const WRAPPER = /<(\/?)(summary|record|output|answer|response|result|final|final_answer)(?:-[0-9a-f]{16})?>/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]*)$/;
const TEXT_FENCES = new Set(["", "markdown", "md", "text", "txt", "plaintext", "summary"]);
const HEADING = /^ {0,3}#{1,6} /;
const QUOTED = /^ {0,3}> ?/;
const MOST_MARGIN = 40;
/** Inside a name (`user\_id`) Markdown's escape is no part of it. A path of Windows has more of them, or others. */
const ESCAPED_MARK = /(?<=[\p{L}\p{N}])\\(?=[_*~][\p{L}\p{N}])/gu;
const OTHER_ESCAPE = /\\[^_*~[\]()#.!-]/;

/** Undefined when scratch work is opened and never closed. */
export function openEnvelope(answer: string): string | undefined {
  const clean = toWellFormed(answer).replace(/\r\n?/g, "\n").replace(CONTROLS, "");
  const text = removeScratch(clean);
  return text === undefined
    ? undefined
    : removeEscapes(removeMargin(removeFence(removeMargin(removeWrapper(text)))).trim());
}

/** What stands before every line: the mark of a quotation, an indentation. */
function removeMargin(text: string): string {
  const lines = text.split("\n");
  const said = lines.filter((line) => line.trim() !== "");
  if (said.length === 0) return text;
  if (said.every((line) => QUOTED.test(line))) return lines.map((line) => line.replace(QUOTED, "")).join("\n");
  const margin = said.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), MOST_MARGIN);
  return margin === 0 ? text : lines.map((line) => line.slice(Math.min(margin, line.length))).join("\n");
}

function removeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  const lines = text.split("\n");
  return lines.map((line) => (OTHER_ESCAPE.test(line) ? line : line.replace(ESCAPED_MARK, ""))).join("\n");
}

/** What stands inside `<summary>`; around it are notes to itself. Only a tag alone on its line wraps. */
function removeWrapper(text: string): string {
  let start: number | undefined;
  let end: number | undefined;
  let name = "";
  for (const match of text.matchAll(WRAPPER)) {
    const tag = (match[2] ?? "").toLowerCase();
    const after = match.index + match[0].length;
    if (match[1] !== "/") {
      const isFirst =
        start === undefined && text.slice(text.lastIndexOf("\n", match.index) + 1, match.index).trim() === "";
      if (isFirst) {
        start = after;
        name = tag;
      }
    } else if (start !== undefined && tag === name) end = match.index;
  }
  return start === undefined ? text : text.slice(start, end ?? text.length);
}

/** One fence around everything; fences inside stay. One that is opened around everything and not closed goes too. */
function removeFence(text: string): string {
  const lines = text.trim().split("\n");
  const fences = lines.flatMap((line, index) => (FENCE.test(line) ? [index] : []));
  const first = fences[0];
  if (first === undefined) return text;
  const isText = TEXT_FENCES.has((FENCE.exec(lines[first] ?? "")?.[2] ?? "").trim().toLowerCase());
  const isBefore = lines.slice(0, first).some((line) => HEADING.test(line));
  if (!isText || isBefore) return text;
  const last = fences.at(-1);
  const isClosed = last !== undefined && last !== first && fences.length % 2 === 0;
  const inside = lines.slice(first + 1, isClosed ? last : undefined);
  const after = isClosed ? lines.slice(last + 1) : [];
  // A fence without any title in it is part of the summary, unless nothing else is there.
  if (
    !inside.some((line) => HEADING.test(line)) &&
    [...lines.slice(0, first), ...after].some((line) => line.trim() !== "")
  )
    return text;
  if (after.some((line) => HEADING.test(line))) return text;
  return [...lines.slice(0, first), ...inside, ...after].join("\n");
}
