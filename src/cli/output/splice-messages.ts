// The text of a compacted list, made from the text it came from: what stayed is copied as it was written, what is
// new is one line of JSON in its place. Everything around the list stays.
import type { Slice } from "../../text/json-slices.ts";
import type { Layout } from "../input/conversation-source.ts";
import { type WrittenConversation, writeConversation } from "./write-conversation.ts";

/** Without a layout, all of the result is new: what stands beside the messages is written with them. */
export interface SpliceInput extends Omit<WrittenConversation, "messages"> {
  readonly text: string;
  readonly layout: Layout | undefined;
  /** As read from `text`, one for each slice of the layout. */
  readonly before: readonly unknown[];
  /** The result. Messages that were kept are the same objects as in `before`. */
  readonly after: readonly unknown[];
}

/** The whole result in pieces, so that it may be longer than one string can be. */
export function spliceMessages({ text, layout, before, after, ...beside }: SpliceInput): readonly string[] {
  if (layout === undefined) return writeConversation({ ...beside, messages: after });
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
