// A log of many decisions from a seed, as years of agents' work would leave it: made once, kept for the next run.
import { existsSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RawDecision } from "../../src/decisions/decision.ts";
import { createSqliteDecisionLog } from "../../src/decisions/sqlite-decision-log.ts";
import { DAY_MS } from "../../src/time.ts";
import { randomFrom, word } from "../observations/note-text.ts";

export const NOW = Date.UTC(2026, 2, 1);
/** All decisions are of wisdom's age then. */
export const LATER = NOW + 100 * DAY_MS;
const SPAN = 365 * DAY_MS;
const BATCH = 5_000;
/** Raise it when what is built, or what a log makes of it, changes. */
const EDITION = 1;

const CATEGORIES = ["architecture", "process", "security", "tooling", "testing", "data", "interface", "operations"];
const AGENTS = ["planner", "coder", "reviewer", "operator"];
const ACTIONS = [
  "Prefer",
  "Always use",
  "Never skip",
  "Check",
  "Measure",
  "Avoid",
  "Document",
  "Automate",
  "Review",
  "Split",
];
const OBJECTS = [
  "small steps",
  "the search before writing",
  "typed boundaries",
  "one source of truth",
  "a second opinion",
];
const DRESSES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => `${text}.`,
  (text) => `Clearly, ${text.toLowerCase()}`,
];

type Random = () => number;
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

/** One of fifty principles, in one of the ways it is written. */
function principle(random: Random): string {
  return pick(random, DRESSES)(`${pick(random, ACTIONS)} ${pick(random, OBJECTS)}`);
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(Math.floor(20_000 ** random()))).join(" ");
}

export function sampleRecord(random: Random, index: number, count: number): RawDecision {
  const at = NOW - SPAN + (SPAN * index) / count;
  return {
    id: index.toString(16).padStart(8, "0"),
    decision: words(random, 12),
    date: new Date(at).toISOString(),
    category: pick(random, CATEGORIES),
    recorded_by: pick(random, AGENTS),
    status: "reviewed",
    confidence: Math.round(random() * 20) / 20,
    stakes: pick(random, ["low", "medium", "high"]),
    context: words(random, 25),
    pattern: principle(random),
    ...(random() < 1 / 3 ? { lessons: principle(random) } : {}),
    reasons: [
      { type: "pattern", text: random() < 0.5 ? principle(random) : words(random, 3), strength: 0.8 },
      { type: "analysis", text: words(random, 10), strength: 0.6 },
    ],
    tags: [words(random, 1), words(random, 1)],
    bridge: { structure: words(random, 4), function: words(random, 6) },
    outcome: pick(random, ["success", "success", "success", "partial", "failure"]),
    actual_result: words(random, 12),
    ...(random() < 0.02 ? { preserve: true } : {}),
    ...(random() < 0.02
      ? {
          supersedes: [
            Math.floor(random() * index)
              .toString(16)
              .padStart(8, "0"),
          ],
        }
      : {}),
  };
}

export function* sampleRecords(count: number): Generator<RawDecision> {
  const random = randomFrom(1);
  for (let index = 0; index < count; index++) yield sampleRecord(random, index, count);
}

/** Gives the path of a database with `count` decisions. */
export async function buildLog(count: number): Promise<string> {
  const path = join(tmpdir(), `agent-compact-bench-decisions-${EDITION}-${count}.db`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(unfinished + suffix, { force: true });
  const log = createSqliteDecisionLog({ path: unfinished, create: true });
  const records = [...sampleRecords(count)];
  for (let first = 0; first < count; first += BATCH) {
    await log.write(async (writer) => {
      for (const record of records.slice(first, first + BATCH)) await writer.add(record);
    });
  }
  await log.close();
  renameSync(unfinished, path);
  return path;
}
