// Session files of hosts: which reader takes a file, and what it gives as messages of a provider.
import type { Format } from "../../formats/format.ts";
import type { SessionReader } from "../../formats/readers/reader.ts";
import { FORMATS } from "../../from-config/formats.ts";
import { READERS } from "../../from-config/readers.ts";
import { badInput } from "./bad-input.ts";
import type { FoundMessages } from "./found-messages.ts";
import type { ParsedText } from "./parse-text.ts";

/** The first that takes the file, or undefined. */
export function findReader(parsed: ParsedText): SessionReader | undefined {
  return READERS.find((reader) => takes(reader, parsed));
}

function takes(reader: SessionReader, parsed: ParsedText): boolean {
  return parsed.kind === "text" ? reader.matchesText?.(parsed.text) === true : reader.matches(valuesOf(parsed));
}

function valuesOf(parsed: Exclude<ParsedText, { readonly kind: "text" }>): readonly unknown[] {
  if (parsed.kind === "lines") return parsed.values.map(({ value }) => value);
  return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
}

/** Throws `InvalidInput` for a file of another kind, and for a session in which nothing was said. */
export function readSession(reader: SessionReader, parsed: ParsedText, text: string, label: string): FoundMessages {
  if (!takes(reader, parsed))
    throw badInput(
      "WRONG_FORMAT",
      `${label} is not ${withArticle(reader.title)}.`,
      "Leave --format out to have its format found.",
    );
  const read = reader.read(text);
  if (read.messages.length === 0)
    throw badInput(
      "NO_MESSAGES",
      `${label} is ${withArticle(reader.title)} without a message.`,
      "Give a session in which something was said.",
    );
  const { sessionId, messages, system, tools, notes } = read;
  return {
    format: nativeFormat(read.format ?? "anthropic"),
    readAs: reader.name,
    messages,
    layout: undefined,
    notes,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

function nativeFormat(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

function withArticle(title: string): string {
  return `${/^[aeiou]/i.test(title) ? "an" : "a"} ${title}`;
}
