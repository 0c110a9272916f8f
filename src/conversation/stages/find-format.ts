// Which format a list is in: the one the caller named, else the first that knows its shape.
import { CompactError } from "../../errors.ts";
import type { Format } from "../../formats/format.ts";
import type { ConversationInput } from "../conversation-parts.ts";

/** Throws `InvalidInput` (`UNKNOWN_FORMAT`). */
export function findFormat({ messages, format: name }: ConversationInput, formats: readonly Format[]): Format {
  const isWanted = (candidate: Format) => (name === undefined ? candidate.matches(messages) : candidate.name === name);
  const format = name === undefined && messages.length === 0 ? formats[0] : formats.find(isWanted);
  if (format !== undefined) return format;
  const odd = messages.findIndex((message) => !formats.some((candidate) => candidate.matches([message])));
  const where = odd < 0 ? "" : `; message ${odd + 1} is the first that none of them knows`;
  const what =
    name === undefined
      ? `The ${messages.length} messages match no known format${where}.`
      : `There is no format named ${JSON.stringify(name)}.`;
  throw new CompactError("InvalidInput", what, {
    code: "UNKNOWN_FORMAT",
    hint: `Use one of: ${formats.map((candidate) => candidate.name).join(", ")}.`,
  });
}
