// `archive`: what was compacted can be found, shown and written back.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "./command-line.ts";
import { chatConversation } from "./conversations.ts";

async function folderWithArchive(messages: readonly unknown[] = chatConversation(40)): Promise<string> {
  const cwd = newFolder();
  writeFileSync(join(cwd, "talk.json"), JSON.stringify(messages));
  expect(
    (await call(["conversation", "talk.json", "--session-id", "talk", "--target-tokens", "3000", "--quiet"], { cwd }))
      .code,
  ).toBe(0);
  return cwd;
}

describe("archive", () => {
  it("gives back the whole history, equal to what was compacted", async () => {
    const messages = chatConversation(40);
    const cwd = await folderWithArchive(messages);
    const { code, stdout, stderr } = await call(["archive", "restore", "--session-id", "talk", "--out", "back.json"], {
      cwd,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe("Restored 161 messages of session talk to back.json\n");
    expect(JSON.parse(readFileSync(join(cwd, "back.json"), "utf8"))).toEqual(messages);
    const piped = await call(["archive", "restore", "1"], { cwd });
    expect(JSON.parse(piped.stdout)).toEqual(messages);
    const json = await call(["archive", "restore", "--json", "--out", "again.json"], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ session_id: "talk", message_count: 161, missing: [] });
  });

  it("shows the whole history as one page, with a mark where it was compacted", async () => {
    const cwd = await folderWithArchive();
    const { code, stdout, stderr } = await call(["archive", "show", "--html", "talk.html"], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "talk.html\n", stderr: "" });
    const page = readFileSync(join(cwd, "talk.html"), "utf8");
    expect(page).toMatch(/<summary>Compaction 1: \d+ messages left, [\d,]+ -&gt; [\d,]+ tokens/);
    expect(page).toContain("COMPACT-SUMMARY v1");
    expect(page).toContain("Please check part 17 of the module.");
    expect(page).not.toMatch(/(?:src|href)=|https?:|@import|url\(/);
  });

  it("names every value that it cannot return", async () => {
    const secret = `sk-proj-${"a1B2c3D4".repeat(6)}`;
    const messages = [...chatConversation(40)];
    messages.splice(
      1,
      0,
      { role: "user", content: `The key is OPENAI_API_KEY=${secret} for now.` },
      { role: "assistant", content: "Noted." },
    );
    const cwd = await folderWithArchive(messages);
    const { stdout, stderr } = await call(["archive", "restore"], { cwd });
    expect(stdout).not.toContain(secret);
    expect(stderr).toMatch(/1 value cannot be returned:\n {2}message 2 \$\.content \(redacted\)/);
  });

  it("lists, shows, searches, expands and verifies", async () => {
    const cwd = await folderWithArchive();
    expect((await call(["archive", "list"], { cwd })).stdout).toMatch(/talk +1 +[\d.]+ KB +20\d\d-/);
    expect((await call(["archive", "show"], { cwd })).stdout).toMatch(/Session talk\n[\s\S]*v1, extractive/);
    const found = JSON.parse((await call(["archive", "search", "check", "part 17", "--json"], { cwd })).stdout) as {
      hits: { ref: string }[];
    };
    expect(found.hits[0]?.ref).toMatch(/^1\.\d+$/);
    const text = (await call(["archive", "search", "part 17"], { cwd })).stdout;
    expect(text).toContain("agent-compact archive expand 1.");
    const shown = await call(["archive", "expand", found.hits[0]?.ref ?? "", "--json"], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      session_id: "talk",
      step: 1,
      messages: [{ message: { content: "Please check part 17 of the module." } }],
    });
    expect((await call(["archive", "search", "zebra"], { cwd })).stdout).toBe("Nothing found.\n");
    expect(await call(["archive", "verify"], { cwd })).toMatchObject({
      code: 0,
      stdout: "All is well: 1 session, 2 files, 2 hashes checked.\n",
    });
  });

  it("finds damage, with an exit code", async () => {
    const cwd = await folderWithArchive();
    const { steps } = JSON.parse((await call(["archive", "show", "--json"], { cwd })).stdout) as {
      steps: { transcript: string }[];
    };
    const path = steps[0]?.transcript ?? "";
    writeFileSync(path, readFileSync(path, "utf8").replace('{"role":"user"', "{broken"));
    const { code, stdout, stderr } = await call(["archive", "verify", "--json"], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: 1,
      files: 2,
      hashes: 2,
      errors: 1,
      warnings: 0,
      faults: [{ kind: "unreadable_lines" }],
    });
    expect(stderr).toMatch(/1 fault/);
  });

  it("calls nothing well that it cannot compare", async () => {
    const cwd = await folderWithArchive();
    rmSync(join(cwd, ".compact/archive/catalog.jsonl"));
    const { code, stdout } = await call(["archive", "verify"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe(
      "Readable, but not proved unchanged: 1 session, 2 files, 0 hashes checked, 2 without a recorded hash.\n",
    );
    const json = JSON.parse((await call(["archive", "verify", "--json"], { cwd })).stdout);
    expect(json).toMatchObject({ files: 2, hashes: 0, without_hash: 2, errors: 0, faults: [] });
  });

  it("says of which step the transcript is gone", async () => {
    const cwd = await folderWithArchive();
    expect(JSON.parse((await call(["archive", "show", "--json"], { cwd })).stdout)).toMatchObject({
      steps: [{ step: 1, transcript_missing: false }],
    });
    rmSync(join(cwd, ".compact/archive/talk/transcript-pre-compact-001.jsonl"));
    const { stdout } = await call(["archive", "show"], { cwd });
    expect(stdout).toContain("gone: .compact/archive/talk/transcript-pre-compact-001.jsonl");
    expect(stdout).toContain("1 transcript is gone: bring the files back from a backup");
    expect(JSON.parse((await call(["archive", "show", "--json"], { cwd })).stdout)).toMatchObject({
      steps: [{ step: 1, transcript_missing: true }],
    });
  });

  it("refuses what is not there", async () => {
    const cwd = await folderWithArchive();
    for (const argv of [
      ["list", "--archive-dir", "nowhere"],
      ["list", "--session-id", "nobody"],
      ["show", "nobody"],
      ["expand", "1.9999"],
      ["expand", "x"],
      ["expand", "7"],
      ["search", "a", "--session-id", "nobody"],
      ["restore", "--session-id", "nobody"],
      ["restore", "0"],
      ["restore", "9"],
      ["restore", "--out", "-", "--json"],
      ["restore", "--out", ".compact/archive/talk/state.json"],
    ]) {
      const { code, stdout, stderr } = await call(["archive", ...argv], { cwd });
      expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: "" });
      expect(stderr).toMatch(/^agent-compact: /);
    }
  });

  it("asks for the session when there are several", async () => {
    const cwd = await folderWithArchive();
    await call(["conversation", "talk.json", "--session-id", "other", "--target-tokens", "3000", "--quiet"], { cwd });
    const { code, stderr } = await call(["archive", "expand", "1.2"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/2 sessions: other, talk\.[\s\S]*--session-id ID/);
    expect((await call(["archive", "expand", "1.2", "--session-id", "other"], { cwd })).code).toBe(0);
  });
});
