// What is on record after a compaction: files, events, and nothing secret in either.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CompactEvent } from "../../src/index.ts";
import {
  CompactError,
  CompactManager,
  createCallbackSink,
  createFsArchive,
  createMemoryArchive,
} from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { asInFile } from "./attempts/runs.ts";
import { assistant, bench, pair, turns, user } from "./support.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-compact-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SECRET = "api_key=sk-abc123";

describe("the file archive", () => {
  it("has the spec's names, stays inside its folder, and counts on after a restart", async () => {
    verifies(
      "values/archive-paths-and-steps",
      "conversation/filesystem-archive",
      "rulings/archive-naming",
      "field/archive-overwritten",
    );
    const open = () => new CompactManager({ archive: { path: join(folder, "archive") } });
    const manager = open();
    const first = await manager.manualCompact("../../x", turns(10));
    await manager.manualCompact("../../x", [...first, ...turns(10)]);
    await manager.flush();
    const restarted = open();
    await restarted.manualCompact(
      "../../x",
      turns(40, (n) => `third ${n}`),
    );
    await restarted.flush();
    expect(await readdir(folder)).toEqual(["archive"]);
    const inside = await readdir(join(folder, "archive"));
    const [session = "", ...others] = inside.filter((name) => name !== "catalog.jsonl");
    expect(others).toEqual([]);
    const files = await readdir(join(folder, "archive", session));
    const steps = ["001", "002", "003"];
    expect(files).toEqual(
      expect.arrayContaining([
        ...steps.map((step) => `transcript-pre-compact-${step}.jsonl`),
        ...steps.map((step) => `summary-${step}.json`),
        "events.jsonl",
      ]),
    );
    const transcript = await readFile(join(folder, "archive", session, "transcript-pre-compact-001.jsonl"), "utf8");
    expect(
      transcript
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(turns(10));
  });

  it("holds no secret, while the live messages keep theirs", async () => {
    verifies("conversation/redaction-before-archival", "conversation/redaction-on-by-default");
    const pem = "-----BEGIN PRIVATE KEY-----\nMIIabcdef0123456789\n-----END PRIVATE KEY-----";
    const messages = [
      user(`use ${SECRET} and "password": "hunter2", Authorization: Bearer abcdefghij\n${pem}\nmax_tokens: 500`),
      ...turns(9),
      user(`again ${SECRET}`),
    ];
    const { manager } = { manager: new CompactManager({ archive: { path: folder } }) };
    const output = await manager.manualCompact("s", messages);
    await manager.flush();
    expect(output.at(-1)).toBe(messages.at(-1));
    expect(JSON.stringify(output.at(-1))).toContain(SECRET);
    for (const file of await readdir(join(folder, "s"))) {
      const content = await readFile(join(folder, "s", file), "utf8");
      for (const secret of ["sk-abc123", "hunter2", "abcdefghij", "MIIabcdef"])
        expect(content, file).not.toContain(secret);
    }
    const transcript = await readFile(join(folder, "s", "transcript-pre-compact-001.jsonl"), "utf8");
    expect(transcript).toContain("api_key=<REDACTED>");
    expect(transcript).toContain("max_tokens: 500");
    const summary = JSON.stringify(output[0]);
    expect(summary).toContain("api_key=<REDACTED>");
    expect(summary).not.toContain("hunter2");
  });

  it("stops the compaction when it cannot write: nothing is pruned", async () => {
    await writeFile(join(folder, "blocked"), "a file where a folder is due");
    const events: CompactEvent[] = [];
    const config = {
      archive: createFsArchive({ path: join(folder, "blocked") }),
      trace: [createCallbackSink((event) => void events.push(event))],
    };
    const failure = await new CompactManager(config).manualCompact("s", turns(10)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "ArchiveFailed" });
    expect(events.map(({ event }) => event)).not.toContain("compact.pruned_messages");
    expect(events.find(({ event }) => event === "compact.error")).toMatchObject({ fallback: "kept-original" });
    const careless = await new CompactManager({ ...config, archiveOptional: true }).compact("s", turns(10));
    expect(careless.report.status).toBe("compacted");
    expect(careless.report.archive).toEqual({ transcript: null, summary: null });
    expect(careless.report.warnings).toContainEqual({
      code: "not_archived",
      message: expect.stringContaining("cannot be brought back"),
    });
    expect(JSON.stringify(careless.messages[0])).toContain("The originals were not archived.");
    const { warnings, archive } = careless.report;
    expect(archive).toEqual({ transcript: null, summary: null });
    const losses = warnings.filter(({ code }) => code === "not_archived").map(({ message }) => message);
    expect(losses).toEqual([
      expect.stringMatching(/^The transcript of step 1 was not archived: .+ cannot be brought back\.$/),
      expect.stringMatching(/^The summary of step 1 was not archived: .+ may not know of this compaction\.$/),
    ]);
  });

  it("may go on without it, but nothing then points to what is not there", async () => {
    const archive = createMemoryArchive();
    const broken = {
      ...archive,
      saveTranscript: () => Promise.reject(new CompactError("ArchiveFailed", "it is full")),
    };
    const long = `${"all of it ".repeat(4000)}`;
    const messages = [user(`first ${"word ".repeat(2000)}`), ...turns(10), user("run it"), ...pair(["c1"], long)];
    const { manager, of } = bench({ archive: broken, archiveOptional: true, maxContextTokens: 12_000 });
    const { messages: after, report } = await manager.compact("s", messages, { targetTokens: 3000 });
    expect(report.archive).toMatchObject({ transcript: null, summary: "memory:s/summary-001.json" });
    const [loss] = report.warnings;
    expect(loss?.code).toBe("not_archived");
    expect(loss?.message).toContain("The transcript of step 1 was not archived: it is full.");
    expect(of("compact.warning").map(({ code }) => code)).toEqual(["not_archived"]);
    const text = JSON.stringify(after);
    expect(text).toContain("were left out here to save room; they were not archived]");
    expect(text).toContain("The originals were not archived.");
    expect(text).not.toMatch(/agent-compact archive|in the archive/);
    expect(JSON.stringify(report.warnings)).not.toContain("in the archive");
  });

  it("takes one step each when two managers compact one session at once", async () => {
    const archive = createFsArchive({ path: folder });
    const runs = Array.from({ length: 4 }, (_, n) =>
      new CompactManager({ archive }).manualCompact(
        "s",
        turns(10, (t) => `manager ${n} ${t}`),
      ),
    );
    await Promise.all(runs);
    expect((await archive.steps("s")).map(({ step, summary }) => [step, summary !== undefined])).toEqual(
      [1, 2, 3, 4].map((step) => [step, true]),
    );
  });
});

