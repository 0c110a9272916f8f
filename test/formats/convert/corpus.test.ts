// Real sessions, each converted to all three formats: what comes out is what the provider takes, and about as long.
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/factories/formats.ts";
import { READERS } from "../../../src/factories/readers.ts";
import { convertConversation, type ProviderFormat } from "../../../src/providers/conversion/convert-conversation.ts";
import { detectInput } from "../../../src/providers/detect-format.ts";
import type { Format } from "../../../src/providers/format.ts";
import { readJsonValues } from "../../../src/text/json.ts";
import { countRequest, sumOfRequest } from "../../../src/tokens/budget.ts";
import { createMessageCounter } from "../../../src/tokens/count-messages.ts";
import { counterFor } from "../../../src/tokens/create-token-counter.ts";
import { resolveModel } from "../../../src/tokens/models.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";
import { readSaid } from "./views-compared.ts";

interface Found {
  readonly format: Format;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
}

/** Undefined for a file of a host that has no reader. */
function readAny(name: string): Found | undefined {
  const text = readCorpusText(name);
  const whole = parse(text);
  const values = Array.isArray(whole) ? whole : [whole];
  const reader = READERS.find((candidate) => candidate.matches(values));
  if (reader === undefined) return detectInput(whole, FORMATS);
  const { messages, system, tools, format = "anthropic" } = reader.read(text);
  return { format: formatOf(format), messages, system, ...(tools === undefined ? {} : { tools }) };
}

/** One document, or the values of its lines. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return readJsonValues(text).values.map(({ value }) => value);
  }
}

function formatOf(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

/** Without reasoning, also what stands beside calls: it has no place in another provider's list. */
function countTokens({ format, messages, system, tools }: Found): number {
  const counter = createMessageCounter(counterFor(resolveModel(undefined)));
  const kept = format.withoutReasoning(messages);
  const views = kept.map((message) => {
    const view = format.view(message);
    return { ...view, parts: view.parts.filter(({ kind }) => kind !== "thinking") };
  });
  return sumOfRequest(countRequest({ messages: kept, views, system, tools }, counter));
}

const sessions = corpusFiles(
  /transcripts\/(claude-code|pi-|gemini|swe|tau).*(?<!meta)\.json|derived\/openai-|transcripts\/vercel/,
);

describe.skipIf(isCorpusAbsent)("real sessions", () => {
  it.for(sessions)("%s is every provider's", { timeout: 120_000 }, (name, { skip }) => {
    const found = readAny(name);
    if (found === undefined) return skip("no reader takes it");
    const from = found.format.name as ProviderFormat;
    // Damage of the source is the source's: what is compared is a list that was whole.
    const { messages } = found.format.heal(found.messages);
    const before = readSaid(found.format, messages);
    const tokens = countTokens({ ...found, messages });
    const shares: string[] = [];
    for (const target of FORMATS.filter((format) => format !== found.format)) {
      const to = target.name as ProviderFormat;
      const converted = convertConversation({ ...found, format: from, messages }, to);
      expect(target.validate(converted.messages, { allowOpenTail: true })).toEqual([]);
      const after = readSaid(target, converted.messages);
      expect(after.calls.map((call) => call.name)).toEqual(before.calls.map((call) => call.name));
      expect(after.calls.map((call) => call.input)).toEqual(before.calls.map((call) => call.input));
      expect(after.images).toBe(before.images);
      const all = `${JSON.stringify(converted.system ?? "")}\n${after.texts.join("\n")}`;
      const missing = before.texts.filter(
        (text) => !all.includes(text.trimEnd()) && !all.includes(JSON.stringify(text).slice(1, -1)),
      );
      expect(missing).toEqual([]);
      for (const [at, { result }] of before.calls.entries()) {
        if (result === undefined) expect(after.calls[at]?.result).toBeUndefined();
        else expect(after.calls[at]?.result).toContain(result);
      }
      shares.push(`${to} ${countTokens({ ...converted, format: target })}`);
      const share = countTokens({ ...converted, format: target }) / tokens;
      if (!name.includes("vercel")) expect(Math.abs(share - 1)).toBeLessThan(0.06);
      const damaged = convertConversation({ ...found, format: from }, to);
      expect(target.validate(target.heal(damaged.messages).messages, { allowOpenTail: true })).toEqual([]);
    }
    process.stdout.write(`${name}: ${from} ${tokens} -> ${shares.join(", ")}\n`);
  });
});
