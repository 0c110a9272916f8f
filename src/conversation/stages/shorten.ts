// Shortens tool results in place when the floor is still too big: the largest give first, all results share the
// room, each keeps its head and tail, its id and its pairing, and says where the whole text is.
import type { Format, MessageView } from "../../formats/format.ts";
import { headTail } from "../../text/cut.ts";

/** Below this a result says nothing any more. */
const LEAST_TOKENS = 64;

export interface ShortenInput {
  readonly format: Format;
  /** The candidates: messages of the recent layer that carry tool results. */
  readonly messages: readonly { readonly message: unknown; readonly view: MessageView; readonly reference: string }[];
  /** Tokens by which the list is too big. */
  readonly excess: number;
  readonly count: (text: string) => number;
}

/** Copies of the messages that had to give, by original object. Empty when nothing can be won. */
export function shortenResults(input: ShortenInput): ReadonlyMap<unknown, unknown> {
  const sizes = input.messages.flatMap(({ view }) => resultTexts(view).map(input.count));
  const limit = waterLevel(sizes, sizes.reduce((sum, size) => sum + size, 0) - input.excess);
  const replaced = new Map<unknown, unknown>();
  for (const { message, reference } of input.messages) {
    const shorter = input.format.mapResults(message, (text) => shortenText(text, limit, reference, input.count));
    if (shorter !== message) replaced.set(message, shorter);
  }
  return replaced;
}

function resultTexts(view: MessageView): readonly string[] {
  return view.parts.flatMap((part) => (part.kind === "result" ? [part.text] : []));
}

/** The highest level L with sum(min(size, L)) <= room, not under the least. */
function waterLevel(sizes: readonly number[], room: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = room;
  for (const [position, size] of ascending.entries()) {
    const share = left / (ascending.length - position);
    if (size > share) return Math.max(LEAST_TOKENS, Math.floor(share));
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function shortenText(text: string, limit: number, reference: string, count: (text: string) => number): string {
  const tokens = count(text);
  if (tokens <= limit) return text;
  let units = Math.floor((text.length * limit) / tokens);
  for (;;) {
    const shorter = headTailWithMarker(text, units, reference);
    if (count(shorter) <= limit || units < 32) return shorter.length < text.length ? shorter : text;
    units = Math.floor(units * 0.85);
  }
}

function headTailWithMarker(text: string, units: number, reference: string): string {
  const head = Math.floor(units * 0.6);
  const { head: start, tail, omitted } = headTail(text, head, units - head);
  return `${start}\n[The call completed. ${omitted.toLocaleString("en-US")} characters of its output were left out here to save room; whole text: ${reference}]\n${tail}`;
}
