// Which ranges of a file may leave without changing how the rest reads: nothing that follows may join what stands before,
// and no link may lose its target.
import type { MemoryFile } from "../../memory-file.ts";
import { keptLines, type LineRange } from "../line-ranges.ts";
import { keepsOutline } from "./keeps-outline.ts";

const LABEL = /^[ \t]{0,3}\[((?:[^\]\\]|\\.){1,999})\]:/;

export interface SafeRanges {
  readonly ranges: readonly LineRange[];
  /** In the order given. */
  readonly refused: readonly { readonly range: LineRange; readonly code: "link_target" | "joins_the_rest" }[];
}

/** `ranges` in order, apart. One that would join what stands around it gets a blank line in its place, where that helps. */
export function leaveSafely(file: MemoryFile, ranges: readonly LineRange[]): SafeRanges {
  const named = ranges.filter((range) => namesLinks(file, range, ranges));
  const free = ranges.filter((range) => !named.includes(range));
  const refused: SafeRanges["refused"][number][] = named.map((range) => ({ range, code: "link_target" }));
  if (free.length > 0 && reads(file, free)) return { ranges: free, refused };
  const accepted: LineRange[] = [];
  for (const range of free) {
    const parted = { ...range, insert: [...(range.insert ?? []), ""] };
    const tried = file.encoding === "utf-8" ? [range, parted] : [range];
    const found = tried.find((each) => reads(file, [...accepted, each]));
    if (found === undefined) refused.push({ range, code: "joins_the_rest" });
    else accepted.push(found);
  }
  return { ranges: accepted, refused };
}

function reads(file: MemoryFile, ranges: readonly LineRange[]): boolean {
  return keepsOutline(
    file.lines.map(({ text }) => text),
    file.outline,
    keptLines(file.lines.length, ranges),
  );
}

/** Does it define a link, or a footnote, that what stays refers to? */
export function namesLinks({ lines }: MemoryFile, range: LineRange, leaving: readonly LineRange[]): boolean {
  const labels = lines.slice(range.from, range.to).flatMap(({ text }) => labelOf(text));
  if (labels.length === 0) return false;
  const staying = keptLines(lines.length, leaving)
    .map((line) => (typeof line === "number" ? (lines[line]?.text ?? "") : ""))
    .filter((text) => labelOf(text).length === 0)
    .join("\n")
    .toLowerCase();
  return labels.some((label) => staying.includes(`[${label}]`));
}

function labelOf(text: string): readonly string[] {
  const [, label] = LABEL.exec(text) ?? [];
  return label === undefined ? [] : [label.toLowerCase()];
}
