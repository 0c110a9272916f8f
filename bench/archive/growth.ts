// What a long session with many compactions takes on disk, packed and not, and what each compaction writes.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectContent } from "../../src/archive/content.ts";
import { createFsFiles } from "../../src/archive/fs-files.ts";
import { createFileArchive } from "../../src/archive/stored-archive.ts";
import { CompactManager, createJsonlSink } from "../../src/index.ts";
import { OPENING, sessionTurns } from "../soak/session-turns.ts";

const SEED = 3;
const TOKENS = 700_000;
const WINDOW = 10_000;
const SESSION = "session";

export interface Growth {
  readonly turns: number;
  readonly compactions: number;
  /** Bytes of all messages as lines of JSON. */
  readonly said: number;
  /** Bytes on disk by kind of file. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Bytes that each compaction wrote, events aside. */
  readonly written: readonly number[];
}

/** A look before each answer, as a host does. */
export async function measureGrowth(turns: number, compression: "none" | "gzip"): Promise<Growth> {
  const path = mkdtempSync(join(tmpdir(), "archive-growth-"));
  try {
    const files = createFsFiles(path, Date.now);
    const written: number[] = [];
    let bytes = 0;
    const counted = async (content: Parameters<typeof files.create>[2]) => {
      const all = await collectContent(content);
      bytes += all.length;
      return all;
    };
    const archive = createFileArchive(
      {
        ...files,
        create: async (session, name, content, what) => files.create(session, name, await counted(content), what),
        replace: async (session, name, content, what) => files.replace(session, name, await counted(content), what),
      },
      { compression },
    );
    const manager = new CompactManager({ maxContextTokens: WINDOW, archive, trace: [createJsonlSink({ path })] });
    let list = OPENING;
    let said = 0;
    for (const { request, step, answer } of sessionTurns(SEED, turns, (TOKENS * turns) / 2000)) {
      const added = [...request, ...step, ...answer];
      said += added.reduce<number>((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)) + 1, 0);
      bytes = 0;
      list = await manager.preflight(SESSION, [...list, ...added]);
      if (bytes > 0) written.push(bytes);
    }
    await manager.close();
    return { turns, compactions: written.length, said, kinds: kindsIn(path), written };
  } finally {
    rmSync(path, { recursive: true });
  }
}

const KINDS = ["transcript", "summary", "state", "events", "catalog"] as const;

function kindsIn(path: string): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const kind = KINDS.find((one) => entry.name.startsWith(one)) ?? "catalog";
    if (entry.isFile()) kinds.set(kind, (kinds.get(kind) ?? 0) + statSync(join(entry.parentPath, entry.name)).size);
  }
  return kinds;
}
