// Keeps an answer under its limit: as many items as fit, whole, in their order; never more tokens than asked for, in
// the text and in the structured part each.
import { CompactError } from "../../errors.ts";

export interface AnswerParts<Item> {
  readonly head: string;
  readonly items: readonly Item[];
  readonly render: (item: Item, index: number) => string;
  readonly structured: (item: Item) => unknown;
  /** The whole structured answer around its items, where it is more than a list and a few numbers. */
  readonly whole?: (structured: readonly unknown[], items: readonly Item[]) => unknown;
  /** Everything after the items; told how many of them are shown. */
  readonly foot: (shown: number) => string;
  /** A smaller form of an item that does not fit alone, of about `maxUnits` UTF-16 units of content. */
  readonly shorten?: (item: Item, maxUnits: number) => Item;
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

export interface FittedAnswer {
  readonly text: string;
  readonly shown: number;
  readonly structured: readonly unknown[];
}

/** What the other keys of a structured answer take, where nobody tells. */
const STRUCTURED_FRAME = 120;

/** Throws `InvalidInput` where not even the frame and one shortened item fit. */
export function fitAnswer<Item>(parts: AnswerParts<Item>): FittedAnswer {
  const { items, maxTokens } = parts;
  for (let shown = mostThatMayFit(parts); shown > 0; shown--) {
    const candidates = items.slice(0, shown);
    const fitted = assemble(parts, candidates);
    if (fits(parts, fitted, candidates)) return fitted;
  }
  const first = items[0];
  if (first === undefined) {
    const empty = assemble(parts, []);
    if (fits(parts, empty, [])) return empty;
  } else if (parts.shorten !== undefined) {
    for (let units = maxTokens * 4; units >= 20; units = Math.floor(units / 2)) {
      const shortened = [parts.shorten(first, units)];
      const fitted = assemble(parts, shortened);
      if (fits(parts, fitted, shortened)) return fitted;
    }
  }
  throw new CompactError("InvalidInput", `max_tokens ${maxTokens} is too small for a single result.`, {
    code: "MAX_TOKENS_TOO_SMALL",
    hint: "Send a larger max_tokens, or detail_level: summary.",
  });
}

/** Adds up what each item takes alone; the whole is counted exactly afterwards. */
function mostThatMayFit<Item>({ items, render, structured, maxTokens, count }: AnswerParts<Item>): number {
  let text = 0;
  let json = STRUCTURED_FRAME;
  for (const [index, item] of items.entries()) {
    text += count(render(item, index));
    json += count(JSON.stringify(structured(item)) ?? "");
    if (text > maxTokens || json > maxTokens) return index;
  }
  return items.length;
}

function assemble<Item>(parts: AnswerParts<Item>, items: readonly Item[]): FittedAnswer {
  const body = items.map((item, index) => parts.render(item, index)).join("");
  return {
    text: parts.head + body + parts.foot(items.length),
    shown: items.length,
    structured: items.map(parts.structured),
  };
}

function fits<Item>(parts: AnswerParts<Item>, { text, structured }: FittedAnswer, items: readonly Item[]): boolean {
  const { maxTokens, count, whole } = parts;
  if (count(text) > maxTokens) return false;
  if (whole !== undefined) return count(JSON.stringify(whole(structured, items))) <= maxTokens;
  return structured.length === 0 || count(JSON.stringify(structured)) + STRUCTURED_FRAME <= maxTokens;
}
