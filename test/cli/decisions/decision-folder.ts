// A folder of decision records, written as an agent's log has them: one YAML file each.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { DAY_MS, isoTime } from "../../../src/time.ts";
import { call, newFolder, type Outcome } from "../command-line.ts";

const HOUR_MS = 3_600_000;

export type SampleRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** An hour more than so many whole days before now. */
export function daysAgo(days: number): string {
  return isoTime(Date.now() - days * DAY_MS - HOUR_MS);
}

export function record(id: string, days: number, more: Readonly<Record<string, unknown>> = {}): SampleRecord {
  const summary = `Decide about part ${id}`;
  return {
    id,
    summary,
    decision: summary,
    category: "architecture",
    confidence: 0.8,
    status: "pending",
    date: daysAgo(days),
    ...more,
  };
}

export function reviewed(id: string, days: number, more: Readonly<Record<string, unknown>> = {}): SampleRecord {
  return record(id, days, {
    status: "reviewed",
    outcome: "success",
    reviewed_at: daysAgo(Math.max(0, days - 3)),
    ...more,
  });
}

export function writeRecords(folder: string, records: readonly SampleRecord[]): void {
  for (const each of records) {
    const day =
      typeof each.date === "string" && /^\d{4}-\d{2}-\d{2}/.test(each.date) ? each.date.slice(0, 10) : "2026-01-01";
    const file = join(folder, day.slice(0, 4), day.slice(5, 7), `${day}-decision-${each.id}.yaml`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, stringify(each));
  }
}

/** A folder whose `decisions` holds them. */
export function folderWith(records: readonly SampleRecord[]): string {
  const cwd = newFolder();
  writeRecords(join(cwd, "decisions"), records);
  return cwd;
}

/** Its home is the folder itself, so that nothing of whoever runs the tests is found. */
export function decisions(
  cwd: string,
  words: readonly string[],
  more: { isTerminal?: boolean } = {},
): Promise<Outcome> {
  return call(["decisions", ...words], { cwd, env: { HOME: cwd }, ...more });
}

/** The one object on stdout. */
// biome-ignore lint/suspicious/noExplicitAny: tests look wherever they like
export async function json(cwd: string, words: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await decisions(cwd, [...words, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("\n") && !stdout.trimEnd().includes("\n")).toBe(true);
  return JSON.parse(stdout);
}

/** Two of each level, one that another has superseded, one preserved, one without a readable date. */
export const EVERY_KIND: readonly SampleRecord[] = [
  record("aaaa0001", 2, {
    context: "The ledger has outgrown its file.",
    reasons: [{ type: "empirical", text: "Three load tests passed" }],
    tags: ["ledger"],
    stakes: "high",
    recorded_by: "planner",
  }),
  record("aaaa0002", 200),
  reviewed("bbbb0001", 10, { lessons: "Measure before choosing", actual_result: "Twice as fast" }),
  reviewed("bbbb0002", 20, { category: "process", outcome: "failure", confidence: 0.9 }),
  reviewed("cccc0001", 40, { bridge: { structure: "a queue", function: "evens out the load" } }),
  reviewed("cccc0002", 60, { category: "process", outcome: "partial" }),
  reviewed("dddd0001", 100, { pattern: "Boring technology first" }),
  reviewed("dddd0002", 400, { superseded_by: "dddd0001", pattern: "Boring technology first" }),
  reviewed("eeee0001", 300, { preserve: true }),
  reviewed("ffff0001", 0, { date: "soon" }),
];
