// What a call is about to store that looks like a secret: told with its place, or replaced where that was asked for. A memory
// keeps what it is given, so the warning is all that stands between a key in a note and every session that reads it.
import * as z from "zod";
import { withoutPrivate } from "../../observations/saving/stored-text.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import type { ToolAnswer, ToolContext } from "../tool.ts";

export const secretsParam = z
  .boolean()
  .optional()
  .describe("True: what looks like a secret is stored as <REDACTED>. Default: it is stored, with a warning");

const MOST_TOLD = 20;

export const secretsResult = z
  .array(z.object({ field: z.string(), line: z.int(), rule: z.string() }))
  .optional()
  .describe(`What looked like a secret; at most ${MOST_TOLD} places are named`);

interface SecretPlace {
  readonly field: string;
  readonly line: number;
  readonly rule: string;
}

type Texts = { readonly title?: string | undefined; readonly content?: string | undefined };

/** The texts as they are to be stored, without those that were not sent, and what was found in them. */
export function savedSecrets<T extends Texts>(
  given: T,
  redact: boolean | undefined,
  { redactor = createRedactor() }: ToolContext,
): { readonly texts: T; readonly secrets: readonly SecretPlace[] } {
  const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const secrets = sent.flatMap(([field, text]) => placesIn(field, withoutPrivate(text), redactor));
  const texts = sent.map(([field, text]) => [field, redact === true ? redactor.text(text) : text]);
  return { texts: Object.fromEntries(texts) as T, secrets };
}

/** One a line, and one more than are told. */
function placesIn(field: string, text: string, redactor: Redactor): readonly SecretPlace[] {
  const places = new Map<number, SecretPlace>();
  for (const { rule, start } of redactor.find(text)) {
    const line = text.slice(0, start).split("\n").length;
    if (!places.has(line)) places.set(line, { field, line, rule });
    if (places.size > MOST_TOLD) break;
  }
  return [...places.values()].sort((left, right) => left.line - right.line);
}

/** The answer with a line for a person and a field for a program, where there is anything to tell. */
export function toldSecrets(
  { text, structured }: ToolAnswer,
  secrets: readonly SecretPlace[],
  redact: boolean | undefined,
): ToolAnswer {
  if (secrets.length === 0) return { text, structured };
  const told = secrets.slice(0, MOST_TOLD);
  const places = told.map(({ field, line, rule }) => `${field} line ${line} (${rule})`).join(", ");
  const more = secrets.length > told.length ? ", ..." : "";
  const line =
    redact === true
      ? `Stored as <REDACTED>: ${places}${more}`
      : `Warning: stored, and looks like a secret: ${places}${more}. To be rid of it: mem_delete with hard_delete, then save again with redact: true.`;
  return { text: `${text}\n${line}`, structured: { ...structured, secrets: told } };
}
