// Lines of a section that stand in it twice and mean the same at both places: items of one list, paragraphs of one line
// one after the other, a line of a paragraph written twice in a row. What only looks repeated stays: the same item below two
// labels, steps of a procedure, fields of records, code, tables, quotes.
import { says } from "../../language/words.ts";
import { type Block, type Container, type Outline, splitSections } from "../../text/markdown/outline.ts";
import { groupBy } from "../../text/words.ts";

const FIELD = /^[ \t]{0,99}(?:[-*+][ \t]{1,9})?([^:：]{1,40}?)(?::(?:[ \t]|\*\*|__)|：)/u;

/** In order. The first of equal ones stays; where the last line has no end, that one does, so the file ends as before. */
export function findRepeatedLines(texts: readonly string[], outline: Outline, isUnended: boolean): readonly number[] {
  const keep = isUnended ? texts.length - 1 : undefined;
  const found: number[] = [];
  const repeating = countRepeating(texts);
  for (const group of groupBy(listEntries(texts, outline), (entry) => entry.group).values()) {
    const lines = group.map(({ line }) => line);
    const isFree = fieldTest(texts, lines);
    for (const equal of groupBy(lines, (line) => texts[line]).values()) {
      // From the first to the last of them: what one of those between them says is said of all.
      if ((repeating[(equal.at(-1) ?? 0) + 1] ?? 0) > (repeating[equal[0] ?? 0] ?? 0)) continue;
      found.push(...(keep !== undefined && equal.at(-1) === keep ? equal.slice(0, -1) : equal.slice(1)).filter(isFree));
    }
  }
  return found.sort((left, right) => left - right);
}

/** Is a line no field of a record, or does it repeat the one before? */
function fieldTest(texts: readonly string[], lines: readonly number[]): (line: number) => boolean {
  const areRecords = looksLikeRecords(lines.map((line) => texts[line] ?? ""));
  const repeating = new Set(lines.filter((line, at) => at > 0 && texts[lines[at - 1] ?? 0] === texts[line]));
  return (line) => !areRecords || !FIELD.test(texts[line] ?? "") || repeating.has(line);
}

/** Of each line: how many above it say that something is done again. */
function countRepeating(texts: readonly string[]): readonly number[] {
  const counts = [0];
  for (const text of texts) counts.push((counts.at(-1) ?? 0) + (says(text, "repeats") ? 1 : 0));
  return counts;
}

/** Fields of several things below each other: the same value twice is said of two things. */
function looksLikeRecords(texts: readonly string[]): boolean {
  const fields = groupBy(
    texts.filter((text) => FIELD.test(text)),
    (text) => FIELD.exec(text)?.[1],
  );
  return fields.size > 1 && [...fields.values()].some((values) => new Set(values).size > 1);
}

// The lines of a text that could be a repeat of another, and what each may be compared with. What is a repeat is decided
// above.

/** The groups of items begin with it. */
export const ITEM_GROUP = "item";

interface Entry {
  readonly line: number;
  /** Entries mean the same within one group only. */
  readonly group: string;
}

/** A shorter paragraph is a word in passing, an answer, a label. */
const SHORTEST = 10;
const LEADS_IN = /[:：][*_ \t]{0,9}$/u;
/** A line all in bold or italics stands for a heading. */
const LABEL = /^[ \t]{0,3}([*_]{1,3})[^*_]{1,200}\1[ \t]{0,9}$/u;
const NUMBERED = /^[ \t]{0,99}\d{1,9}[.)]/;

/** Those of paragraphs, and of lines within one, are in groups of their own. */
export function listEntries(texts: readonly string[], outline: Outline): readonly Entry[] {
  const lists = readLists(texts, outline);
  const sections: number[] = [];
  const isProcedure: boolean[] = [];
  let end = 0;
  // Sections at any level; a heading that speaks of steps does so for all that stands below it.
  for (const section of splitSections(outline, texts.length)) {
    if (says(section.heading?.text ?? "", "steps")) end = Math.max(end, section.whole);
    for (let line = section.from; line < section.to; line += 1) {
      sections.push(section.from);
      isProcedure.push(line < end);
    }
  }
  const entries: Entry[] = [];
  for (const block of outline.blocks) {
    const text = texts[block.from] ?? "";
    const item = itemAt(outline, block);
    if (item === undefined || !isLoneLine(item, block, text)) continue;
    const list = lists.get(item);
    if (list === undefined || list.hasLabels || list.isOfSteps) continue;
    entries.push({ line: block.from, group: `${ITEM_GROUP} ${sections[block.from] ?? 0} ${list.first}` });
  }
  const found = [...entries, ...listParagraphs(texts, outline), ...listNeighbours(texts, outline)];
  return found.filter(({ line }) => isProcedure[line] !== true);
}

