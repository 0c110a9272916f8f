// The root as it is built: the same names as its source, though most are loaded at their first call, and little that an
// import of it loads.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as source from "../../src/index.ts";

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

describe.skipIf(!isBuilt)(`the built root${isBuilt ? "" : " (skipped: no build)"}`, () => {
  const load = async () => (await import(join(dist, "index.js"))) as typeof source;

  it("exports what its source does, of the same kinds", async () => {
    const built: Readonly<Record<string, unknown>> = await load();
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
    for (const [name, value] of Object.entries(source)) {
      expect(typeof built[name], name).toBe(typeof value);
      if (typeof value === "function") expect((built[name] as { name: string }).name).toBe(name);
    }
  });

  it("answers, throws and yields as its source does", async () => {
    const {
      createMemoryDecisionLog,
      createMemoryObservationStore,
      exportObservations,
      recordDecision,
      saveObservation,
    } = await load();
    const log = createMemoryDecisionLog();
    const wrong = { decision: "" } as never;
    const now = Date.UTC(2031, 4, 6);
    await expect(recordDecision(log, wrong, { now } as never)).rejects.toMatchObject({ kind: "InvalidInput" });
    const store = createMemoryObservationStore();
    await saveObservation(store, { title: "Crane", content: "Seven is out of order." }, { now });
    const lines: string[] = [];
    for await (const line of exportObservations(store, { now: () => now })) lines.push(line);
    expect(lines.join("")).toContain("Seven is out of order.");
  });

  it("reads few files, and small ones, before it is there", () => {
    const files = [...loadedBy(join(dist, "index.js"))];
    expect(files.length).toBeLessThan(25);
    expect(files.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(500_000);
    const text = files.map(([file]) => readFileSync(file, "utf8")).join("\n");
    for (const late of ["src/facts/extract-facts.ts", "src/conversation/compact-conversation.ts", "src/tokens/bpe/"])
      expect(text, late).not.toContain(`//#region ${late}`);
  });
});
