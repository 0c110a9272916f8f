// The seven ways in which a block of HTML begins, and how each ends.
import { isBlankCode } from "./cursor.ts";
import { isRestBlank } from "./leaf-lines.ts";

/** How it ends: on the line that holds the text, or before a blank line. */
export type HtmlEnd = RegExp | "blank";

export interface HtmlStart {
  readonly end: HtmlEnd;
  /** Any other tag on a line of its own begins no block in the middle of a paragraph. */
  readonly interrupts: boolean;
}

const RAW_END = /<\/(?:script|pre|style|textarea)>/i;
const RAW = new Set(["script", "pre", "style", "textarea"]);
const BLOCKS = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);
/** Longer than any name above. */
const LONGEST_NAME = 12;

export function htmlStart(text: string, at: number): HtmlStart | undefined {
  if (text.startsWith("<!--", at)) return { end: /-->/, interrupts: true };
  if (text.startsWith("<?", at)) return { end: /\?>/, interrupts: true };
  if (text.startsWith("<![CDATA[", at)) return { end: /\]\]>/, interrupts: true };
  if (/^<![a-z]/i.test(text.slice(at, at + 3))) return { end: />/, interrupts: true };
  const isClosing = text.charAt(at + 1) === "/";
  const name = tagName(text.slice(at + (isClosing ? 2 : 1), at + LONGEST_NAME + 3));
  const behind = text.slice(at + (isClosing ? 2 : 1) + name.length).slice(0, 2);
  if (!isClosing && RAW.has(name) && /^(?:[ \t>]|$)/.test(behind)) return { end: RAW_END, interrupts: true };
  if (BLOCKS.has(name) && /^(?:[ \t>]|\/>|$)/.test(behind)) return { end: "blank", interrupts: true };
  return isWholeTag(text, at) ? { end: "blank", interrupts: false } : undefined;
}

function tagName(text: string): string {
  return /^[a-z][a-z0-9-]{0,30}/i.exec(text)?.[0].toLowerCase() ?? "";
}

/** One opening or closing tag, and nothing else. Read by hand: an expression for it would go back over long lines. */
function isWholeTag(text: string, at: number): boolean {
  const isClosing = text.charAt(at + 1) === "/";
  const start = at + (isClosing ? 2 : 1);
  if (!/^[a-z]/i.test(text.charAt(start))) return false;
  let index = endOf(text, start, /[a-z0-9-]/i);
  if (!isClosing) {
    const attributes = endOfAttributes(text, index);
    if (attributes === undefined) return false;
    index = text.charAt(attributes) === "/" ? attributes + 1 : attributes;
  } else index = endOfBlanks(text, index);
  return text.charAt(index) === ">" && isRestBlank(text, index + 1);
}

/** Behind the blanks after the last one; undefined where one is broken. */
function endOfAttributes(text: string, from: number): number | undefined {
  let index = from;
  for (;;) {
    const name = endOfBlanks(text, index);
    if (name === index || !/^[a-z_:]/i.test(text.charAt(name))) return name;
    index = endOf(text, name, /[a-z0-9_.:-]/i);
    const sign = endOfBlanks(text, index);
    if (text.charAt(sign) !== "=") continue;
    const end = endOfValue(text, endOfBlanks(text, sign + 1));
    if (end === undefined) return undefined;
    index = end;
  }
}

function endOfValue(text: string, at: number): number | undefined {
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end === -1 ? undefined : end + 1;
  }
  const end = endOf(text, at, /[^\s"'=<>`]/);
  return end === at ? undefined : end;
}

function endOfBlanks(text: string, at: number): number {
  let index = at;
  while (index < text.length && isBlankCode(text.charCodeAt(index))) index += 1;
  return index;
}

function endOf(text: string, at: number, allowed: RegExp): number {
  let index = at;
  while (index < text.length && allowed.test(text.charAt(index))) index += 1;
  return index;
}
