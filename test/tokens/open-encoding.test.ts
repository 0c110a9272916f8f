// Where no file can be read, as in a browser: a clear error, then the bytes handed over.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { createTokenCounter, provideTokenRanks } from "../../src/tokens.ts";

const { getBuiltinModule } = process;

beforeAll(() => {
  Reflect.set(process, "getBuiltinModule", undefined);
});

afterAll(() => {
  Reflect.set(process, "getBuiltinModule", getBuiltinModule);
});

it("says which file to hand over, and counts once it has it", () => {
  const counter = createTokenCounter({ encoding: "cl100k_base" });
  expect(counter.count("")).toBe(0);
  let caught: unknown;
  try {
    counter.count("hello world");
  } catch (error) {
    caught = error;
  }
  expect(CompactError.isInstance(caught) && [caught.kind, caught.code]).toEqual([
    "MissingDependency",
    "MISSING_ENCODING",
  ]);
  expect(CompactError.isInstance(caught) && caught.hint).toMatch(/ranks\/cl100k_base\.ranks.*provideTokenRanks/);

  provideTokenRanks("cl100k_base", readFileSync(new URL("../../src/tokens/ranks/cl100k_base.ranks", import.meta.url)));
  expect(counter.count("hello world")).toBe(2);
});
