// What was decided and why, from the sections that templates have for it: the option that was chosen, what speaks for it,
// what was not chosen.
import {
  type Block,
  englishTitle,
  type MarkdownPage,
  plainText,
  readBlocks,
  type Section,
  withoutNumber,
} from "./adr-markdown.ts";

export interface AdrOutcome {
  /** As it is named; undefined where the page speaks of it in prose only. */
  readonly chosen?: string;
  readonly reasons: readonly string[];
  readonly alternatives: readonly string[];
  /** The section as it is written. */
  readonly body?: string;
}

const OUTCOME = [/^decision outcomes?\b/i, /^decisions?\b(?! drivers?)/i, /^(?:outcome|resolution|conclusion)\b/i];
const OPTIONS = [
  /^considered (?:options|alternatives)\b/i,
  /^(?:options|alternatives)\b/i,
  /^(?:implementation|design|rejected) (?:options|alternatives|directions?)\b/i,
];
const WHY = [/^(?:rationale|justification|reasons?|why|reasoning)\b/i];
const CHOSEN =
  /^(?:the )?(?:chosen|proposed|selected|preferred|recommended)(?: (?:option|choice|direction|approach|solution|alternative|decision criteria|decision)(?: for [^:]{1,40})?)?(?: is)?\s{0,3}:?\s{1,3}(?=\S|$)/i;
/** `Option 7: …`, `Option 2 (a wrapper) was chosen …` */
const OPTION_FIRST =
  /^((?:option|alternative)\s{1,3}[\w.]{1,6}?(?:\s{1,3}\([^)]{1,100}\))?)(?:\s{0,3}[:：]|\s{1,3}(?:was |is |has been )?(?:chosen|selected|preferred|the preferred))\s{0,3}/i;
