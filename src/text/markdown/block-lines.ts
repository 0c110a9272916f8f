// What a single line is by itself: the marks of headings, fences and rules. `at` is its first character that is no blank;
// whether it is indented too far for a mark is for the caller to know.

const HASH = 35;
const EQUALS = 61;
const DASH = 45;
const BACKTICK = 96;

export interface Fence {
  readonly mark: number;
  readonly length: number;
}

/** Offset of the first character from `at` on that is not `code`. */
function endOfRun(text: string, at: number, code: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) === code) end += 1;
  return end;
}

/** Offset of the first character from `at` on that is no blank. */
function endOfBlanks(text: string, at: number): number {
  let end = at;
  while (end < text.length && isBlankCode(text.charCodeAt(end))) end += 1;
  return end;
}

/** Only blanks from `at` on. */
export function isRestBlank(text: string, at: number): boolean {
  return endOfBlanks(text, at) === text.length;
}

/** `## Name ##`. */
export function atxHeading(text: string, at: number): { readonly level: number; readonly text: string } | undefined {
  const start = endOfRun(text, at, HASH);
  const level = start - at;
  if (level < 1 || level > 6) return undefined;
  if (start < text.length && !isBlankCode(text.charCodeAt(start))) return undefined;
  const end = endBeforeBlanks(text, start);
  let marks = end;
  while (marks > start && text.charCodeAt(marks - 1) === HASH) marks -= 1;
  // Closing marks need a blank before them: `# C#` has none.
  const isClosed = marks < end && isBlankCode(text.charCodeAt(marks - 1));
  return { level, text: text.slice(start, isClosed ? marks : end).trim() };
}

