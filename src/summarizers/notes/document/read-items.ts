// A list as a tree of items, whatever stands between them. An item that is short is one part with all below it.
import type { Outline } from "../../../text/markdown/outline.ts";
import { sentencesOf } from "./bound-sentences.ts";
import { cleanLines } from "./plain-lines.ts";

export interface Item {
  readonly text: string;
  readonly children: readonly Item[];
}

interface OpenItem extends Item {
  text: string;
  readonly children: OpenItem[];
}

/** An item with all below it, up to here, is one part. */
const WHOLE_UNITS = 320;
const MOST_CHILDREN = 6;

/** The items that begin at a block, and the block behind their list. None where no item begins there. */
export function itemsFrom(
  lines: readonly string[],
  { blocks, containers }: Outline,
  start: number,
): { readonly items: readonly Item[]; readonly to: number } {
  const roots: OpenItem[] = [];
  const open = new Map<number, OpenItem>();
  let at = start;
  for (; at < blocks.length; at += 1) {
    const block = blocks[at];
    const container = block?.container;
    if (block === undefined || container === undefined || containers[container]?.kind !== "item") break;
    if (block.kind !== "paragraph" && block.kind !== "heading") {
      if (open.has(container) && block.kind !== "table") continue;
      break;
    }
    const words = sentencesOf(cleanLines(lines.slice(block.from, block.to))).join(" ");
    const known = open.get(container);
    if (known !== undefined) {
      known.text = `${known.text} ${words}`.trim();
      continue;
    }
    const item: OpenItem = { text: words, children: [] };
    open.set(container, item);
    parentOf(container, containers, open, roots).push(item);
  }
  return { items: roots, to: at };
}

function parentOf(
  container: number,
  containers: Outline["containers"],
  open: ReadonlyMap<number, OpenItem>,
  roots: OpenItem[],
): OpenItem[] {
  for (let above = containers[container]?.parent; above !== undefined; above = containers[above]?.parent) {
    const item = open.get(above);
    if (item !== undefined) return item.children;
  }
  return roots;
}

/** Sentences of the item and of those below it; undefined where they are too many to be one part. */
export function joinedItem(item: Item): readonly string[] | undefined {
  if (item.children.length === 0) return item.text === "" ? [] : [item.text];
  const all = flat(item, MOST_CHILDREN + 2);
  const units = all.reduce((sum, { length }) => sum + length + 2, 0);
  return units <= WHOLE_UNITS && all.length <= MOST_CHILDREN + 1 ? all : undefined;
}

/** `most` of them at most. */
function flat({ text, children }: Item, most: number): readonly string[] {
  const found = text === "" ? [] : [text];
  for (const child of children) {
    if (found.length >= most) break;
    found.push(...flat(child, most - found.length));
  }
  return found;
}
