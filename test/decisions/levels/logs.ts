// Every log that the tests of the domain run on, and records to fill them with.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { createCstpYamlDecisionLog } from "../../../src/decisions/cstp-yaml-decision-log.ts";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { createSqliteDecisionLog } from "../../../src/decisions/sqlite-decision-log.ts";

/** Each opens a log of its own, empty. */
export const logs: readonly (readonly [string, () => Promise<DecisionLog>])[] = [
  ["memory", async () => createMemoryDecisionLog()],
  ["sqlite", async () => createSqliteDecisionLog({ path: ":memory:", create: true })],
  ["folder", async () => createCstpYamlDecisionLog({ path: await temporaryFolder(), create: true })],
];

const opened: DecisionLog[] = [];
const folders: string[] = [];

/** Closed when the test is over. */
export function closing(log: DecisionLog): DecisionLog {
  opened.push(log);
  return log;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "decisions-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

export async function filled(open: () => Promise<DecisionLog>, records: readonly RawDecision[]): Promise<DecisionLog> {
  const log = closing(await open());
  await log.write(async (writer) => {
    for (const record of records) await writer.add(record);
  });
  return log;
}

/** All records as they are stored, sorted by id. */
export async function rawRecords(log: DecisionLog): Promise<readonly RawDecision[]> {
  return log.read(async (reader) => {
    const ids = await reader.idsLike("", 10_000);
    return (await reader.decisions(ids)).map(({ raw }) => raw);
  });
}
