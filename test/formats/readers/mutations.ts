// Ways in which a session file can be damaged: each value in it replaced by one of another shape, or gone, lines
// written twice, the text cut off. What a reader then gives must still heal to a list that its provider takes.
import { expect } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { openaiResponsesFormat } from "../../../src/providers/openai-responses/openai-responses-format.ts";
import type { SessionReader } from "../../../src/session-files/session-reader.ts";

const STRANGE: readonly unknown[] = [null, 7, "", "\ud800", [null], {}, undefined];

type Container = Record<string, unknown> | unknown[];

/** Copies of `value` with one value in it replaced, all there are. */
function* mutationsOf(value: unknown): Generator<unknown> {
  for (const path of pathsIn(value, [])) {
    for (const strange of STRANGE) {
      const copy = structuredClone(value) as Container;
      const key = path.at(-1) as string;
      let inner = copy as Record<string, unknown>;
      for (const step of path.slice(0, -1)) inner = inner[step] as Record<string, unknown>;
      if (strange === undefined) delete inner[key];
      else inner[key] = strange;
      yield copy;
    }
  }
}

function pathsIn(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])]);
}

/** Throws where the reader throws, or gives what no healing makes valid. */
export function expectSound(reader: SessionReader, text: string): void {
  const session = reader.read(text);
  const format = session.format === "openai-responses" ? openaiResponsesFormat : anthropicFormat;
  if (session.sources.length !== session.messages.length) expect.fail(`sources of ${text.slice(0, 2000)}`);
  const { messages } = format.heal(session.messages);
  const found = messages.length === 0 ? [] : format.validate(messages, { allowOpenTail: true });
  if (found.length > 0) expect.fail(`${JSON.stringify(found[0])} of ${text.slice(0, 2000)}`);
}

/** Gives the number of damaged files that were read. */
export function readDamagedLines(reader: SessionReader, lines: readonly unknown[]): number {
  let count = 0;
  const check = (text: string): void => {
    expectSound(reader, text);
    count += 1;
  };
  const written = lines.map((line) => JSON.stringify(line));
  for (const [at, line] of lines.entries()) {
    const others = (own: readonly string[]) => [...written.slice(0, at), ...own, ...written.slice(at + 1)];
    for (const mutated of mutationsOf(line)) check(others([JSON.stringify(mutated)]).join("\n"));
    const own = written[at] ?? "";
    check(others([own, own]).join("\n"));
    check(others([own + own]).join("\n"));
    check(others([]).join("\n"));
    check(others([own.slice(0, own.length / 2)]).join("\n"));
    reader.matches(others([]).map((text) => JSON.parse(text) as unknown));
  }
  return count;
}

export function readDamagedDocument(reader: SessionReader, document: unknown): number {
  let count = 0;
  for (const mutated of mutationsOf(document)) {
    reader.matches(Array.isArray(mutated) ? mutated : [mutated]);
    expectSound(reader, JSON.stringify(mutated));
    count += 1;
  }
  for (const text of ["", "null", "[]", "{}", "3", '"x"', JSON.stringify(document).slice(0, -9)])
    expectSound(reader, text);
  return count;
}

export const STRANGE_LISTS: readonly (readonly unknown[])[] = [[], ...STRANGE.map((strange) => [strange])];