function endBeforeBlanks(text: string, start: number): number {
  let end = text.length;
  while (end > start && isBlankCode(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Level of the heading whose underline this is; 0 for none. */
export function underlineLevel(text: string, at: number): 0 | 1 | 2 {
  const mark = text.charCodeAt(at);
  if (mark !== EQUALS && mark !== DASH) return 0;
  if (!isRestBlank(text, endOfRun(text, at, mark))) return 0;
  return mark === EQUALS ? 1 : 2;
}

/** Three or more of `*`, `-` or `_`, and else only blanks. */
export function isRule(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  let count = 0;
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === mark) count += 1;
    else if (!isBlankCode(code)) return false;
  }
  return count >= 3;
}

export function openingFence(text: string, at: number): Fence | undefined {
  const mark = text.charCodeAt(at);
  const end = endOfRun(text, at, mark);
  if (end - at < 3) return undefined;
  if (mark === BACKTICK && text.includes("`", end)) return undefined;
  return { mark, length: end - at };
}

export function closesFence(text: string, at: number, { mark, length }: Fence): boolean {
  const end = endOfRun(text, at, mark);
  return end - at >= length && isRestBlank(text, end);
}

// The marker of a list item, and how far the item's content is indented behind it.

const ZERO = 48;
const NINE = 57;
const MOST_DIGITS = 9;

interface ListMarker {
  readonly length: number;
  /** Only a bullet or the number 1 begins a list in the middle of a paragraph. */
  readonly isFirst: boolean;
}

export function listMarker(text: string, at: number): ListMarker | undefined {
  const isBullet = "-+*".includes(text.charAt(at));
  const digits = isBullet ? 0 : countDigits(text, at);
  if (!isBullet && (digits === 0 || !".)".includes(text.charAt(at + digits) || "?"))) return undefined;
  const end = at + digits + 1;
  if (end < text.length && !" \t".includes(text.charAt(end))) return undefined;
  return { length: digits + 1, isFirst: isBullet || text.slice(at, end - 1) === "1" };
}

function countDigits(text: string, at: number): number {
  let count = 0;
  for (; count <= MOST_DIGITS; count++) {
    const code = text.charCodeAt(at + count);
    if (!(code >= ZERO && code <= NINE)) break;
  }
  return count > MOST_DIGITS ? 0 : count;
}

/** Moves behind the marker; gives the columns that the item's further lines are indented, from where the cursor was. */
export function skipMarker(cursor: Cursor, { length }: ListMarker): number {
  const before = indentOf(cursor);
  skipMark(cursor, length);
  const blanks = indentOf(cursor);
  // More than four are those of indented code, of which one belongs to the marker.
  const isPlain = !isBlank(cursor) && blanks <= 4;
  if (isPlain) skipColumns(cursor, blanks);
  else if (blanks > 0) skipColumns(cursor, 1);
  return before + length + (isPlain ? blanks : 1);
}

// Where the scanner stands in a line. Columns count tabs as CommonMark does (to the next multiple of four), and a tab may
// be used up in part: then the column has moved on and the offset has not.

export interface Cursor {
  readonly text: string;
  offset: number;
  column: number;
  /** Offset of the first character that is no blank, or the length of the line. */
  next: number;
  nextColumn: number;
}

const TAB = 9;
const SPACE = 32;

function isBlankCode(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function startLine(text: string): Cursor {
  const cursor = { text, offset: 0, column: 0, next: 0, nextColumn: 0 };
  findNext(cursor);
  return cursor;
}

/** Columns of blanks before the next character. */
export function indentOf({ column, nextColumn }: Cursor): number {
  return nextColumn - column;
}

export function isBlank({ text, next }: Cursor): boolean {
  return next === text.length;
}

/** Up to the next character, behind its blanks. */
export function skipBlanks(cursor: Cursor): void {
  cursor.offset = cursor.next;
  cursor.column = cursor.nextColumn;
}

/** Past characters that are no tabs, the blanks before them included. */
function skipMark(cursor: Cursor, length: number): void {
  skipBlanks(cursor);
  cursor.offset += length;
  cursor.column += length;
  findNext(cursor);
}

/** Past blanks; there must be as many. */
export function skipColumns(cursor: Cursor, count: number): void {
  const goal = cursor.column + count;
  while (cursor.column < goal) {
    const end = columnBehind(cursor.text.charCodeAt(cursor.offset), cursor.column);
    if (end <= goal) cursor.offset += 1;
    cursor.column = Math.min(end, goal);
  }
}

/** The mark of a quote, and the one blank that belongs to it. */
export function skipQuoteMark(cursor: Cursor): void {
  skipMark(cursor, 1);
  if (indentOf(cursor) > 0) skipColumns(cursor, 1);
}

function columnBehind(code: number, column: number): number {
  return code === TAB ? column + 4 - (column % 4) : column + 1;
}

function findNext(cursor: Cursor): void {
  let { offset, column } = cursor;
  for (; offset < cursor.text.length; offset++) {
    const code = cursor.text.charCodeAt(offset);
    if (!isBlankCode(code)) break;
    column = columnBehind(code, column);
  }
  cursor.next = offset;
  cursor.nextColumn = column;
}

// The seven ways in which a block of HTML begins, and how each ends.

/** How it ends: on the line that holds the text, or before a blank line. */
export type HtmlEnd = RegExp | "blank";

interface HtmlStart {
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

function endOf(text: string, at: number, allowed: RegExp): number {
  let index = at;
  while (index < text.length && allowed.test(text.charAt(index))) index += 1;
  return index;
}

// The first two lines of a table: as many cells in the row of names as in the row of dashes below it.

const PIPE = 124;
const BACKSLASH = 92;
const COLON = 58;

/** 0 for a line that cannot be the head of a table. */
export function countCells(row: string): number {
  let cells = 0;
  let signs = 0;
  let isBehindPipe = row.charCodeAt(0) !== PIPE;
  for (let index = 0; index < row.length; index++) {
    const code = row.charCodeAt(index);
    if (isBlankCode(code)) continue;
    signs += 1;
    if (isBehindPipe) cells += 1;
    isBehindPipe = code === PIPE;
    if (code !== BACKSLASH) continue;
    const escaped = row.charCodeAt(index + 1);
    if (escaped === BACKSLASH || escaped === PIPE) index += 1;
  }
  return signs === 1 && row.charCodeAt(0) === PIPE ? 0 : cells;
}

/** Cells of `| --- | :-: |`; 0 for any other line. A row of one cell needs a colon or a pipe to be no underline. */
export function countDelimiters(text: string, at: number): number {
  let cells = 0;
  let isTable = false;
  let index = at;
  if (text.charCodeAt(index) === PIPE) {
    isTable = true;
    index = endOfBlanks(text, index + 1);
  }
  while (index < text.length) {
    const end = endOfCell(text, index);
    if (end === undefined) return 0;
    cells += 1;
    isTable ||= text.charCodeAt(index) === COLON || text.charCodeAt(end - 1) === COLON;
    index = endOfBlanks(text, end);
    if (index === text.length) break;
    if (text.charCodeAt(index) !== PIPE) return 0;
    isTable = true;
    index = endOfBlanks(text, index + 1);
  }
  return isTable ? cells : 0;
}

function endOfCell(text: string, at: number): number | undefined {
  const start = text.charCodeAt(at) === COLON ? at + 1 : at;
  const end = endOfRun(text, start, DASH);
  if (end === start) return undefined;
  return text.charCodeAt(end) === COLON ? end + 1 : end;
}

// The block of YAML or TOML at the head of a file. It counts only where it is closed: a first line `---` that has no
// second is a rule.

const CLOSINGS: Readonly<Record<string, readonly string[]>> = { "---": ["---", "..."], "+++": ["+++"] };

/** Line after it; 0 where there is none. */
export function endOfFrontMatter(lines: readonly string[]): number {
  const closings = CLOSINGS[fenceIn(lines[0])];
  if (closings === undefined) return 0;
  for (let line = 1; line < lines.length; line++) if (closings.includes(fenceIn(lines[line]))) return line + 1;
  return 0;
}

/** Three characters, with nothing but blanks behind them; long lines are not looked through. */
function fenceIn(line = ""): string {
  const mark = line.slice(0, 3);
  return "---+++...".includes(mark) && /^[ \t]*$/.test(line.slice(3)) ? mark : "";
}
