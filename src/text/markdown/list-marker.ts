// The marker of a list item, and how far the item's content is indented behind it.
import { type Cursor, indentOf, isBlank, skipColumns, skipMark } from "./cursor.ts";

const ZERO = 48;
const NINE = 57;
const MOST_DIGITS = 9;

export interface ListMarker {
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