/** The item whose first block this is; none within a quote, whose words are another's. */
function itemAt(outline: Outline, { container, from }: Block) {
  const found = container === undefined ? undefined : outline.containers[container];
  return found?.kind === "item" && found.from === from && !isQuoted(outline, container) ? found : undefined;
}

/** An item of one line without children. Numbered ones are steps, which may well be done twice. */
function isLoneLine(item: Container, block: Block, text: string): boolean {
  return isOneLine(item) && isOneLine(block) && block.kind === "paragraph" && !NUMBERED.test(text);
}

/** Those of one line: only where nothing but blank lines stands between, since any other line may give them a meaning. */
function listParagraphs(texts: readonly string[], { blocks }: Outline): readonly Entry[] {
  const found: Entry[] = [];
  let first = 0;
  for (const [index, block] of blocks.entries()) {
    const text = texts[block.from] ?? "";
    const last = blocks[index - 1];
    const isNext = last !== undefined && isSaying(last, text) && texts[last.from] === text;
    if (!isSaying(block, text)) continue;
    if (!isNext) first = block.from;
    if (!isIntroducing(blocks[index + 1])) found.push({ line: block.from, group: `paragraph ${first}` });
  }
  return found;
}

/** A paragraph of one line, at the top, that is more than a label. */
function isSaying(block: Block, text: string): boolean {
  const { kind, container } = block;
  return kind === "paragraph" && container === undefined && isOneLine(block) && isLong(text) && !isLabel(text);
}

function isLong(text: string): boolean {
  return text.trim().length > SHORTEST;
}

function isOneLine({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return to - from === 1;
}

function isLabel(text: string): boolean {
  return LEADS_IN.test(text) || LABEL.test(text);
}

/** Before such a block a paragraph says what it is. */
function isIntroducing(next: Block | undefined): boolean {
  return next !== undefined && (next.container !== undefined || next.kind === "code" || next.kind === "table");
}

/** Lines of a longer paragraph: only those written twice in a row. */
function listNeighbours(texts: readonly string[], outline: Outline): readonly Entry[] {
  const found: Entry[] = [];
  for (const block of outline.blocks) {
    if (block.kind !== "paragraph" || isOneLine(block) || isQuoted(outline, block.container)) continue;
    for (let line = block.from + 1; line < block.to; line += 1) {
      const text = texts[line] ?? "";
      if (text !== texts[line - 1] || !isLong(text) || LEADS_IN.test(text)) continue;
      const first = found.at(-1)?.line === line - 1 ? (found.at(-1)?.group ?? "") : `row ${line - 1}`;
      if (first === `row ${line - 1}`) found.push({ line: line - 1, group: first });
      found.push({ line, group: first });
    }
  }
  return found;
}

function isQuoted({ containers }: Outline, container: number | undefined): boolean {
  for (let at = container; at !== undefined; at = containers[at]?.parent) {
    if (containers[at]?.kind === "quote") return true;
  }
  return false;
}

// Which items make one list: those with the same mark below each other, with nothing of another kind between them. And what
// tells whether its items stand for themselves.

interface List {
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
function readLists(texts: readonly string[], outline: Outline): ReadonlyMap<Container, List> {
  // Of each line the items that begin in it, outermost first.
  const items = groupBy(
    outline.containers.filter(({ kind }) => kind === "item"),
    ({ from }) => from,
  );
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
        lead !== undefined &&
        (ofSteps.get(lead) ?? texts.slice(lead.from, lead.to).some((text) => says(text, "steps")));
      if (lead !== undefined) ofSteps.set(lead, isOfSteps);
      const current = known?.mark === mark ? known : { mark, list: { first: item.from, isOfSteps, hasLabels: false } };
      open.set(item.parent, current);
      current.list.hasLabels ||= namesLabel(text);
      found.set(item, current.list);
    }
    leads.set(block.container, block);
    // A block between two lists parts them.
    open.delete(block.container);
  }
  return found;
}

function namesLabel(text: string): boolean {
  const said = text.replace(MARK, "").trim().replace(TASK, "").trim();
  return WHOLLY.test(said) || COLON.test(said);
}