describe("trace events", () => {
  it("tell the whole story in order, with the spec's fields", async () => {
    verifies(
      "conversation/token-estimate-event",
      "conversation/trigger-decision-event",
      "conversation/summary-created-event",
      "conversation/audit-event-per-export",
    );
    const { manager, events, of } = bench({ model: "gpt-4o" });
    await manager.manualCompact("s", turns(10), { note: "user-requested" });
    expect(events.map(({ event }) => event)).toEqual([
      "compact.token_estimate",
      "compact.trigger_decision",
      "compact.layer_choice",
      "compact.archival",
      "compact.summary_created",
      "compact.pruned_messages",
      "compact.archival",
      "compact.manual",
    ]);
    const [estimate] = of("compact.token_estimate");
    expect(estimate).toMatchObject({
      session_id: "s",
      at: "2031-01-02T03:04:05.000Z",
      model: "gpt-4o",
      max_tokens: 128_000,
      counting: "exact",
    });
    const parts = estimate?.breakdown ?? { system: 0, developer: 0, tools_schema: 0, messages: 0 };
    expect(parts.system + parts.developer + parts.tools_schema + parts.messages).toBe(estimate?.t_est);
    expect(of("compact.trigger_decision")[0]).toMatchObject({
      triggered: true,
      reason: "manual",
      note: "user-requested",
      policy: { trigger_pct: 0.85, hard_cap_buffer: 1500, strategy: "task_state" },
      kept: { pinned: 0, recent_turns: 6, tool_pairs: 0 },
      pruned_count: 8,
    });
    const [created] = of("compact.summary_created");
    expect(created).toMatchObject({ strategy: "task_state", input_messages: 8, version: 1, source: "extractive" });
    expect(JSON.parse(created?.payload ?? "")).toHaveProperty("summary", expect.stringContaining("question 1"));
    expect(of("compact.archival").map(({ what, step, storage_adapter }) => [what, step, storage_adapter])).toEqual([
      ["transcript", 1, "memory"],
      ["summary", 1, "memory"],
    ]);
  });

  it("say that a compaction was not due", async () => {
    verifies("conversation/no-trigger-below-threshold");
    const { manager, of } = bench();
    await manager.preflight("s", turns(2));
    expect(of("compact.trigger_decision")[0]).toMatchObject({ triggered: false, reason: "below_trigger" });
  });

  it("are all in the session's events.jsonl", async () => {
    verifies("rulings/event-log");
    const seen: CompactEvent[] = [];
    const manager = new CompactManager({
      archive: { path: folder },
      trace: [createCallbackSink((event) => void seen.push(event))],
      redaction: { enabled: false },
    });
    await manager.manualCompact("s", turns(10));
    await manager.flush();
    const lines = (await readFile(join(folder, "s", "events.jsonl"), "utf8")).trimEnd().split("\n");
    // Sinks get the summary's text, the file names where the archive has it.
    expect(lines.map((line) => JSON.parse(line))).toEqual(seen.map(asInFile));
    expect(lines.join("\n")).not.toContain("question 1");
    expect(JSON.stringify(seen)).toContain("question 1");
    expect(seen.find(({ event }) => event === "compact.warning")).toMatchObject({
      severity: "high",
      code: "redaction_disabled",
    });
  });
});

