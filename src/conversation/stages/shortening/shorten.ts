// Shortens texts in place when the floor is still too big: the largest give first, all share the room, each keeps
// its head and its tail and says what is missing between them.
import { headTail } from "../../../text/cut.ts";

/** Below this a text says nothing any more. */
const LEAST_TOKENS = 64;

/** A message with texts that may be shortened. */
export interface Shortenable {
  /** Asks for each text in turn and gives a copy with what it got; the same object when nothing changed. */
  readonly map: (shorten: (text: string) => string) => unknown;
  readonly marker: (omitted: number) => string;
  readonly replace: (copy: unknown) => void;
}

/** `excess`: tokens by which the list is too big. */
export function shortenTexts(messages: readonly Shortenable[], excess: number, count: (text: string) => number): void {
  const sizes = messages.flatMap(({ map }) => textsOf(map).map(count));
  const limit = waterLevel(sizes, sizes.reduce((sum, size) => sum + size, 0) - excess);
  for (const { map, marker, replace } of messages) replace(map((text) => shortenText(text, limit, marker, count)));
}

function textsOf(map: Shortenable["map"]): readonly string[] {
  const texts: string[] = [];
  map((text) => {
    texts.push(text);
    return text;
  });
  return texts;
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

function shortenText(
  text: string,
  limit: number,
  marker: Shortenable["marker"],
  count: (text: string) => number,
): string {
  const tokens = count(text);
  if (tokens <= limit) return text;
  let units = Math.floor((text.length * limit) / tokens);
  for (;;) {
    const shorter = headTailWithMarker(text, units, marker);
    if (count(shorter) <= limit || units < 32) return shorter.length < text.length ? shorter : text;
    units = Math.floor(units * 0.85);
  }
}

function headTailWithMarker(text: string, units: number, marker: Shortenable["marker"]): string {
  const head = Math.floor(units * 0.6);
  const { head: start, tail, omitted } = headTail(text, head, units - head);
  return `${start}\n${marker(omitted)}\n${tail}`;
}
