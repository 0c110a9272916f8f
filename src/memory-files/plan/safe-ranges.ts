// Which ranges of a file may leave without changing how the rest reads: nothing that follows may join what stands before,
// and no link may lose its target.
import { type Block, isHeading, type Outline } from "../../text/markdown/outline.ts";
import { scanMarkdown } from "../../text/markdown/scan-markdown.ts";
import type { MemoryFile } from "../workspace.ts";
import { type KeptLine, keptLines, keptTexts, type LineRange } from "./drafts.ts";

const LABEL = /^[ \t]{0,3}\[((?:[^\]\\]|\\.){1,999})\]:/;

interface SafeRanges {
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
export function namesLinks(file: MemoryFile, range: LineRange, leaving: readonly LineRange[]): boolean {
  const labels = file.lines.slice(range.from, range.to).flatMap(({ text }) => labelOf(text));
  if (labels.length === 0) return false;
  const kept = keptLines(file.lines.length, leaving).filter((line) => typeof line === "number");
  const staying = keptTexts(file, kept).filter((text) => labelOf(text).length === 0);
  const text = staying.join("\n").toLowerCase();
  return labels.some((label) => text.includes(`[${label}]`));
}

function labelOf(text: string): readonly string[] {
  const [, label] = LABEL.exec(text) ?? [];
  return label === undefined ? [] : [label.toLowerCase()];
}

// Does what stays of a text mean what it meant? The result is read anew: each block that stays must be of its kind, in its
// place, in its list item, and nothing may have joined. Decides nothing else.

/** `kept`: what the result consists of, in order: lines of the text by position, and lines put in. */
export function keepsOutline(texts: readonly string[], before: Outline, kept: readonly KeptLine[]): boolean {
  const after = scanMarkdown(kept.map((line) => (typeof line === "string" ? line : (texts[line] ?? ""))));
  const stays = new Set(kept.filter((line) => typeof line === "number"));
  const expected = before.blocks.map((block) => oldBlock(block, stays));
  const found = after.blocks.map((block) => newBlock(block, kept));
  if (expected.includes("broken") || found.includes("broken")) return false;
  const wanted = expected.filter(isLocated);
  const got = found.filter(isLocated);
  const pairs = new Map<number, number>();
  return (
    wanted.length === got.length &&
    wanted.every(
      (block, index) => isSame(block, got[index]) && areInSame([before, block], [after, got[index]], pairs),
    ) &&
    countItems(before, (line) => stays.has(line)) === countItems(after, (line) => typeof kept[line] === "number")
  );
}

interface Located {
  readonly block: Block;
  /** In the lines of the text before. */
  readonly first: number;
  readonly last: number;
}

type Found = Located | "broken" | undefined;

function isLocated(found: Found): found is Located {
  return typeof found === "object";
}

/** Undefined where all of it leaves. Only a paragraph may lose some of its lines. */
function oldBlock(block: Block, stays: ReadonlySet<KeptLine>): Found {
  let first = block.from;
  let last = block.to - 1;
  while (first < block.to && !stays.has(first)) first += 1;
  if (first === block.to) return undefined;
  while (!stays.has(last)) last -= 1;
  const isCut = first > block.from || last < block.to - 1 || !areAll(first, last, (line) => stays.has(line));
  return isCut && block.kind !== "paragraph" ? "broken" : { block, first, last };
}

/** Undefined where all of it was put in. */
function newBlock(block: Block, kept: readonly KeptLine[]): Found {
  const first = kept[block.from];
  const last = kept[block.to - 1];
  if (areAll(block.from, block.to - 1, (line) => typeof kept[line] === "string")) return undefined;
  const isWhole = areAll(block.from, block.to - 1, (line) => typeof kept[line] === "number");
  return isWhole && typeof first === "number" && typeof last === "number" ? { block, first, last } : "broken";
}

function areAll(from: number, last: number, holds: (line: number) => boolean): boolean {
  for (let line = from; line <= last; line += 1) if (!holds(line)) return false;
  return true;
}

function isSame({ block, first, last }: Located, other: Located | undefined): boolean {
  if (other === undefined || other.block.kind !== block.kind) return false;
  if (other.first !== first || other.last !== last) return false;
  if (!isHeading(block) || !isHeading(other.block)) return true;
  return block.level === other.block.level && block.text === other.block.text;
}

/** Blocks that stood in one item still stand in one item, and others do not. */
function areInSame(
  [before, { block }]: readonly [Outline, Located],
  [after, other]: readonly [Outline, Located | undefined],
  pairs: Map<number, number>,
): boolean {
  let left = block.container;
  let right = other?.block.container;
  while (left !== undefined && right !== undefined) {
    const known = pairs.get(left);
    if (known !== undefined) return known === right;
    if (before.containers[left]?.kind !== after.containers[right]?.kind) return false;
    pairs.set(left, right);
    left = before.containers[left]?.parent;
    right = after.containers[right]?.parent;
  }
  return left === right;
}

/** Empty items hold no block, and are items all the same. */
function countItems({ containers }: Outline, isOld: (line: number) => boolean): number {
  return containers.filter(({ kind, from }) => kind === "item" && isOld(from)).length;
}
