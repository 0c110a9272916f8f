// What the README shows of a real run: the printed report of a compaction of the example session, and a picture
// of the list before and after. Made by running the product, so that neither can promise what it does not do.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { run } from "../src/cli/run.ts";
import { CompactManager, createMemoryArchive } from "../src/index.ts";
import { drawLayers, type Layer } from "./draw-layers.ts";

const SESSION = "coding-session.json";
const EXAMPLE = join("examples", "transcripts", SESSION);

/** What `agent-compact conversation coding-session.json` prints, as a Markdown block. */
export async function renderReportBlock(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-readme-"));
  try {
    copyFileSync(EXAMPLE, join(folder, SESSION));
    const printed: string[] = [];
    const stdout = { columns: 80, write: (content: string | Uint8Array) => printed.push(String(content)) };
    const stderr = { write: () => true };
    await run({ argv: ["conversation", SESSION], stdin: Readable.from([]), stdout, stderr, cwd: folder, env: {} });
    return `\`\`\`\n$ npx agent-compact conversation ${SESSION}\n${printed.join("").trimEnd()}\n\`\`\``;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same session as bars: who takes how much before, which layer takes how much after. */
export async function renderPicture(): Promise<string> {
  const { messages } = JSON.parse(readFileSync(EXAMPLE, "utf8")) as { readonly messages: readonly unknown[] };
  const manager = new CompactManager({ archive: createMemoryArchive(), now: () => 0 });
  const plan = await manager.plan("picture", messages);
  const { report, messages: compacted } = await manager.compact("picture", messages);
  const of = (role: string) =>
    plan.messages.filter((message) => message.role === role).reduce((sum, { tokens }) => sum + tokens, 0);
  const before: readonly Layer[] = [
    { name: "system", tokens: of("system") },
    { name: "user", tokens: of("user") },
    { name: "assistant", tokens: of("assistant") },
    { name: "tool results", tokens: of("tool") },
  ];
  const pinned = plan.messages.filter(({ action }) => action === "pin").reduce((sum, { tokens }) => sum + tokens, 0);
  const after: readonly Layer[] = [
    { name: "pinned", tokens: pinned },
    { name: "summary", tokens: report.summary.tokens },
    { name: "recent, untouched", tokens: report.tokens_after - pinned - report.summary.tokens },
  ];
  return drawLayers({
    before,
    after,
    messagesBefore: messages.length,
    messagesAfter: compacted.length,
  });
}
