// An archive of many sessions on a disk, made once and kept in the temporary folder: as compactions write it, but without
// waiting for the disk after each file.
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredFile } from "../../src/archive/archive.ts";
import { isCatalogued, wholeLine } from "../../src/archive/catalog-lines.ts";
import { collectContent } from "../../src/archive/content.ts";
import { createFsFiles } from "../../src/archive/fs-files.ts";
import { createFileArchive } from "../../src/archive/stored-archive.ts";
import { sessionFolder } from "../../src/storage/session-folder.ts";
import { sha256OfBytes } from "../../src/storage/sha256.ts";
import { asRedactedList, summaryRecord } from "../../test/archive/redacted-samples.ts";
import { sessionTexts } from "../tokens/session-text.mjs";

const START = Date.UTC(2026, 0, 1);
const MESSAGES_A_STEP = 6;
/** Of those that a step leaves in the list. */
const KEPT = 3;

/** Steps of every session equally many. Every tenth session has an id that is no plain folder name. */
export async function buildArchive(sessions: number, steps: number): Promise<string> {
  const root = join(tmpdir(), `agent-compact-bench-archive-2-${sessions}-${steps}`);
  if (existsSync(root)) return root;
  const making = `${root}-${process.pid}`;
  const texts = [1, 2, 3].flatMap((seed) => sessionTexts(seed));
  const catalog: string[] = [];
  for (let session = 0; session < sessions; session++) {
    const id = session % 10 === 0 ? `Team/agent ${session}` : `session-${session}`;
    const folder = join(making, sessionFolder(id));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "session.json"), JSON.stringify({ session_id: id }));
    const files = new Map<string, StoredFile>();
    const archive = createFileArchive({
      ...createFsFiles(making, Date.now),
      async create(_session, name, content) {
        const bytes = await collectContent(content);
        writeFileSync(join(folder, name), bytes);
        const at = new Date(START + (session * steps + files.size) * 60_000).toISOString();
        files.set(name, { session_id: id, name, bytes: bytes.length, at, sha256: sha256OfBytes(bytes) });
        return name;
      },
    });
    let list: readonly object[] = [];
    for (let step = 1; step <= steps; step++) {
      const added = Array.from({ length: MESSAGES_A_STEP }, (_, index) => ({
        role: index % 2 === 0 ? "user" : "assistant",
        content: texts[(session * 997 + step * MESSAGES_A_STEP + index) % texts.length],
      }));
      list = [...list.slice(-KEPT), ...added];
      await archive.saveTranscript(id, step, asRedactedList(list));
      const text = `Summary of step ${step}\n${added.map(({ content }) => content?.slice(0, 200)).join("\n")}`;
      await archive.saveSummary(id, step, summaryRecord(id, step, { text }));
    }
    const seen = { changed: statSync(folder).mtimeMs, count: [...files.keys()].filter(isCatalogued).length };
    catalog.push(wholeLine({ session_id: id, seen, files, lost: new Map() }));
  }
  writeFileSync(join(making, "catalog.jsonl"), catalog.join(""), { mode: 0o600 });
  renameSync(making, root);
  return root;
}
