// An agent that goes by the server's instructions, over a real client and the built server: it finds what is stale,
// compacts it in two phases, finds the summary by search and brings everything back, row for row.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { tables } from "../../src/observations/sqlite/schema.ts";
import type { SqlRow } from "../../src/storage/sqlite/driver.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { verifies } from "../requirements/verifies.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const isBuilt = existsSync(program);
const corpus = process.env.AGENT_CORPUS;

function newDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "memory.db");
}

async function query(path: string, sql: string): Promise<readonly SqlRow[]> {
  const database = (await findDriver()).open(path);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

const everything = (path: string) => query(path, "SELECT * FROM observations ORDER BY id");
const schema = (path: string) => query(path, "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name");

async function connect(path: string) {
  const client = new Client({ name: "scripted agent", version: "1" });
  const argv = [program, "mcp", "--db", path];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: argv, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given });
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    return result.structuredContent as Record<string, never>;
  };
}

interface Stale {
  readonly total: number;
  readonly compact_ids: readonly number[];
  readonly next_cursor?: string;
}

/** Follows the instructions; gives the summaries it wrote. */
async function compactAll(call: Awaited<ReturnType<typeof connect>>): Promise<readonly number[]> {
  const proposed: number[] = [];
  let cursor: string | undefined;
  do {
    const given = { older_than_days: "30", ...(cursor === undefined ? {} : { cursor }) };
    const { stale } = (await call("mem_compact", given)) as unknown as { readonly stale: Stale };
    proposed.push(...stale.compact_ids);
    cursor = stale.next_cursor;
  } while (cursor !== undefined);
  const summaries: number[] = [];
  for (let from = 0; from < proposed.length; from += 200) {
    const ids = proposed.slice(from, from + 200);
    await call("mem_get", { id: ids[0] });
    const { compaction } = (await call("mem_compact", {
      older_than_days: 30,
      compact_ids: JSON.stringify(ids),
      summary_title: `Compacted ${ids.length} notes`,
      summary_content: `The zanzibarite summary of notes ${ids[0]} to ${ids.at(-1)}`,
    })) as unknown as { readonly compaction: { readonly summary_id: number; readonly deleted: number } };
    expect(compaction.deleted).toBe(ids.length);
    summaries.push(compaction.summary_id);
  }
  return summaries;
}

async function findAll(call: Awaited<ReturnType<typeof connect>>, words: string): Promise<readonly number[]> {
  const found: number[] = [];
  let cursor: string | undefined;
  do {
    const given = { query: words, limit: 20, ...(cursor === undefined ? {} : { cursor }) };
    const page = (await call("mem_search", given)) as unknown as {
      readonly memories: readonly { readonly id: number }[];
      readonly next_cursor?: string;
    };
    found.push(...page.memories.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found.toSorted((a, b) => a - b);
}

async function walk(path: string): Promise<void> {
  const before = await everything(path);
  const schemaBefore = await schema(path);
  const call = await connect(path);
  const summaries = await compactAll(call);
  expect(summaries.length).toBeGreaterThan(0);
  const live = (await everything(path)).filter(({ deleted_at }) => deleted_at === null);
  expect(live.length).toBeLessThan(before.length / 2);
  expect(await findAll(call, "zanzibarite")).toEqual(summaries);
  for (const summary_id of summaries) await call("mem_restore", { summary_id });
  const after = await everything(path);
  const isNew = ({ id }: SqlRow) => summaries.includes(Number(id));
  expect(after.filter((row) => !isNew(row))).toEqual(before);
  expect(after.filter(isNew).every(({ deleted_at }) => deleted_at !== null)).toBe(true);
  expect(await query(path, "SELECT * FROM relations WHERE type = 'compacted_from'")).toEqual([]);
  expect(await schema(path)).toEqual(schemaBefore);
  expect(await query(path, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
}

describe.skipIf(!isBuilt)(`an agent at work${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it("compacts and restores another program's database of before there were namespaces", async () => {
    verifies("rulings/observation-schema", "rulings/compacted-from-relations");
    const path = newDatabase();
    const older = tables.map(({ sql }) =>
      sql.replaceAll(/^\s*namespace TEXT,$/gm, "").replace(/^.*idx_obs_namespace.*$/m, ""),
    );
    const database = (await findDriver()).open(path);
    database.exec(older.join("\n"));
    database.exec("INSERT INTO sessions (id, project, directory) VALUES ('s', 'shop', '/shop')");
    const add = database.prepare(
      "INSERT INTO observations (session_id, type, title, content, project, scope, created_at, updated_at) VALUES ('s', 'decision', ?, ?, 'shop', 'project', ?, ?)",
    );
    for (let index = 0; index < 450; index++) {
      const at = `2024-0${(index % 9) + 1}-11 10:00:00`;
      add.run(`Note ${index}`, `Port ${3000 + index} serves part ${index}`, at, at);
    }
    database.close();
    expect(JSON.stringify(await schema(path))).not.toContain("namespace");
    await walk(path);
  });

  it.skipIf(corpus === undefined)(
    "does so with real stores of 539, 494 and 8,878 rows",
    { timeout: 240_000 },
    async () => {
      const path = newDatabase();
      const folder = join(corpus ?? "", "observations");
      const files = [
        "engram-export-2026-05-04.json.gz",
        "engram-chunk-541e3f0d-until-2026-05-03.json.gz",
        "openclaw-ams-memories.json.gz",
      ];
      const importing = () =>
        JSON.parse(
          spawnSync(
            process.execPath,
            [program, "observations", "import", ...files.map((file) => join(folder, file)), "--db", path, "--json"],
            { encoding: "utf8" },
          ).stdout,
        ) as { readonly files: readonly { readonly added: number; readonly unchanged: number }[] };
      expect(importing().files.map(({ added, unchanged }) => [added, unchanged])).toEqual([
        [494, 0],
        [45, 494],
        [8878, 0],
      ]);
      expect(importing().files.map(({ added }) => added)).toEqual([0, 0, 0]);
      await walk(path);
    },
  );
});
