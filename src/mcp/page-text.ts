// The text of a page: the next piece of a long text, and the lines under an answer that say what was left out and how to get it.
import { cutAt } from "../text/quote.ts";

/** The piece from `start` with at most `units` UTF-16 units, but at least one code point of a text that goes on. */
export function pieceFrom(text: string, start: number, units: number): string {
  const rest = text.slice(start);
  if (rest === "" || units <= 0) return "";
  const piece = cutAt(rest, units);
  if (piece !== "") return piece;
  // One character longer than the page, as hundreds of marks stacked on a letter: it is parted between code points.
  return rest.slice(0, endsInPair(rest, units) ? units - 1 || 2 : units);
}

/** False for an offset inside a surrogate pair, or beyond the text: the text is not the one that the offset is of. */
export function isPieceStart(text: string, start: number): boolean {
  return start <= text.length && !endsInPair(text, start);
}

function endsInPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}

export const SUMMARY_FOOTER = "\n---\n💡 Use detail_level: standard or full for more detail.";

/** Empty when everything is shown. */
export function navigationFooter(shown: number, total: number, hint: string): string {
  return shown >= total || total <= 0 ? "" : `\n📊 Showing ${shown} of ${total}. ${hint}`;
}

export function cursorFooter(cursor: string | undefined): string {
  return cursor === undefined ? "" : `\n➡️ Next page: call again with cursor: "${cursor}"`;
}