const BECAUSE = /[\s,;:(—–-]{1,5}\b(?:because|since|as it)\b[\s,:]{0,3}/i;
const MOST_REASONS = 12;
const MOST_ALTERNATIVES = 30;
const LONGEST_CHOICE = 200;
const LONGEST_REASON = 1000;

interface Choice {
  /** Empty where none is named. */
  readonly chosen: string;
  readonly reasons: readonly string[];
  /** Place of its block; -1 without. */
  readonly at: number;
}

export function readOutcome(page: MarkdownPage): AdrOutcome {
  const section = findSection(page.sections, OUTCOME);
  const blocks = section === undefined ? [] : readBlocks(section.body);
  const choice = readChoice(blocks);
  const options = optionsOf(page);
  const chosen = fullName(choice.chosen, options) || undefined;
  const told = [...choice.reasons, ...rationaleOf(page, blocks)];
  const reasons = told.length > 0 ? told : firstProse(blocks.slice(choice.at + 1));
  return {
    ...(chosen === undefined ? {} : { chosen }),
    reasons: [...new Set(reasons.map((reason) => reason.slice(0, LONGEST_REASON)))].slice(0, MOST_REASONS),
    alternatives: options.filter((option) => !isSame(option, chosen)).slice(0, MOST_ALTERNATIVES),
    ...(section === undefined || section.body === "" ? {} : { body: section.body }),
  };
}

/** The first that any pattern finds, patterns in order; titles may be numbered. */
export function findSection(sections: readonly Section[], patterns: readonly RegExp[]): Section | undefined {
  for (const pattern of patterns) {
    const found = sections.find(({ title }) => {
      const bare = withoutNumber(title);
      return pattern.test(bare) || pattern.test(englishTitle(bare));
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function readChoice(blocks: readonly Block[]): Choice {
  const at = blocks.findIndex((block) => block.kind === "paragraph" && CHOSEN.test(`${block.text} `));
  const block = blocks[at];
  if (block?.kind !== "paragraph") return choiceByOption(blocks);
  const next = blocks[at + 1];
  const rest = `${block.text} `.replace(CHOSEN, "").trim();
  const isBelow = rest === "" && next?.kind === "paragraph";
  const said = isBelow ? next.text : rest;
  const because = BECAUSE.exec(said);
  const chosen = choiceIn(because === null ? said : said.slice(0, because.index));
  const after = because === null ? afterChoice(said) : said.slice(because.index + because[0].length).trim();
  const list = blocks[at + (isBelow ? 2 : 1)];
  if (because !== null && (after === "" || /[:：]$|^it$/i.test(after)) && list?.kind === "list") {
    return { chosen, reasons: list.items, at };
  }
  return { chosen, reasons: after === "" ? [] : [after], at };
}

function choiceByOption(blocks: readonly Block[]): Choice {
  const at = blocks.findIndex((block) => block.kind === "paragraph" && OPTION_FIRST.test(block.text));
  const block = blocks[at];
  const match = block?.kind === "paragraph" ? OPTION_FIRST.exec(block.text) : null;
  if (match === null || block?.kind !== "paragraph") return { chosen: "", reasons: [], at: -1 };
  const rest = block.text.slice(match[0].length).trim();
  return { chosen: match[1] ?? "", reasons: /\s\S{2,}\s/.test(rest) ? [rest] : [], at };
}

/** What follows the sentence that names the choice. */
function afterChoice(said: string): string {
  const sentence = firstSentenceOf(said);
  return sentence.length > LONGEST_CHOICE ? said : said.slice(sentence.length).replace(/^[.\s]{1,5}/, "");
}

function firstSentenceOf(said: string): string {
  return /^(?:\d{1,3}\. )?(?:[^.]|\.(?=\S))*/.exec(said.slice(0, 2 * LONGEST_CHOICE))?.[0] ?? said;
}

/** Its first sentence, without quotation marks. */
function choiceIn(words: string): string {
  const quoted = /^["“'‘](.{1,200}?)["”'’](?=[\s,.;:(—–-]|$)/.exec(words)?.[1];
  if (quoted !== undefined) return quoted.trim();
  const sentence = firstSentenceOf(words)
    .replace(/^\d{1,3}\. /, "")
    .replace(/\s(?:with|for) the following\b.{0,200}$/s, "");
  const short = sentence.length > LONGEST_CHOICE ? "" : sentence;
  return short
    .replace(/[\s,.;:—–-]{1,5}$/, "")
    .replace(/^["“'‘]|["”'’]$/g, "")
    .trim();
}

/** `Option 3` by the name that it has in the list of options, or by its place there. */
function fullName(chosen: string, options: readonly string[]): string {
  const [, place] =
    /^(?:(?:option|alternative|approach)\s{1,3}(?=[\w.]{1,6}$)|(?=\d{1,3}$))([\w.]{1,6})$/i.exec(chosen) ?? [];
  if (place === undefined && chosen.length > 3) return chosen;
  const named = options.find((option) => {
    const head = option.slice(0, chosen.length).toLowerCase();
    return head === chosen.toLowerCase() && /^[\s:.)—–-]/.test(option.slice(chosen.length));
  });
  const isPlain = options.every((option) => !/^option\b/i.test(option));
  const listed = isPlain && /^\d{1,2}$/.test(place ?? "") ? options[Number(place) - 1] : undefined;
  const found = named ?? listed;
  const name = choiceIn(found ?? "");
  if (name !== "") return name;
  // A number without a name says nothing to whoever reads it elsewhere.
  return place === undefined ? chosen : "";
}

function rationaleOf(page: MarkdownPage, outcome: readonly Block[]): readonly string[] {
  const at = outcome.findIndex(
    (block) => block.kind !== "list" && WHY.some((pattern) => pattern.test(block.text)) && block.text.length < 60,
  );
  const inside = at < 0 ? [] : proseOf(outcome.slice(at + 1, at + 2));
  const section = findSection(page.sections, WHY);
  return inside.length > 0 || section === undefined ? inside : proseOf(readBlocks(section.body).slice(0, 2));
}

function proseOf(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "list") return block.items;
    return block.kind === "paragraph" && !/[:：]$/u.test(block.text) ? [block.text] : [];
  });
}

/** What the section says first, where it gives no reason as such. */
function firstProse(blocks: readonly Block[]): readonly string[] {
  const first = blocks.find((block) => block.kind === "paragraph" && /\p{L}{3}.{20}/su.test(block.text));
  return first?.kind === "paragraph" && !/[:：]$/u.test(first.text) ? [first.text] : [];
}

/** Items of the list of options, else the headings below it, else what is said there as one. */
function optionsOf(page: MarkdownPage): readonly string[] {
  const section = findSection(page.sections, OPTIONS);
  if (section === undefined) return [];
  const blocks = readBlocks(section.body);
  const list = blocks[0]?.kind === "list" ? blocks[0] : blocks[1]?.kind === "list" ? blocks[1] : undefined;
  if (list !== undefined) return list.items.filter((item) => item !== "");
  const headings = blocks.flatMap((block) => (block.kind === "heading" ? [block] : []));
  const level = Math.min(...headings.map((heading) => heading.level));
  if (headings.length > 0) return headings.filter((heading) => heading.level === level).map(({ text }) => text);
  return blocks.flatMap((block) => (block.kind === "paragraph" ? [block.text.slice(0, LONGEST_REASON)] : []));
}

function isSame(option: string, chosen: string | undefined): boolean {
  if (chosen === undefined) return false;
  const key = (text: string) =>
    plainText(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const [left, right] = [key(option), key(chosen)];
  const numbered = /^(?:option|alternative) [\p{L}\p{N}]{1,4}(?= |$)/u;
  if (numbered.exec(left)?.[0] === (numbered.exec(right)?.[0] ?? "")) return true;
  return left === right || (right.length > 3 && (left.endsWith(` ${right}`) || left.startsWith(`${right} `)));
}
