// The text of a compacted list, made from the text it came from: what stayed is copied as it was written, what is
// new is one line of JSON in its place. Everything around the list stays.
import type { Slice } from "../../text/json-slices.ts";
import type { Layout } from "../input/conversation-source.ts";

export interface SpliceInput {
  readonly text: string;
  readonly layout: Layout | undefined;
  /** As read from `text`, one for each slice of the layout. */
  readonly before: readonly unknown[];
  /** The result. Messages that were kept are the same objects as in `before`. */
  readonly after: readonly unknown[];
}

/** The whole result in pieces, so that it may be longer than one string can be. */
export function spliceMessages({ text, layout, before, after }: SpliceInput): readonly string[] {
  if (layout === undefined) return writeList(after);
  const slices = layout.kind === "lines" ? layout.slices : layout.array.elements;
  const written = takeSlices(text, slices, before, after);
  if (layout.kind === "lines") {
    const newline = text.includes("\r\n") ? "\r\n" : "\n";
    const hasLastNewline = text.endsWith("\n");
    return [...joined(written, newline), ...(hasLastNewline ? [newline] : [])];
  }
  const { array } = layout;
  const first = array.elements[0];
  const last = array.elements.at(-1);
  const opening = first === undefined ? array.start + 1 : first.start;
  const closing = last === undefined ? array.end - 1 : last.end;
  return [
    text.slice(0, opening),
    ...joined(written, separatorOf(text, array.elements, array.start)),
    text.slice(closing),
  ];
}

/** A list that comes from no JSON list: one message a line, easy to read and to compare. */
export function writeList(messages: readonly unknown[]): readonly string[] {
  if (messages.length === 0) return ["[]\n"];
  const lines = messages.map((message) => JSON.stringify(message));
  return ["[\n", ...joined(lines, ",\n"), "\n]\n"];
}

function takeSlices(
  text: string,
  slices: readonly Slice[],
  before: readonly unknown[],
  after: readonly unknown[],
): string[] {
  const places = new Map<unknown, Slice>();
  for (const [index, message] of before.entries()) {
    const slice = slices[index];
    if (slice !== undefined) places.set(message, slice);
  }
  return after.map((message) => {
    const slice = places.get(message);
    return slice === undefined ? JSON.stringify(message) : text.slice(slice.start, slice.end);
  });
}

/** What stands between the first two elements; with a single one, a comma and the space before it. */
function separatorOf(text: string, [first, second]: readonly Slice[], start: number): string {
  if (first !== undefined && second !== undefined) return text.slice(first.end, second.start);
  return `,${first === undefined ? "" : text.slice(start + 1, first.start)}`;
}

function joined(pieces: readonly string[], separator: string): string[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}
