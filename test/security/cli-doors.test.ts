// Secrets in a conversation's file, and every command line that reads it: nothing on stdout or stderr shows one, in text,
// in JSON and with --debug. The file that `conversation` writes is the caller's own list and keeps what was kept.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../cli/command-line.ts";
import { filesBelow } from "./doors.ts";
import { anthropic, openaiChat, openaiResponses } from "./planting/chat-histories.ts";
import { createPlanter } from "./planting/planter.ts";
import { claudeCodeSession, piSession } from "./planting/session-files.ts";

const planter = createPlanter(23);
const json = ({ messages }: { readonly messages: readonly unknown[] }) => JSON.stringify(messages);

const FILES: readonly (readonly [string, string])[] = [
  ["chat.json", json(openaiChat(planter))],
  ["request.json", JSON.stringify({ model: "gpt-4o", ...openaiChat(planter) })],
  ["responses.json", json(openaiResponses(planter))],
  ["anthropic.json", json(anthropic(planter))],
  ["claude-code.jsonl", claudeCodeSession(planter)],
  ["pi.jsonl", piSession(planter)],
];

let cwd: string;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "cli-doors-"));
  for (const [name, content] of FILES) {
    mkdirSync(join(cwd, name.replace(/\.\w+$/, "")));
    writeFileSync(join(cwd, name.replace(/\.\w+$/, ""), name), content);
  }
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** With --debug a command says in text all that it says without, and where an error came from. */
const MODES = ["--debug", "--json"] as const;

interface Round {
  readonly folder: string;
  /** The same for every command of the round; anything where a refusal is what is looked at. */
  readonly code?: number;
  readonly env?: Readonly<Record<string, string>>;
  commands(mode: string): readonly (readonly string[])[];
}

/** Runs the commands in both modes; gives what their output shows. */
async function leaksOf({ folder, code, env = {}, commands }: Round): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const mode of MODES)
    for (const argv of commands(mode)) {
      const printed = await call([...argv, mode], { cwd: folder, env });
      if (code !== undefined) expect({ argv, code: printed.code }).toEqual({ argv, code });
      const found = planter.leaksIn(`${printed.stdout}\n\n${printed.stderr}`);
      leaks.push(...found.map((leak) => `${argv.join(" ")} ${mode}: ${leak}`));
    }
  return leaks;
}

describe.each(FILES)("a file full of secrets, %s", (name) => {
  const folder = () => join(cwd, name.replace(/\.\w+$/, ""));

  it("is planned, inspected and read for facts without showing one", async () => {
    const commands = () => [
      ["conversation", name, "--dry-run"],
      ["inspect", name],
      ["facts", name],
    ];
    expect(await leaksOf({ folder: folder(), code: 0, commands })).toEqual([]);
  }, 60_000);

  it("is compacted, compared and taken out of the archive again without showing one", async () => {
    const compacting = (mode: string) => [
      ["conversation", name, "--out", "after.json", "--session-id", mode === "--json" ? "again" : "s"],
      ["diff", name, "after.json"],
    ];
    const env = { COMPACT_TELEMETRY_CONSOLE: "true" };
    expect(await leaksOf({ folder: folder(), code: 0, env, commands: compacting })).toEqual([]);
    const session = ["--session-id", "s"];
    const search = (words: string) => ["archive", "search", words, ...session, "--limit", "200"];
    const restore = (mode: string, ...rest: readonly string[]) => [
      ...["archive", "restore", ...rest, ...session],
      ...(mode === "--json" ? ["--out", `back${rest.join("")}.json`] : []),
    ];
    const reading = (mode: string) => [
      ["archive", "list"],
      ["archive", "show", "s"],
      ...["survey", "api_key", "REDACTED"].map(search),
      ["archive", "expand", "1", ...session],
      restore(mode),
      restore(mode, "1"),
      ["archive", "verify"],
    ];
    expect(await leaksOf({ folder: folder(), code: 0, commands: reading })).toEqual([]);
    const written = filesBelow(folder()).filter((file) => /^\.compact|^back/.test(file.name));
    expect(written.length).toBeGreaterThan(4);
    expect(written.flatMap((file) => planter.leaksIn(file.text).map((leak) => `${file.name}: ${leak}`))).toEqual([]);
  }, 60_000);

  it("is refused without quoting one", async () => {
    const torn = `torn-${name}`;
    const content = FILES.find(([file]) => file === name)?.[1] ?? "";
    writeFileSync(join(folder(), torn), content.slice(0, -content.length / 3));
    const commands = () => [
      ["conversation", torn, "--strict", "--dry-run"],
      ["conversation", name, "--dry-run", "--max-context-tokens", "2000", "--model", "gpt-4o"],
      ["conversation", name, "--out", "never.json", "--max-context-tokens", "2000"],
      ["inspect", name, "--format", "pi"],
      ["diff", name, torn],
      ["facts", torn],
    ];
    expect(await leaksOf({ folder: folder(), commands })).toEqual([]);
  }, 60_000);
});
