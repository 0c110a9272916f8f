// OBSERVABILITY.md has what an operator needs, and shows the run that its picture shows.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";

const page = readFileSync("OBSERVABILITY.md", "utf8");
const recorded = readFileSync("docs/reference/timeline.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the observability page", () => {
  it("has every event, the set-up of viewer and collector, and a timeline", () => {
    verifies("conversation/observability-guide");
    const reference = readFileSync("docs/reference/events.md", "utf8");
    const names = new Set(reference.match(/`compact\.\w+`/g));
    expect(names.size).toBeGreaterThan(10);
    for (const { event } of recorded) expect(names).toContain(`\`${event}\``);
    for (const words of ["ariadne_url", "otlp_url", "docs/reference/events.md", "docs/timeline.svg"]) {
      expect(page).toContain(words);
    }
    const bars = readFileSync("docs/timeline.svg", "utf8").match(/class="(?:done|error)"/g);
    expect(bars).toHaveLength(recorded.length);
    const linked = [...page.matchAll(/\]\(((?!https?:|#)[^)#]+)/g)].map(([, path]) => path ?? "");
    expect(linked.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("shows the recorded run, field by field", () => {
    const block = page.match(/```json\n(\{"event":"compact\.token_estimate"[\s\S]*?)\n```/)?.[1] ?? "";
    const shown = block.split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(shown).toHaveLength(recorded.length);
    for (const [at, fields] of shown.entries()) {
      const { run_id, ...rest } = fields;
      expect(recorded[at]).toMatchObject(rest);
      expect(recorded[at]?.run_id).toMatch(new RegExp(`^${run_id}`));
    }
  });
});
