// Cuts the next piece from a long text that is given in pages: never through a character, and never nothing, so that
// every page gets on.
import { cutAt } from "../../text/cut.ts";

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
