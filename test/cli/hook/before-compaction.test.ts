// `hook` for PreCompact: a real archive in a folder, real session files.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, snapshot } from "../command-line.ts";
import { sessionLines } from "../conversations.ts";
import { ARCHIVE, archived, compacting, contextOf, EXAMPLE, folderWith, saying, started, stepsIn } from "./events.ts";

describe("hook, before a compaction", () => {
  it("archives the whole session and a summary of all of it, and touches nothing else", async () => {
    const cwd = folderWith(readFileSync(EXAMPLE));
    const outcome = await compacting({ cwd });
    expect(outcome).toEqual(saying("112 messages archived as step 1, facts kept for after the compaction."));
    expect(archived(cwd, "transcript-pre-compact-001.jsonl").trim().split("\n")).toHaveLength(112);
    const record = JSON.parse(archived(cwd, "summary-001.json"));
    expect(record.pruned.length).toBeGreaterThan(105);
    expect(record.text).toContain("never touch migrations/");
    expect(readdirSync(cwd).sort()).toEqual([".compact", "session.jsonl"]);
    expect(readFileSync(join(cwd, "session.jsonl"))).toEqual(readFileSync(EXAMPLE));
    expect((await call(["archive", "verify"], { cwd })).stdout).toMatch(/^All is well: 1 session, 2 files/);
    const restored = await call(["archive", "restore", "--session-id", "s1"], { cwd });
    expect(JSON.parse(restored.stdout)).toHaveLength(112);
  });

  it("takes secrets out of what it archives and of what it gives back", async () => {
    const secret = `sk-proj-${"a1B2c3D4".repeat(6)}`;
    const cwd = folderWith(sessionLines(40).replace("Please check part 1 ", `OPENAI_API_KEY=${secret} checks part 1 `));
    expect((await compacting({ cwd })).code).toBe(0);
    for (const name of readdirSync(join(cwd, ARCHIVE, "s1"))) expect(archived(cwd, name)).not.toContain(secret);
    expect((await started({ cwd })).stdout).not.toContain(secret);
  });

  it("adds nothing when it is called again for the same session, and a step when that went on", async () => {
    const cwd = folderWith(sessionLines(40));
    await compacting({ cwd });
    const first = snapshot(cwd);
    expect(await compacting({ cwd, trigger: "manual" })).toEqual(saying("160 messages stand as step 1 already."));
    const again = snapshot(cwd);
    for (const name of ["transcript-pre-compact-001.jsonl", "summary-001.json", "state.json"])
      expect(again[join(ARCHIVE, "s1", name)]).toBe(first[join(ARCHIVE, "s1", name)]);
    expect(stepsIn(cwd)).toHaveLength(1);
    writeFileSync(join(cwd, "session.jsonl"), sessionLines(44));
    expect(await compacting({ cwd })).toEqual(
      saying("176 messages archived as step 2, facts kept for after the compaction."),
    );
    // The session's file is whole, so nothing is said twice.
    const { text } = JSON.parse(archived(cwd, "summary-002.json"));
    expect(text.match(/User: Please check part 3 of the module\./g)).toHaveLength(1);
    expect(text).toContain("[2.12]");
    expect(text).not.toContain("[1.");
    expect(contextOf((await started({ cwd })).stdout)).toContain("archive expand 2.12 --session-id s1");
  });

  it("archives once when two are called at once", async () => {
    const cwd = folderWith();
    const outcomes = await Promise.all([compacting({ cwd }), compacting({ cwd }), compacting({ cwd })]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    const said = outcomes.map(({ stdout }) => JSON.parse(stdout).systemMessage).sort();
    expect(said).toEqual([
      "agent-compact: 160 messages archived as step 1, facts kept for after the compaction.",
      "agent-compact: 160 messages stand as step 1 already.",
      "agent-compact: 160 messages stand as step 1 already.",
    ]);
    expect(stepsIn(cwd)).toHaveLength(1);
  });

  it("undoes the host's own compactions, so that the step has all of the session", async () => {
    const lines = sessionLines(40).trim().split("\n");
    const boundary = {
      parentUuid: null,
      logicalParentUuid: "uuid-79",
      isSidechain: false,
      sessionId: "session-of-the-file",
      type: "system",
      subtype: "compact_boundary",
      uuid: "boundary",
    };
    const moved = JSON.stringify({ ...JSON.parse(lines[80] ?? ""), parentUuid: "boundary" });
    const cwd = folderWith([...lines.slice(0, 80), JSON.stringify(boundary), moved, ...lines.slice(81)].join("\n"));
    expect((await compacting({ cwd })).stdout).toContain("160 messages archived as step 1");
    expect(archived(cwd, "summary-001.json")).toContain("Please check part 2 of the module.");
  });

  it("leaves out a last line that the host is still writing", async () => {
    const whole = sessionLines(40);
    const cwd = folderWith(whole.slice(0, -60));
    expect(await compacting({ cwd })).toEqual(
      saying("159 messages archived as step 1, facts kept for after the compaction."),
    );
    writeFileSync(join(cwd, "session.jsonl"), whole);
    expect((await compacting({ cwd })).stdout).toContain("160 messages archived as step 2");
  });

  it("reads a Codex session as it is, and quotes what is still open", async () => {
    const line = (type: string, payload: object) =>
      JSON.stringify({ timestamp: "2030-01-01T00:00:00Z", type, payload });
    const said = (role: string, text: string) =>
      line("response_item", {
        type: "message",
        role,
        content: [{ type: role === "user" ? "input_text" : "output_text", text }],
      });
    const turns = Array.from({ length: 40 }, (_, index) => [
      said("user", `Please check part ${index} of the module, ticket SHOP-${index}.`),
      said("assistant", `Part ${index} is in order. ${"Nothing unusual was found in it. ".repeat(20)}`),
    ]);
    const head = line("session_meta", { id: "s1", cwd: "/home/me/shop", instructions: "Be brief." });
    const cwd = folderWith([head, ...turns.flat(), said("user", "Now write the report.")].join("\n"));
    expect((await compacting({ cwd, model: "any-model" })).stdout).toContain("81 messages archived as step 1");
    expect(JSON.parse(archived(cwd, "summary-001.json")).format).toBe("openai-responses");
    const context = contextOf((await started({ cwd })).stdout);
    expect(context).toContain("SHOP-39");
    expect(context).toMatch(/Asked last[^\n]*\n- \[1\.81\] "Now write the report\."$/);
  });

  it("takes what the person wants kept as a note", async () => {
    const cwd = folderWith();
    expect((await compacting({ cwd, trigger: "manual", custom_instructions: "keep the file names" })).code).toBe(0);
    expect(archived(cwd, "events.jsonl")).toContain("keep the file names");
    const other = folderWith();
    expect((await compacting({ cwd: other, custom_instructions: null })).code).toBe(0);
  });

  it("writes no summary of a session that it would not make smaller, and says so", async () => {
    const cwd = folderWith(sessionLines(1));
    expect(await compacting({ cwd })).toEqual(
      saying("4 messages archived as step 1, without a summary, which would be no smaller."),
    );
    expect(stepsIn(cwd)).toHaveLength(1);
    expect(await started({ cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    const secret = `sk-proj-${"a1B2c3D4".repeat(6)}`;
    const asked = folderWith(`${sessionLines(1).split("\n")[0]?.replace("check", `OPENAI_API_KEY=${secret}`)}\n`);
    expect(await compacting({ cwd: asked })).toEqual(
      saying("1 message archived as step 1, without a summary, which would be no smaller."),
    );
    expect(archived(asked, "transcript-pre-compact-001.jsonl")).toMatch(/Please .* part 1 of the module/);
    expect(archived(asked, "transcript-pre-compact-001.jsonl")).not.toContain(secret);
  });

  it("follows the project's configuration, and the project's folder that the host names", async () => {
    const cwd = folderWith();
    mkdirSync(join(cwd, "packages/app"), { recursive: true });
    writeFileSync(join(cwd, "compact.yaml"), "storage:\n  path: kept/here\n  compression: gzip\n");
    const inside = { cwd: join(cwd, "packages/app"), transcript_path: join(cwd, "session.jsonl") };
    expect((await compacting(inside, { CLAUDE_PROJECT_DIR: cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, "kept/here/s1"))).toContain("transcript-pre-compact-001.jsonl.gz");
    expect(readdirSync(join(cwd, "packages/app"))).toEqual([]);
    const context = contextOf((await started(inside, { CLAUDE_PROJECT_DIR: cwd })).stdout);
    expect(context).toContain(`--session-id s1 --archive-dir ${join(cwd, "kept/here")}`);
    // A folder that the event is not in says nothing.
    const elsewhere = folderWith();
    await compacting({ cwd: elsewhere }, { CLAUDE_PROJECT_DIR: cwd });
    expect(stepsIn(elsewhere)).toHaveLength(1);
  });
});
