// Every kind of file against every reader: each is taken by its own and by no other, and no provider's list by any.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/cli/files/parse-text.ts";
import { FORMATS } from "../../../src/factories/formats.ts";
import { READERS } from "../../../src/factories/readers.ts";
import { detectInput } from "../../../src/providers/detect-format.ts";
import type { Format } from "../../../src/providers/format.ts";
import type { SessionReader } from "../../../src/session-files/session-reader.ts";
import { readSessionValues } from "../../../src/session-files/session-values.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";
import { PROVIDER_FILES, SESSION_FILES } from "./sample-sessions.ts";

/** The names of all readers that take a text, as the command line asks them. */
function takers(text: string): readonly string[] {
  const parsed = parseText({ text, skipped: 0 }, "the file", () => true);
  const takes = ({ matches, matchesText }: SessionReader) => {
    if (parsed.kind === "text") return matchesText?.(text) === true;
    if (parsed.kind === "lines") return matches(parsed.values.map(({ value }) => value));
    return matches(Array.isArray(parsed.value) ? parsed.value : [parsed.value]);
  };
  return READERS.filter(takes).map(({ name }) => name);
}

describe("telling files apart", () => {
  it.each(SESSION_FILES)("$name ($form) is taken by its own reader alone", ({ name, text }) => {
    expect(takers(text)).toEqual([name]);
  });

  it.each(PROVIDER_FILES)("$name ($form) is taken by no reader, and by its format", ({ name, text }) => {
    expect(takers(text)).toEqual([]);
    const { values } = readSessionValues(text);
    const isDocument = !text.includes("\n");
    const list = isDocument ? (JSON.parse(text) as unknown) : values.map(({ value }) => value);
    const found = detectInput(list, FORMATS) ?? detectInput([list], FORMATS);
    expect(found?.format.name).toBe(name);
  });

  it("has a sample of every reader", () => {
    const sampled = new Set(SESSION_FILES.map(({ name }) => name));
    expect(READERS.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it.each(SESSION_FILES)("$name ($form) is read as its reader says, and nothing needs healing", ({ name, text }) => {
    const session = READERS.find((reader) => reader.name === name)?.read(text);
    const format = formatOf(session?.format);
    expect(session?.messages.length).toBeGreaterThan(1);
    expect(session?.sources).toHaveLength(session?.messages.length ?? 0);
    expect(format.heal(session?.messages ?? []).messages).toBe(session?.messages);
    expect(format.validate(session?.messages ?? [], { allowOpenTail: true })).toEqual([]);
  });

  it.skipIf(isCorpusAbsent).each(corpusFiles(/transcripts\/(?!.*\.meta\.json)|derived\/openai/))(
    "%s is taken by one reader, or by none when it is a provider's",
    (name) => {
      const isProviders = /vercel-ai-|\/openai-/.test(name);
      expect(takers(readCorpusText(name))).toHaveLength(isProviders ? 0 : 1);
    },
  );
});

function formatOf(name: string | undefined): Format {
  const format = FORMATS.find((candidate) => candidate.name === (name ?? "anthropic"));
  if (format === undefined) throw new Error("no such format");
  return format;
}

/** A file may hold nothing that was said. */
function faultsAfterHealing(format: Format, messages: readonly unknown[] = []): readonly unknown[] {
  const healed = format.heal(messages).messages;
  return format.validate(healed, { allowOpenTail: true }).filter(({ rule }) => rule !== "empty-list");
}

/** A value with one of its parts gone, doubled, or of another kind. */
function damage(value: unknown, picks: readonly number[], junk: unknown): unknown {
  const [pick = 0, ...rest] = picks;
  if (rest.length === 0 || typeof value !== "object" || value === null) return junk;
  if (Array.isArray(value)) {
    const at = value.length === 0 ? 0 : pick % value.length;
    const changed = damage(value[at], rest, junk);
    const middle = changed === REMOVED ? [] : changed === DOUBLED ? [value[at], value[at]] : [changed];
    return [...value.slice(0, at), ...middle, ...value.slice(at + 1)];
  }
  const keys = Object.keys(value);
  const key = keys[pick % Math.max(1, keys.length)] ?? "x";
  const changed = damage((value as Record<string, unknown>)[key], rest, junk);
  const { [key]: _gone, ...others } = value as Record<string, unknown>;
  return changed === REMOVED || changed === DOUBLED ? others : { ...value, [key]: changed };
}

const REMOVED = Symbol("removed");
const DOUBLED = Symbol("doubled");

const junk = fc.oneof(
  fc.constantFrom<unknown>(REMOVED, DOUBLED, null, true, 7, "", " ", "\ud800", [], {}, [null], [[]], "call_1"),
  fc.jsonValue({ maxDepth: 2 }),
);

describe("damaged files", () => {
  it.each(SESSION_FILES)("$name ($form) never makes its reader throw, and heals to a valid list", ({ name, text }) => {
    const reader = READERS.find((candidate) => candidate.name === name);
    const { values } = readSessionValues(text);
    const isLines = text.includes("\n");
    const list = values.map(({ value }) => value);
    const write = (value: unknown) =>
      isLines && Array.isArray(value) ? value.map((line) => JSON.stringify(line)).join("\n") : JSON.stringify(value);
    const changes = fc.array(fc.tuple(fc.array(fc.nat(40), { minLength: 2, maxLength: 8 }), junk), { maxLength: 4 });
    fc.assert(
      fc.property(changes, fc.nat(), fc.boolean(), (edits, cut, isCut) => {
        const changed = edits.reduce<unknown>((value, [picks, what]) => damage(value, picks, what), list);
        const whole = list.length === 0 ? text : String(write(changed));
        const damaged = isCut ? whole.slice(0, cut % (whole.length + 1)) : whole;
        const session = reader?.read(damaged);
        const format = formatOf(session?.format);
        expect(faultsAfterHealing(format, session?.messages)).toEqual([]);
        expect(session?.sources).toHaveLength(session?.messages.length ?? -1);
      }),
      { numRuns: 150 },
    );
  });

  it("aider histories of any lines are read as a valid list", () => {
    const line = fc.constantFrom(
      "# aider chat started at x",
      "#### go  ",
      "#### x",
      "> y  ",
      "> z",
      "said",
      "end  ",
      "",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }), (lines) => {
        const session = READERS.find(({ name }) => name === "aider")?.read(lines.join("\n"));
        expect(faultsAfterHealing(formatOf("anthropic"), session?.messages)).toEqual([]);
      }),
    );
  });
});