describe("manual compaction", () => {
  it("acts at ten percent of the window, says why, and saves at least 40 %", async () => {
    verifies("conversation/manual-compaction", "values/manual-at-ten-percent");
    const messages = turns(40);
    const { manager, of } = bench();
    const { messages: output, report } = await manager.compact("s", messages, { note: "user-requested" });
    expect(report.tokens_before / 128_000).toBeLessThan(0.12);
    expect(report.reduction).toBeGreaterThanOrEqual(0.4);
    expect(output.length).toBeLessThan(messages.length);
    expect(of("compact.trigger_decision")[0]?.note).toBe("user-requested");
  });
});

describe("messages that arrive while a summary is written", () => {
  it("are kept behind it; a list replaced meanwhile is left alone", async () => {
    verifies("field/written-during-the-summary", "rulings/concurrent-compaction");
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const summarizer = {
      kind: "model",
      summarize: () => gate.then(() => ({ text: "Work so far.", source: "model" as const })),
    } as const;
    const live: unknown[] = [...turns(10)];
    const { manager } = bench({ summarizer, archive: createMemoryArchive() });
    const running = manager.manualCompact("s", live);
    const late = [user("one more thing"), assistant("noted")];
    live.push(...late);
    const cleared: unknown[] = [...turns(10)];
    const other = manager.compact("other", cleared);
    cleared.length = 0;
    release();
    expect((await running).slice(-2)).toEqual(late);
    const { messages, report } = await other;
    expect(messages).toBe(cleared);
    expect(report).toMatchObject({ status: "skipped", reason: "messages_changed" });
  });
});

describe("a model without a public tokenizer", () => {
  it("is counted with a margin, and the report says so", async () => {
    const { manager, of } = bench({ model: "claude-sonnet-4-5" });
    const { report } = await manager.compact("s", turns(20));
    expect(of("compact.token_estimate")[0]?.counting).toBe("estimated");
    expect(report.warnings.find(({ code }) => code === "estimated_counts")?.message).toMatch(/within about \d+ %/);
    const exact = await bench({ model: "gpt-4o" }).manager.compact("s", turns(20));
    expect(exact.report.warnings.map(({ code }) => code)).not.toContain("estimated_counts");
  });
});
