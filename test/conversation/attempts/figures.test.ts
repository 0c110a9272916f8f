// What the events say is what happened: figures of the run itself, of one counter, told when it is on record, and none of an
// outcome that there was not.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Archive,
  CompactError,
  createCallbackSink,
  createFsArchive,
  createMemoryArchive,
  type Summarizer,
} from "../../../src/index.ts";
import { createTokenCounter } from "../../../src/tokens.ts";
import type { RunEvent } from "../../../src/trace/compact-event.ts";
import { verifies } from "../../requirements/verifies.ts";
import { assistant, bench, turns, user } from "../support.ts";
import { asInFile, newFolder, onDisk, only, runsOf } from "./runs.ts";

const counter = createTokenCounter({ encoding: "o200k_base" });
const due = () => [...turns(26), user("go on")];

describe("the figures of a run", () => {
  it("are a recount of its own lists, whatever the run before it came to", async () => {
    verifies("field/event-for-what-did-not-happen");
    let isDown = false;
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        if (isDown) throw new CompactError("SummarizationFailed", "503", { code: "MODEL_UNAVAILABLE" });
        return { text: "The work goes on.", source: "model" };
      },
    };
    const policy = { onSummaryFailure: "keep", triggerPct: 0.6 } as const;
    const { manager, events, of, written } = onDisk({ summarizer, policy, maxContextTokens: 12_000 });
    const before = due();
    const compacted = await manager.manualCompact("s", before, { targetTokens: 3000 });
    isDown = true;
    const grown = [...compacted, assistant("ok"), ...turns(9, (n) => `later ${n}`), user("and?")];
    await expect(manager.manualCompact("s", grown)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    await manager.preflight("s", grown);
    const [success, failure, skip, ...others] = runsOf(events);
    expect(others).toEqual([]);
    const sizes = { tokens_before: counter.countMessages(before), tokens_after: counter.countMessages(compacted) };
    expect(sizes.tokens_before).toBeGreaterThan(2 * sizes.tokens_after);
    expect(success?.end).toMatchObject({ outcome: "completed", reason: "manual", step: 1, ...sizes });
    expect(of("compact.pruned_messages")).toMatchObject([{ ...sizes, step: 1, run_id: success?.end.run_id }]);
    expect(of("compact.token_estimate")[0]?.t_est).toBe(sizes.tokens_before);
    const recounted = counter.countMessages(grown);
    expect(failure?.end).toMatchObject({ outcome: "failed", reason: "MODEL_UNAVAILABLE", tokens_before: recounted });
    expect(skip?.end).toMatchObject({ outcome: "skipped", tokens_before: recounted });
    for (const run of [failure, skip]) expect(run?.end).not.toHaveProperty("tokens_after");
    expect(failure?.events.map(({ event }) => event)).not.toContain("compact.pruned_messages");
    expect(of("compact.summary_created")).toHaveLength(1);
    expect(await written("s")).toEqual(events.map(asInFile));
  });

  it("are those of the report, and of what the archive noted", async () => {
    verifies("field/event-for-what-did-not-happen");
    const { manager, events, of, archive } = onDisk({ maxContextTokens: 12_000, policy: { triggerPct: 0.6 } });
    let list: readonly unknown[] = [];
    for (let round = 1; round <= 3; round++) {
      list = [...list, ...turns(26, (n) => `${round}.${n}`), user("go on")];
      const { messages, report } = await manager.compact("s", list, { ifNeeded: true });
      list = [...messages, assistant("ok")];
      const { end } = runsOf(events).at(-1) as { end: RunEvent };
      const { tokens_before, tokens_after } = report;
      expect(end).toMatchObject({ outcome: "completed", step: round, tokens_before, tokens_after });
      expect(tokens_after).toBe(counter.countMessages(messages));
      expect(of("compact.pruned_messages").at(-1)).toMatchObject({ step: round, tokens_before, tokens_after });
      expect(await archive.readSummary("s", round)).toMatchObject({ tokens_before, tokens_after });
    }
  });

  it.each(["failed", "skipped", "aborted"] as const)("have none after in a run that is %s", async (outcome) => {
    verifies("field/event-for-what-did-not-happen");
    const saveSummary = async () => {
      throw new CompactError("ArchiveFailed", "No space left.");
    };
    const archive = outcome === "failed" ? { ...createMemoryArchive(), saveSummary } : createMemoryArchive();
    const caller = new AbortController();
    const list: unknown[] = due();
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        if (outcome === "aborted") caller.abort();
        if (outcome === "skipped") list.length = 0;
        return { text: "The work goes on.", source: "model" };
      },
    };
    const { manager, events } = bench({ archive, summarizer });
    await manager.manualCompact("s", list, { signal: caller.signal }).catch(() => undefined);
    const { end, events: ofRun } = only(runsOf(events));
    expect(end).toMatchObject({ outcome, step: 1, tokens_before: counter.countMessages(due()) });
    expect(end).not.toHaveProperty("tokens_after");
    const names = ofRun.map(({ event }) => event);
    expect(names).not.toContain("compact.pruned_messages");
    expect(names).not.toContain("compact.summary_created");
  });
});

