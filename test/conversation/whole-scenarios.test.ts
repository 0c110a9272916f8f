// Scenarios of the specification from their first word to their last, with its own figures and fields: what is asked of
// one event or one error is asked here of the same one.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactManager, createCallbackSink, createMemoryArchive } from "../../src/index.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, flatCounter, pair, system, turns, user } from "./support.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whole-scenarios-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the estimate", () => {
  const conversation = () =>
    [
      system("You repair data pipelines, and say what you did."),
      { role: "developer", content: "Answer in short sentences." },
      ...Array.from({ length: 10 }, (_, n) => [
        user(`Does step ${n} of the import work?`),
        assistant(`Step ${n} works.`),
      ]),
      ...Array.from({ length: 5 }, (_, n) => pair([`c${n}`], `rows ${n * 1000}`)),
    ].flat();
  const tools = [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }];

  it.each([
    ["gpt-4o", "o200k_base"],
    ["gpt-4", "cl100k_base"],
  ] as const)(
    "of %s has system, developer, tools and all messages, in its own encoding %s",
    async (model, encoding) => {
      verifies("conversation/accurate-token-estimate", "conversation/token-estimate-event");
      const { manager, of } = bench({ model, maxContextTokens: 128_000 });
      const messages = conversation();
      await manager.preflight("s", messages, { tools });
      await manager.flush();
      const [event] = of("compact.token_estimate");
      const counter = createTokenCounter({ encoding });
      const whole = (list: readonly unknown[]) => counter.countMessages(list);
      expect(event).toMatchObject({ model, max_tokens: 128_000, counting: "exact" });
      expect(event?.breakdown.system).toBe(whole(messages.slice(0, 1)));
      expect(event?.breakdown.developer).toBe(whole(messages.slice(1, 2)));
      expect(event?.breakdown.messages).toBe(whole(messages.slice(2)));
      expect(event?.breakdown.tools_schema).toBeGreaterThanOrEqual(counter.count(JSON.stringify(tools)));
      expect(event?.t_est).toBe(Object.values(event?.breakdown ?? {}).reduce((sum, tokens) => sum + tokens, 0));
      expect(event?.usage_pct).toBeCloseTo((event?.t_est ?? 0) / 128_000, 6);
    },
  );
});

describe("the trigger", () => {
  it.each([
    [1360, 108_800, true, 0.85],
    [1200, 96_000, false, 0.75],
  ])("at 80 messages of %i tokens, %i in all, is %s", async (each, total, triggered, share) => {
    verifies("conversation/automatic-trigger-at-85-percent", "conversation/no-trigger-below-threshold");
    const messages = [...turns(39), user("go on"), user("now")];
    const { manager, of } = bench({
      maxContextTokens: 128_000,
      policy: { triggerPct: 0.85 },
      tokenCounter: flatCounter(each),
    });
    const sent = await manager.preflight("s", messages);
    await manager.flush();
    expect(of("compact.token_estimate")[0]).toMatchObject({ t_est: total, usage_pct: share });
    expect(of("compact.trigger_decision")).toHaveLength(1);
    expect(of("compact.trigger_decision")[0]).toMatchObject({ triggered, policy: { trigger_pct: 0.85 } });
    expect(sent === messages).toBe(!triggered);
    expect(of("compact.pruned_messages")).toHaveLength(triggered ? 1 : 0);
  });
});

describe("protected messages that alone exceed the budget", () => {
  it("are an error with guidance, and an event, before any call of a model", async () => {
    verifies("conversation/protected-only-exhausts-budget", "conversation/error-event");
    let calls = 0;
    const summarizer = {
      kind: "model",
      summarize: async () => ({ text: `call ${++calls}`, source: "model" as const }),
    } as const;
    const messages = Array.from({ length: 3 }, (_, n) => ({ ...user(`rule ${n}`), meta: { protected: true } }));
    const before = structuredClone(messages);
    const config = {
      maxContextTokens: 2500,
      policy: { hardCapBuffer: 500 },
      tokenCounter: flatCounter(1000),
      summarizer,
    };
    const { manager, of } = bench(config);
    const failure = await manager.preflight("s", messages).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "InsufficientBudget" });
    await manager.flush();
    const { message, hint } = failure as Error & { hint: string };
    expect(`${message} ${hint}`).toMatch(/protected memory/i);
    expect(`${message} ${hint}`).toMatch(/context limit|larger (?:context )?window/i);
    expect(of("compact.error")).toHaveLength(1);
    expect(of("compact.error")[0]).toMatchObject({
      status: "error",
      error_type: "InsufficientBudget",
      message: expect.stringMatching(/protected memory/),
      fallback: "kept-original",
    });
    expect(calls).toBe(0);
    expect(messages).toEqual(before);
  });
});

describe("what is told of a compaction", () => {
  it("has the summary's size, its ratio and its text; each export its place; and all of it is in the log", async () => {
    verifies("conversation/summary-created-event", "conversation/audit-event-per-export");
    const seen: CompactEvent[] = [];
    const trace = [createCallbackSink((event) => void seen.push(event))];
    const manager = new CompactManager({ archive: { path: folder }, trace });
    await manager.manualCompact("s", turns(20));
    await manager.flush();
    const created = seen.find((event) => event.event === "compact.summary_created");
    expect(created).toMatchObject({ strategy: "task_state", input_messages: 28 });
    expect(created?.summary_tokens).toBeGreaterThan(50);
    expect(created?.compression_ratio).toBeGreaterThan(0);
    expect(created?.compression_ratio).toBeLessThan(1);
    expect(JSON.parse(created?.payload ?? "{}").summary).toContain("question 1");
    const exports = seen.filter((event) => event.event === "compact.archival");
    const places = ["transcript-pre-compact-001.jsonl", "summary-001.json"].map((name) => join(folder, "s", name));
    expect(
      exports.map(({ session_id, step, storage_adapter, file_path }) => [session_id, step, storage_adapter, file_path]),
    ).toEqual(places.map((place) => ["s", 1, "fs", place]));
    const log = (await readFile(join(folder, "s", "events.jsonl"), "utf8")).trimEnd().split("\n");
    const logged = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "compact.archival");
    expect(logged).toEqual(exports);
    for (const place of places) expect((await readFile(place, "utf8")).length).toBeGreaterThan(100);
  });

  it("names the key of an object in a bucket", async () => {
    verifies("conversation/audit-event-per-export");
    const memory = createMemoryArchive();
    const archive = new Proxy(memory, {
      get(target, name) {
        if (name === "adapter") return "s3";
        if (name === "saveTranscript") return async () => "s3://bucket-x/kept/s/transcript-pre-compact-001.jsonl";
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const { manager, of } = bench({ archive });
    await manager.manualCompact("s", turns(20));
    await manager.flush();
    expect(of("compact.archival")[0]).toMatchObject({
      storage_adapter: "s3",
      s3_key: "kept/s/transcript-pre-compact-001.jsonl",
    });
  });
});
