// What an archive takes on disk after a long session with many compactions, packed in each way, beside the transcript
// itself. Each step holds the whole list as it was, so what was kept stands in several.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Archive } from "../../src/archive/archive.ts";
import { createFsArchive } from "../../src/archive/archives.ts";
import { CompactManager } from "../../src/conversation.ts";
import type { Redacted } from "../../src/redaction/redactor.ts";
import { sessionsToReplay } from "../cost/sessions.ts";

const WINDOW = 32_000;
const SESSION = "session";
const WAYS = ["none", "gzip", "zstd"] as const;

/** A section of the page; says so where there is no corpus. */
export async function measureGrowth(): Promise<string> {
  if (process.env.AGENT_CORPUS === undefined) return "\nSizes are measured where AGENT_CORPUS names a corpus.\n";
  const root = mkdtempSync(join(tmpdir(), "archive-growth-"));
  try {
    return await measure(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measure(root: string): Promise<string> {
  const longest = sessionsToReplay().toSorted((a, b) => b.messages.length - a.messages.length)[0];
  if (longest === undefined) throw new Error("the corpus holds no session");
  const { label, messages } = longest;
  const plain = createFsArchive({ path: join(root, "none") });
  await compactOften(plain, messages);
  const transcript = messages.reduce<number>((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)) + 1, 0);
  const steps = (await plain.steps(SESSION)).length;
  const rows: string[] = [];
  for (const way of WAYS) rows.push(await rowOf(way, plain, root, transcript));
  return `
## How large

The longest session of the corpus (${label}, ${messages.length.toLocaleString("en")} messages, ${megabytes(transcript)} MB as lines of JSON) in a window of ${WINDOW.toLocaleString("en")} tokens: ${steps} compactions, each with the whole list as it was before.

| storage.compression | MB on disk | of the session's own size | write ms per step | read ms per step |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

/** As a host does: the list grows by some messages, then is looked at. */
async function compactOften(archive: Archive, messages: readonly unknown[]): Promise<void> {
  const manager = new CompactManager({ maxContextTokens: WINDOW, archive });
  let list: readonly unknown[] = [];
  for (let at = 0; at < messages.length; at += 4) {
    list = [...list, ...messages.slice(at, at + 4)];
    list = await manager.preflight(SESSION, list).catch(() => list);
  }
  await manager.flush();
}

async function rowOf(way: (typeof WAYS)[number], plain: Archive, root: string, transcript: number): Promise<string> {
  try {
    const archive = createFsArchive({ path: join(root, `again-${way}`), compression: way });
    const times = { write: 0, read: 0 };
    const steps = await plain.steps(SESSION);
    for (const { step } of steps) {
      // They were redacted when they were archived first.
      const list = (await plain.readTranscript(SESSION, step)) as readonly Redacted<unknown>[];
      times.write += await took(() => archive.saveTranscript(SESSION, step, list));
      times.read += await took(() => archive.readTranscript(SESSION, step));
    }
    const bytes = (await archive.sizes()).reduce((sum, size) => sum + size.bytes, 0);
    const each = (time: number) => (time / Math.max(1, steps.length)).toFixed(1);
    return `| ${way} | ${megabytes(bytes)} | ${(bytes / transcript).toFixed(2)} times | ${each(times.write)} | ${each(times.read)} |`;
  } catch {
    return `| ${way} | | not on Node ${process.versions.node} | | |`;
  }
}

async function took(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