describe("what an event tells", () => {
  it("is on record by then", async () => {
    const path = newFolder();
    const seen: string[] = [];
    const onRecord = (name: string) => existsSync(join(path, "s", name));
    const sink = createCallbackSink((event) => {
      seen.push(event.event);
      if (event.event === "compact.archival")
        expect(onRecord(event.what === "transcript" ? "transcript-pre-compact-001.jsonl" : "summary-001.json")).toBe(
          true,
        );
      if (event.event === "compact.pruned_messages" || event.event === "compact.summary_created") {
        expect(JSON.parse(readFileSync(join(path, "s", "summary-001.json"), "utf8"))).toHaveProperty("step", 1);
        expect(JSON.parse(readFileSync(join(path, "s", "state.json"), "utf8"))).toHaveProperty("step", 1);
      }
    });
    const { manager } = bench({ archive: createFsArchive({ path }), trace: [sink] });
    await manager.manualCompact("s", due());
    expect(sink.failures).toBe(0);
    expect(seen).toEqual(expect.arrayContaining(["compact.summary_created", "compact.pruned_messages"]));
  });

  it.each<[keyof Archive]>([["saveSummary"], ["writeState"]])(
    "did not happen to a list that was replaced in the middle of %s",
    async (method) => {
      verifies("field/event-for-what-did-not-happen");
      const list: unknown[] = due();
      const inner = createMemoryArchive();
      let calls = 0;
      const archive: Archive = {
        ...inner,
        [method]: async (...given: unknown[]) => {
          if (++calls === 1) list.splice(0, list.length, user("something else"));
          return (inner[method] as (...all: unknown[]) => unknown)(...given);
        },
      };
      const { manager, events, of } = bench({ archive });
      const { messages, report } = await manager.compact("s", list);
      expect(messages).toBe(list);
      expect(report).toMatchObject({ status: "skipped", reason: "messages_changed" });
      expect(only(runsOf(events)).end).toMatchObject({ outcome: "skipped", reason: "messages_changed", step: 1 });
      expect(of("compact.pruned_messages")).toEqual([]);
      expect(of("compact.summary_created")).toEqual([]);
      // The record was saved all the same; the session goes on from what it was.
      expect(of("compact.archival").map(({ what }) => what)).toEqual(["transcript", "summary"]);
      expect(await inner.readState("s")).toMatchObject({ step: 1, summary_version: 0, summary_hash: null });
      const next = await manager.compact("s", due());
      expect(next.report).toMatchObject({ status: "compacted", summary: { version: 1 } });
      expect(runsOf(events).at(-1)?.end).toMatchObject({ outcome: "completed", step: 2 });
    },
  );
});
