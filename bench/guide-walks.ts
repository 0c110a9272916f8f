// `npx unrun bench/guide-walks.ts`: the walks of docs/guides/archives.md, secrets.md and claude-code-and-codex.md, the
// commands in folders of their own and what they print. Only the times differ from run to run.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { run } from "../src/cli/run.ts";

const EXAMPLE = fileURLToPath(new URL("../examples/transcripts/coding-session.json", import.meta.url));
const SESSION = fileURLToPath(new URL("../examples/transcripts/coding-session.claude-code.jsonl", import.meta.url));
/** In parts, so that this file holds no password. */
const PASSWORD = ["hunter2", "Kestrel", "77"].join("-");
const TOKEN = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");

type Walk = (...argv: readonly string[]) => Promise<void>;

/** `agent-compact ARGV < FILE`; gives what it printed. */
async function piped(folder: string, file: string, ...argv: readonly string[]): Promise<string> {
  let printed = "";
  const write = (content: string | Uint8Array) => {
    printed += content.toString();
  };
  const stdin = Readable.from([readFileSync(join(folder, file))]);
  await run({ argv: [...argv], stdin, stdout: { columns: 100, write }, stderr: { write }, cwd: folder, env: {} });
  return printed;
}

async function inFolder(walk: (command: Walk, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-walk-"));
  const write = (content: string | Uint8Array) => process.stdout.write(content);
  const command: Walk = async (...argv) => {
    console.log(`$ agent-compact ${argv.join(" ")}`);
    const streams = { stdin: Readable.from([]), stdout: { columns: 100, write }, stderr: { write } };
    await run({ argv: [...argv], ...streams, cwd: folder, env: {} });
  };
  try {
    await walk(command, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walkArchives(): Promise<void> {
  await inFolder(async (command, folder) => {
    cpSync(EXAMPLE, join(folder, "coding-session.json"));
    await command("conversation", "coding-session.json", "--quiet");
    await command("archive", "list");
    await command("archive", "show");
    await command("archive", "search", "migrations", "--limit", "1");
    await command("archive", "restore", "--out", "back.json");
    await command("archive", "verify");
    const transcript = join(folder, ".compact/archive/coding-session-406fd864/transcript-pre-compact-001.jsonl");
    writeFileSync(transcript, readFileSync(transcript, "utf8").replace("BILL-482", "BILL-483"));
    await command("archive", "verify");
  });
  await inFolder(async (command, folder) => {
    cpSync(EXAMPLE, join(folder, "coding-session.json"));
    writeFileSync(join(folder, "compact.yaml"), "model: gpt-4o\nstorage:\n  compression: gzip\n");
    await command("conversation", "coding-session.json", "--quiet");
    const again = ["--target-tokens", "4500", "--out", "two.json", "--quiet"];
    await command("conversation", "coding-session.compacted.json", ...again);
    await command("archive", "gc", "--max-bytes", "20KB");
    await command("archive", "gc", "--max-bytes", "20KB", "--apply");
    await command("archive", "restore", "--out", "back.json");
  });
}

async function walkSecrets(): Promise<void> {
  await inFolder(async (command, folder) => {
    writeFileSync(join(folder, "harbour.json"), JSON.stringify({ messages: harbour() }));
    await command("conversation", "harbour.json", "--quiet");
    await command("archive", "expand", "1.2");
    await command("archive", "restore", "--out", "back.json");
    writeFileSync(join(folder, "pii.yaml"), "redaction:\n  pii: true\n");
    await command("conversation", "harbour.json", "--session-id", "s2", "--quiet", "--config", "pii.yaml");
    await command("archive", "expand", "1.2", "--session-id", "s2");
    writeFileSync(join(folder, "slow.yaml"), 'redaction:\n  patterns: ["\\\\w+@\\\\w+"]\n');
    await command("config", "validate", "--config", "slow.yaml");
    writeFileSync(join(folder, "off.yaml"), "redaction:\n  enabled: false\ntelemetry:\n  console: true\n");
    await command("conversation", "harbour.json", "--session-id", "s3", "--config", "off.yaml");
  });
}

async function walkHosts(): Promise<void> {
  await inFolder(async (command, folder) => {
    cpSync(SESSION, join(folder, "session.jsonl"));
    const event = { session_id: "373bb137-8bb1-49c7-905f-6eab63222158", transcript_path: "session.jsonl" };
    const write = (file: string, fields: object) =>
      writeFileSync(join(folder, file), JSON.stringify({ ...event, ...fields }));
    write("before.json", { hook_event_name: "PreCompact", trigger: "auto" });
    write("after.json", { hook_event_name: "SessionStart", source: "compact" });
    const before = await piped(folder, "before.json", "hook");
    console.log(`$ agent-compact hook < before.json (its length)\n${before}\n${before.length} characters`);
    const again = await piped(folder, "before.json", "hook");
    console.log(`$ agent-compact hook < before.json (again)\n${again.split("\n")[0]}`);
    const { hookSpecificOutput } = JSON.parse(await piped(folder, "after.json", "hook"));
    const context: string = hookSpecificOutput.additionalContext;
    const lines = context.split("\n");
    console.log(`$ agent-compact hook < after.json | jq -r .hookSpecificOutput.additionalContext (its length)`);
    console.log([...lines.slice(0, 24), "[...]", ...lines.slice(-12)].join("\n"), `\n${context.length} characters`);
    await command("archive", "list");
    await command("archive", "search", "idempotency", "--limit", "1");
    await command("archive", "expand", "1.78");
    await command("hook", "--print", "claude-code");
    await command("hook", "--print", "gemini-cli");
    await command("inspect", "session.jsonl");
    await command("facts", "session.jsonl");
    await command("conversation", "session.jsonl", "--to", "openai-chat", "--target-tokens", "12000");
    await command("convert", "session.jsonl", "--to", "openai-chat");
  });
}

function harbour(): readonly object[] {
  const sentence = "The booking list was read again, this berth is free, and the crane stays where it is. ";
  const first = `The database is postgres://booking:${PASSWORD}@db.example.net:5432/berths and DEPLOY_TOKEN=${TOKEN} is set.`;
  const berths = Array.from({ length: 12 }, (_, index) => [
    { role: "assistant", content: sentence.repeat(30) },
    { role: "user", content: `Go on with berth ${index + 1}.` },
  ]);
  return [
    { role: "system", content: "You look after the harbour's booking system." },
    { role: "user", content: `${first} Berth numbers like BOOK-2291-KX open the gate.` },
    ...berths.flat(),
  ];
}

await walkArchives();
await walkSecrets();
await walkHosts();
