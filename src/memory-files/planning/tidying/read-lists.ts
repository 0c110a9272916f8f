// Which items make one list: those with the same mark below each other, with nothing of another kind between them. And what
// tells whether its items stand for themselves.
import type { Block, Container, Outline } from "../../../text/markdown/outline.ts";
import { speaksOfSteps } from "./step-cues.ts";

export interface List {
  /** First line of its first item. */
  readonly first: number;
  /** What stands before it says so: a paragraph, a heading, the item around it. */
  readonly isOfSteps: boolean;
  /** One of its items says what those below it are about, so where an item stands matters. */
  readonly hasLabels: boolean;
}

const MARK = /^[ \t>]{0,99}([-*+])[ \t]/;
const TASK = /^\[[ xX]\][ \t]{1,9}/;
/** All bold, italic or code, with or without a colon. */
const WHOLLY = /^(?:(\*{1,3}|_{1,3})[^*_]{1,300}\1|`[^`]{1,300}`)[:：]?$/u;
const COLON = /[:：][*_`]{0,3}$/u;

/** The list of each item with a mark; numbered ones are in none. */
export function readLists(texts: readonly string[], outline: Outline): ReadonlyMap<Container, List> {
  const items = itemsByLine(outline);
  const found = new Map<Container, List>();
  const open = new Map<number | undefined, { mark: string; list: List & { hasLabels: boolean } }>();
  const leads = new Map<number | undefined, Block>();
  const ofSteps = new Map<Block, boolean>();
  for (const block of outline.blocks) {
    for (const item of items.get(block.from) ?? []) {
      const text = texts[item.from] ?? "";
      const mark = MARK.exec(text)?.[1];
      if (mark === undefined) {
        open.delete(item.parent);
        continue;
      }
      const lead = leads.get(item.parent);
      const known = open.get(item.parent);
      const isOfSteps =
        lead !== undefined && (ofSteps.get(lead) ?? texts.slice(lead.from, lead.to).some(speaksOfSteps));
      if (lead !== undefined) ofSteps.set(lead, isOfSteps);
      const current = known?.mark === mark ? known : { mark, list: { first: item.from, isOfSteps, hasLabels: false } };
      open.set(item.parent, current);
      current.list.hasLabels ||= isLabel(text);
      found.set(item, current.list);
    }
    leads.set(block.container, block);
    // A block between two lists parts them.
    open.delete(block.container);
  }
  return found;
}

/** Of each line the items that begin in it and hold something, outermost first. */
function itemsByLine({ containers }: Outline): ReadonlyMap<number, readonly Container[]> {
  const items = new Map<number, Container[]>();
  for (const container of containers) {
    if (container.kind !== "item") continue;
    const known = items.get(container.from);
    if (known === undefined) items.set(container.from, [container]);
    else known.push(container);
  }
  return items;
}

function isLabel(text: string): boolean {
  const said = text.replace(MARK, "").trim().replace(TASK, "").trim();
  return WHOLLY.test(said) || COLON.test(said);
}
