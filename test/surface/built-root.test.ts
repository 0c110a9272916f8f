// The doors as they are built: the same names as their sources, and little that an import of the root loads.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as conversation from "../../src/conversation.ts";
import * as decisions from "../../src/decisions.ts";
import * as index from "../../src/index.ts";
import * as memoryFiles from "../../src/memory-files.ts";
import * as observations from "../../src/observations.ts";
import * as testing from "../../src/testing.ts";
import * as tokens from "../../src/tokens.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const isBuilt = existsSync(join(dist, "index.js"));

/** Files that are read before the first line of the entry runs. */
function loadedBy(entry: string, found = new Map<string, number>()): ReadonlyMap<string, number> {
  if (found.has(entry)) return found;
  const text = readFileSync(entry, "utf8");
  found.set(entry, text.length);
  for (const [, from] of text.matchAll(/^(?:import|export)\s[^;]{0,20000}?from\s?"(\.[^"]{1,200})";/gm))
    loadedBy(join(dirname(entry), from ?? ""), found);
  return found;
}

const sources = { index, conversation, observations, decisions, "memory-files": memoryFiles, tokens, testing };

describe.skipIf(!isBuilt)(`the built doors${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it.each(Object.entries(sources))("%s exports what its source does, of the same kinds", async (door, source) => {
    const built: Readonly<Record<string, unknown>> = await import(join(dist, `${door}.js`));
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
    for (const [name, value] of Object.entries(source)) {
      expect(typeof built[name], name).toBe(typeof value);
      if (typeof value === "function") expect((built[name] as { name: string }).name).toBe(value.name);
    }
  });

  it("reads few files, and small ones, before it is there", () => {
    const files = [...loadedBy(join(dist, "index.js"))];
    expect(files.length).toBeLessThan(25);
    expect(files.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(560_000);
    const text = files.map(([file]) => readFileSync(file, "utf8")).join("\n");
    for (const late of ["src/facts/extract-facts.ts", "src/conversation/compact-conversation.ts", "src/tokens/bpe/"])
      expect(text, late).not.toContain(`// ${late}`);
  });
});
