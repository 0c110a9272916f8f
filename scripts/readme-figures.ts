// What the README shows of a real run: the printed report of a compaction of the example session, and a picture
// of the list before and after. Made by running the product, so that neither can promise what it does not do.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { wrapText } from "../src/cli/render.ts";
import { run } from "../src/cli/run.ts";
import { CompactManager, createMemoryArchive } from "../src/index.ts";
import { drawLayers, type Layer } from "./draw-layers.ts";

const SESSION = "coding-session.json";
const EXAMPLE = join("examples", "transcripts", SESSION);

/** What `agent-compact conversation coding-session.json` prints, as a Markdown block. */
export async function renderReportBlock(): Promise<string> {
  const { printed } = await runExample([]);
  return `\`\`\`\n$ npx agent-compact conversation ${SESSION}\n${printed.trimEnd()}\n\`\`\``;
}

/** Tokens that the example is brought down to, and the passage of its summary that is shown. */
const SHOWN = { tokens: 4_000, from: "[1.31] ", to: "[1.41] ", width: 110 } as const;

/** A passage of the example's summary, as a Markdown block. Throws when it is no longer there. */
export async function renderSummaryBlock(): Promise<string> {
  const { messages } = await runExample(["--target-tokens", String(SHOWN.tokens)]);
  const summary =
    messages.map(({ content }) => String(content)).find((text) => text.includes("<COMPACT-SUMMARY")) ?? "";
  const [from, to] = [summary.indexOf(`\n${SHOWN.from}`) + 1, summary.indexOf(`\n${SHOWN.to}`)];
  if (from === 0 || to < from)
    throw new Error("The passage of the summary that README.md shows is gone: choose another");
  const lines = summary.slice(from, to).split("\n");
  const wrapped = lines.flatMap((line) => wrapText(line, { width: SHOWN.width, indent: "  ", hanging: "" }));
  return `\`\`\`\n${wrapped.join("\n")}\n\`\`\``;
}

async function runExample(flags: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "agent-compact-readme-"));
  try {
    copyFileSync(EXAMPLE, join(cwd, SESSION));
    const printed: string[] = [];
    const stdout = { columns: 80, write: (content: string | Uint8Array) => printed.push(String(content)) };
    const stderr = { write: () => true };
    await run({ argv: ["conversation", SESSION, ...flags], stdin: Readable.from([]), stdout, stderr, cwd, env: {} });
    const written = readFileSync(join(cwd, SESSION.replace(".json", ".compacted.json")), "utf8");
    const { messages } = JSON.parse(written) as { readonly messages: readonly { readonly content: unknown }[] };
    return { printed: printed.join(""), messages };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
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
