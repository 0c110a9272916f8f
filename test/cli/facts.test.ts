// `facts` shows what code finds in a conversation; `inspect` says how much of it a summary of a given size holds.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Inspection } from "../../src/cli/conversation/inspect.ts";
import type { Ledger } from "../../src/facts/ledger.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { chatConversation, sessionLines } from "./conversations.ts";

const SECRET = `sk-proj-${"a1B2c3D4".repeat(6)}`;

function folderWithTalk(): string {
  const cwd = newFolder();
  const messages = [
    ...chatConversation(30),
    { role: "user", content: `Never touch the file src/legacy.ts. OPENAI_API_KEY=${SECRET}` },
    { role: "assistant", content: "Noted." },
  ];
  writeFileSync(join(cwd, "talk.json"), JSON.stringify(messages));
  return cwd;
}

describe("facts", () => {
  it("gives the ledger with --json, each fact with the message it came from", async () => {
    const cwd = folderWithTalk();
    const before = snapshot(cwd);
    const { code, stdout, stderr } = await call(["facts", "talk.json", "--json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd()).not.toContain("\n");
    const ledger = JSON.parse(stdout) as Ledger;
    expect(ledger.userMessages.map(({ source }) => source.message)).toEqual([
      ...Array.from({ length: 30 }, (_, turn) => turn * 4 + 2),
      122,
    ]);
    expect(ledger.files.find(({ path }) => path === "src/part-17.ts")?.source).toMatchObject({ step: 1 });
    expect(ledger.rules.map(({ text }) => text).join()).toContain("src/legacy.ts");
    expect(stdout).not.toContain(SECRET);
    expect(snapshot(cwd)).toEqual(before);
  });

  it("prints tables for a person, the newest of each kind", async () => {
    const cwd = folderWithTalk();
    const { code, stdout } = await call(["facts", "talk.json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^talk\.json: \d+ facts\n/);
    expect(stdout).toMatch(/User messages \(31\)\n[\s\S]* 122 [\s\S]*and 6 earlier ones: see --json/);
    expect(stdout).toMatch(/Files \(\d+\)\n[\s\S]*src\/part-30\.ts/);
    expect(stdout).not.toContain(SECRET);
  });

  it("reads session files and stdin, and refuses what is no conversation", async () => {
    const cwd = newFolder();
    const piped = await call(["facts", "-", "--json"], { cwd, stdin: sessionLines(3) });
    expect((JSON.parse(piped.stdout) as Ledger).userMessages).toHaveLength(3);
    const missing = await call(["facts", "nowhere.json"], { cwd });
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    const wrong = await call(["facts", "-", "--format", "anthropic"], { cwd, stdin: sessionLines(3) });
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(snapshot(cwd)).toEqual({});
  });

  it("takes the redaction of the configuration", async () => {
    const cwd = folderWithTalk();
    writeFileSync(join(cwd, "compact.json"), JSON.stringify({ version: "1.0", redaction: { enabled: false } }));
    const { code, stdout } = await call(["facts", "talk.json", "--json", "--config", "compact.json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(SECRET);
  });
});

describe("the facts of inspect", () => {
  it("grow with the size of the summary, up to all", async () => {
    const cwd = folderWithTalk();
    const { facts } = JSON.parse((await call(["inspect", "talk.json", "--json"], { cwd })).stdout) as Inspection;
    expect(facts.map(({ tokens }) => tokens)).toEqual([1000, 2000, 4000, 8000, 16_000]);
    const kept = facts.map((share) => share.kept);
    expect(kept).toEqual(kept.toSorted((a, b) => a - b));
    expect(facts[0]?.kept).toBeGreaterThan(0);
    for (const share of facts) expect(share.kept).toBeLessThanOrEqual(share.all);
    expect(facts.at(-1)?.kept).toBe(facts.at(-1)?.all);
    const text = (await call(["inspect", "talk.json"], { cwd })).stdout;
    expect(text).toMatch(new RegExp(`1,000 +${facts[0]?.kept} of ${facts[0]?.all}`));
  });
});
