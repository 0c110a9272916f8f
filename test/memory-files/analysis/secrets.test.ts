// Values that look like secrets are told by their place, in every form in which an analysis comes out, and never quoted.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCallbackSink, partTrace } from "../../../src/index.ts";
import { analyzeMemoryFiles, planMemoryFilesCompaction } from "../../../src/memory-files.ts";
import { call } from "../../cli/command-line.ts";

const PASSWORD = ["q7Hs2m", "Zx81nQw93"].join("");
const rule = (word: string) => ["-----", `${word} RSA PRIVATE`, " KEY-----"].join("");
const PEM = `${rule("BEGIN")}\n${"MIIEvQIBADANBgkqhkiG9w0BAQEF\n".repeat(3)}${rule("END")}`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "memory-secrets-"));
  mkdirSync(join(root, "memory"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(end = "\n"): void {
  const memory = `# Memory\n\n## Access\n\n- password: ${PASSWORD}\n- the key:\n\n${PEM}\n\nLast words.\n`;
  writeFileSync(join(root, "MEMORY.md"), memory.replaceAll("\n", end));
  writeFileSync(join(root, "memory", "2031-05-20.md"), `# Day\n\nUsed api_key=${PASSWORD} twice.\n`);
}

const PLACES = [
  { file: "MEMORY.md", line: 5, rule: "named-value" },
  { file: "MEMORY.md", line: 8, rule: "private-key" },
  { file: "memory/2031-05-20.md", line: 3, rule: "named-value" },
];

it.each(["\n", "\r\n"])("names file, line and rule, whatever ends the lines: %j", async (end) => {
  write(end);
  expect((await analyzeMemoryFiles(root)).secrets).toEqual(PLACES);
  expect((await planMemoryFilesCompaction(root)).analysis.secrets).toEqual(PLACES);
});

it("names none in a memory without, nor what the configuration allows", async () => {
  writeFileSync(join(root, "MEMORY.md"), "# Memory\n\nThe password is in the vault; max_tokens: 500.\n");
  expect((await analyzeMemoryFiles(root)).secrets).toEqual([]);
  expect((await call(["memory-files", root], { cwd: root })).stdout).not.toContain("secret");
  write();
  const { analysis } = await planMemoryFilesCompaction(root, {}, { redaction: { allow: [PASSWORD] } });
  expect(analysis.secrets.map(({ rule }) => rule)).toEqual(["private-key"]);
});

it("warns in one line of the view and in JSON, by count alone in events, and quotes nothing", async () => {
  write();
  const before = readFileSync(join(root, "MEMORY.md"));
  const { stdout } = await call(["memory-files", root], { cwd: root });
  expect(stdout).toContain(
    "⚠ 3 values look like secrets: MEMORY.md line 5 (named-value), MEMORY.md line 8 (private-key), memory/2031-05-20.md line 3 (named-value)\n",
  );
  const json = JSON.parse((await call(["memory-files", root, "--json"], { cwd: root })).stdout) as { secrets: unknown };
  expect(json.secrets).toEqual(PLACES);
  expect(JSON.stringify(json.secrets)).not.toContain(PASSWORD);
  const events: unknown[] = [];
  const trace = await partTrace({ trace: [createCallbackSink((event) => void events.push(event))] });
  await planMemoryFilesCompaction(root, {}, { trace });
  await trace.flush();
  expect(events).toContainEqual(expect.objectContaining({ counts: expect.objectContaining({ secrets: 3 }) }));
  expect(JSON.stringify(events)).not.toContain(PASSWORD);
  expect(readFileSync(join(root, "MEMORY.md"))).toEqual(before);
});
