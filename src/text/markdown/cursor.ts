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

export function isBlankCode(code: number): boolean {
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
export function skipMark(cursor: Cursor, length: number): void {
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
