// The text of a whole conversation that comes from no list of its own: a bare array, or an object where something
// stands beside the messages. Under the keys of the provider's request, so that it is read again as what it is.
import type { Format } from "../../formats/format.ts";

export interface WrittenConversation {
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
