// The text of a whole conversation that comes from no list of its own: a bare array, or an object where something
// stands beside the messages. Under the keys of the provider's request, so that it is read again as what it is.
import type { Format } from "../../providers/format.ts";
import type { Slice } from "../../text/json.ts";
import type { Layout } from "./conversation-source.ts";

interface WrittenConversation {
  readonly format: Format;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
}

/** In pieces, one message a line. */
export function writeConversation({ format, messages, system, tools }: WrittenConversation): readonly string[] {
  const isResponses = format.name === "openai-responses";
  const beside = {
    ...(system === undefined ? {} : { [isResponses ? "instructions" : "system"]: system }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools }),
  };
  // Plain messages alone are every provider's, and would be taken for chat messages.
  const isBare = Object.keys(beside).length === 0 && (!isResponses || format.matches(messages));
  if (isBare) return writeList(messages);
  const fields = Object.entries(beside).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  return ["{\n", ...fields, `"${isResponses ? "input" : "messages"}": `, ...writeList(messages), "}\n"];
}

/** A list that comes from no JSON list: one message a line, easy to read and to compare. */
export function writeList(messages: readonly unknown[]): readonly string[] {
  if (messages.length === 0) return ["[]\n"];
  const lines = messages.flatMap((message, index) => [index === 0 ? "" : ",\n", JSON.stringify(message)]);
  return ["[\n", ...lines, "\n]\n"];
}

// The text of a compacted list, made from the text it came from: what stayed is copied as it was written, what is
// new is one line of JSON in its place. Everything around the list stays.

/** Without a layout, all of the result is new: what stands beside the messages is written with them. */
interface SpliceInput extends Omit<WrittenConversation, "messages"> {
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
