// The commands with an archive in a bucket, named by a configuration file alone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, expect, it } from "vitest";
import { openMcp } from "../../../src/cli/servers/open-mcp.ts";
import { call, newFolder } from "../../cli/command-line.ts";
import { chatConversation } from "../../cli/conversations.ts";
import { verifies } from "../../requirements/verifies.ts";
import { asUser, CREDENTIALS, ENDPOINT, headOf, KMS_KEY, keysIn, newBucket, onStore } from "./store.ts";

const TARGET = ["--target-tokens", "3000", "--session-id", "talk"];
const FORGED_TOKEN = "FwoGZXIvYXdzEForgedSessionTokenOfThisTest0123456789";

onStore("the command line with an archive in a bucket", () => {
  let bucket = "";
  let cwd = "";
  beforeEach(async () => {
    bucket = await newBucket();
    cwd = newFolder();
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(chatConversation(40)));
    configure("compact.yaml");
  });

  function configure(file: string, more = ""): void {
    const storage = `  adapter: s3\n  bucket: ${bucket}\n  prefix: agents\n  endpoint: ${ENDPOINT}\n  kms_key_id: ${KMS_KEY}\n  tags: [team=a]\n`;
    writeFileSync(join(cwd, file), `storage:\n${storage}${more}`);
  }

  it("compacts into it, says where, and gives it back by the commands that it names", async () => {
    verifies("conversation/s3-archive-with-encryption");
    const { code, stdout } = await call(["conversation", "talk.json", ...TARGET], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`s3://${bucket}/agents`);
    expect(stdout).not.toContain("--archive-dir");
    const names = ["state-000001.jsonl.gz", "state.json", "summary-001.json", "transcript-pre-compact-001.jsonl"];
    expect(await keysIn(bucket)).toEqual(names.map((name) => `agents/talk/${name}`));
    for (const key of await keysIn(bucket)) expect(await headOf(bucket, key)).toMatchObject({ SSEKMSKeyId: KMS_KEY });
    // Here are the events, and nothing of the conversation.
    expect(readdirSync(join(cwd, ".compact", "archive", "talk")).filter((name) => name !== "session.json")).toEqual([
      "events.jsonl",
    ]);
    for (const named of stdout.matchAll(/agent-compact (archive \S+ .*?)(?: {2}|$)/gm)) {
      const argv = (named[1] ?? "")
        .split(/\s+/)
        .map((word) => word.replaceAll('"', ""))
        .map((word) => (word === "WORDS" ? "message" : word));
      expect(await call(argv, { cwd }), argv.join(" ")).toMatchObject({ code: 0 });
    }
    expect(JSON.parse(readFileSync(join(cwd, "talk.restored.json"), "utf8"))).toEqual(chatConversation(40));
  });

  it("lists, shows, searches, verifies and restores from elsewhere", async () => {
    await call(["conversation", "talk.json", ...TARGET], { cwd });
    const elsewhere = newFolder();
    const config = ["--config", join(cwd, "compact.yaml")];
    const json = async (...argv: string[]) => {
      const { code, stdout, stderr } = await call(["archive", ...argv, "--json", ...config], { cwd: elsewhere });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    expect(await json("list")).toMatchObject({ sessions: [expect.objectContaining({ session_id: "talk" })] });
    expect(JSON.stringify(await json("show"))).toContain(`s3://${bucket}/agents/talk/transcript-pre-compact-001.jsonl`);
    expect((await json("search", "message")).hits).not.toEqual([]);
    expect(await json("verify")).toMatchObject({ faults: [] });
    expect((await json("restore")).messages).toEqual(chatConversation(40));
    // What it says to type next finds the same archive.
    const { stdout } = await call(["archive", "search", "message", ...config], { cwd: elsewhere });
    expect(stdout).toContain(` --config ${join(cwd, "compact.yaml")}`);
  });

  it("is left for a folder by --archive-dir, KMS key or not", async () => {
    const { code, stdout } = await call(["conversation", "talk.json", "--archive-dir", ".compact/archive", ...TARGET], {
      cwd,
    });
    expect(code).toBe(0);
    expect(await keysIn(bucket)).toEqual([]);
    expect(existsSync(join(cwd, ".compact", "archive", "talk", "transcript-pre-compact-001.jsonl"))).toBe(true);
    expect(stdout).toContain("--archive-dir .compact/archive");
    expect(await call(["archive", "list", "--archive-dir", ".compact/archive"], { cwd })).toMatchObject({ code: 0 });
  });

  it("writes nothing anywhere in a dry run", async () => {
    const before = readdirSync(cwd);
    expect(await call(["conversation", "talk.json", "--dry-run", ...TARGET], { cwd })).toMatchObject({ code: 0 });
    expect(await keysIn(bucket)).toEqual([]);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it("keeps no events where the configuration says so", async () => {
    configure("compact.yaml", "telemetry:\n  jsonl: false\n");
    expect(await call(["conversation", "talk.json", ...TARGET], { cwd })).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, ".compact"))).toBe(false);
    expect(await keysIn(bucket)).toHaveLength(4);
  });

  it.each(["forged token", "no such key"])(
    "fails in three lines with a %s, and leaves the file alone",
    async (fault) => {
      verifies("field/object-store-faults");
      if (fault === "forged token") asUser({ ...CREDENTIALS, AWS_SESSION_TOKEN: FORGED_TOKEN });
      const env = fault === "no such key" ? { COMPACT_STORAGE_KMS_KEY_ID: "no-such-key" } : {};
      const before = readFileSync(join(cwd, "talk.json"));
      const { code, stdout, stderr } = await call(["conversation", "talk.json", ...TARGET], { cwd, env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      const told = stderr
        .trimEnd()
        .split("\n")
        .filter((line) => !/^(?:Reading|Compacting)/.test(line));
      expect(told.length).toBeLessThanOrEqual(3);
      expect(stderr).toContain(`s3://${bucket}/agents`);
      expect(stderr).not.toContain(FORGED_TOKEN);
      expect(existsSync(join(cwd, "talk.compacted.json"))).toBe(false);
      expect(readFileSync(join(cwd, "talk.json"))).toEqual(before);
      const events = readdirSync(cwd, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith("events.jsonl"),
      );
      for (const file of events) expect(readFileSync(join(cwd, file), "utf8")).not.toContain(FORGED_TOKEN);
    },
  );

  it("serves the archive to the tools of a server", async () => {
    await call(["conversation", "talk.json", ...TARGET], { cwd });
    const stream = { isTTY: false, columns: 80, write: () => true };
    const terminal = { argv: [], stdin: Readable.from([]), stdout: stream, stderr: stream, cwd, env: {} };
    const opened = await openMcp({ db: join(cwd, "memory.db") }, terminal);
    expect(opened.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["archive_search", "archive_expand"]));
    const archive = await opened.context.archive?.();
    expect(archive?.adapter).toBe("s3");
    expect(await archive?.sessions()).toEqual(["talk"]);
    await opened.close();
  });
});
