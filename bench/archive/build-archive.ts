// An archive of many sessions on a disk, made once and kept in the temporary folder: the files as an archive writes them,
// but without waiting for the disk after each.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog } from "../../src/archive/catalog.ts";
import { summaryFile, transcriptFile } from "../../src/archive/step-files.ts";
import { sessionFolder } from "../../src/storage/session-folder.ts";

const START = Date.UTC(2026, 0, 1);

/** Steps of every session equally many. Every tenth session has an id that is no plain folder name. */
export async function buildArchive(sessions: number, steps: number): Promise<string> {
  const root = join(tmpdir(), `agent-compact-bench-archive-${sessions}-${steps}`);
  const isDone = join(root, "done");
  if (existsSync(isDone)) return root;
  const catalog = createCatalog(root);
  for (let session = 0; session < sessions; session++) {
    const id = session % 10 === 0 ? `Team/agent ${session}` : `session-${session}`;
    const folder = join(root, sessionFolder(id));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "session.json"), JSON.stringify({ session_id: id }));
    for (let step = 1; step <= steps; step++) {
      for (const name of [transcriptFile(step), summaryFile(step)]) {
        const text = `${JSON.stringify({ role: "user", content: `${name} of ${id}`.repeat(20) })}\n`;
        writeFileSync(join(folder, name), text);
        const at = new Date(START + (step * sessions + session) * 60_000).toISOString();
        const sha256 = createHash("sha256").update(text).digest("hex");
        await catalog.note({ session_id: id, name, bytes: text.length, at, sha256 });
      }
    }
  }
  writeFileSync(isDone, "");
  return root;
}
