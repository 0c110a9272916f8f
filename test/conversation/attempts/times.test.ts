// The bars are true: an event has the start and the length of what it tells, by a clock that only moves when something works.
import { describe, expect, it } from "vitest";
import { type Archive, CompactError, createMemoryArchive, type Summarizer } from "../../../src/index.ts";
import type { CompactEvent } from "../../../src/trace/compact-event.ts";
import { assistant, bench, turns, user } from "../support.ts";
import { only, runsOf } from "./runs.ts";

const NOON = Date.UTC(2031, 0, 2, 12);
const due = () => [...turns(25), user("go on")];

/** Seconds after noon at which what the event tells began, and how many it took. */
function barOf(event: CompactEvent | undefined): readonly [number, number] {
  if (event?.started_at === undefined || event.duration_ms === undefined) throw new Error("an event without a bar");
  return [(Date.parse(event.started_at) - NOON) / 1000, event.duration_ms / 1000];
}

/** A clock that stands still but while something works for so many seconds. */
function workshop() {
  let now = NOON;
  const work = (seconds: number) => {
    now += seconds * 1000;
  };
  const inner = createMemoryArchive();
  /** As the archive does it, but not at once. */
  const slowly =
    <Given extends unknown[], Result>(seconds: number, does: (...given: Given) => Promise<Result>) =>
    (...given: Given) => {
      work(seconds);
      return does(...given);
    };
  const archive: Archive = {
    ...inner,
    nextStep: slowly(1, inner.nextStep),
    saveTranscript: slowly(2, inner.saveTranscript),
    saveSummary: slowly(3, inner.saveSummary),
    writeState: slowly(4, inner.writeState),
  };
  return { now: () => now, work, archive };
}

describe("the bars of a run", () => {
  it("are those of the summarizer and of each write, within the whole", async () => {
    const { now, work, archive } = workshop();
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        work(30);
        return { text: "The work goes on.", source: "model" };
      },
    };
    const { manager, events, of } = bench({ now, archive, summarizer });
    await manager.manualCompact("s", due());
    expect(barOf(of("compact.token_estimate")[0])).toEqual([0, 0]);
    const [transcript, summary] = of("compact.archival");
    expect(barOf(transcript)).toEqual([1, 2]);
    expect(barOf(of("compact.summary_created")[0])).toEqual([3, 30]);
    expect(barOf(summary)).toEqual([33, 3]);
    expect(barOf(only(runsOf(events)).end)).toEqual([0, 40]);
    // Told when all of it was on record.
    expect(of("compact.summary_created")[0]?.at).toBe(new Date(NOON + 40_000).toISOString());
  });

  it("are each call's of a model that fails, waiting in between not counted", async () => {
    const { now, work, archive } = workshop();
    let calls = 0;
    const model = async () => {
      work(10);
      if (++calls < 3) throw Object.assign(new Error("overloaded"), { status: 503 });
      return { text: "## Goals and success criteria\n- Move the ledger [1.1]" };
    };
    const { manager, of } = bench({ now, archive, summarizer: { model } });
    await manager.manualCompact("s", due());
    expect(of("compact.error").map(barOf)).toEqual([
      [3, 10],
      [13, 10],
    ]);
    expect(barOf(of("compact.summary_created")[0])).toEqual([3, 30]);
  }, 20_000);

  it("are the last call's for the failure that something else stands in for, and its own for what does", async () => {
    const { now, work, archive } = workshop();
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async ({ onCall, onSetback }) => {
        work(1);
        onCall?.();
        work(10);
        onSetback?.({ code: "MODEL_UNAVAILABLE", message: "503.", next: "retry", attempt: 1 });
        work(60);
        onCall?.();
        work(20);
        throw new CompactError("SummarizationFailed", "503.", { code: "MODEL_UNAVAILABLE" });
      },
    };
    const { manager, of } = bench({ now, archive, summarizer, policy: { onSummaryFailure: "extractive" } });
    await manager.manualCompact("s", due());
    expect(of("compact.error").map(({ fallback }) => fallback)).toEqual(["retry", "extractive"]);
    expect(of("compact.error").map(barOf)).toEqual([
      [4, 10],
      [74, 20],
    ]);
    expect(barOf(of("compact.summary_created")[0])).toEqual([94, 0]);
  });

  it("begin when an attempt was asked for, not when its turn came", async () => {
    const { now, work, archive } = workshop();
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        work(30);
        return { text: "The work goes on.", source: "model" };
      },
    };
    const { manager, events } = bench({ now, archive, summarizer });
    await Promise.all([manager.manualCompact("s", due()), manager.preflight("s", due())]);
    expect(runsOf(events).map(({ end }) => barOf(end))).toEqual([
      [0, 40],
      [0, 40],
    ]);
  });

  it("reach back before the run for a summary that was written ahead of it", async () => {
    const { now, work, archive } = workshop();
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        work(30);
        return { text: "The work goes on.", source: "model" };
      },
    };
    const policy = { triggerPct: 0.4, targetPct: 0.3 };
    const { manager, events, of } = bench({ now, archive, summarizer, maxContextTokens: 30_000, policy });
    const head = [...turns(28), user("go on")];
    expect(await manager.prepare("s", head)).toBe(true);
    expect(events).toEqual([]);
    work(100);
    await manager.preflight("s", [...head, assistant("done"), ...turns(14, (n) => `later ${n}`), user("and now")]);
    const { end } = only(runsOf(events));
    expect(end).toMatchObject({ event: "compact.preflight", outcome: "completed", step: 1 });
    expect(barOf(of("compact.summary_created")[0])).toEqual([1, 30]);
    expect(of("compact.summary_created")[0]?.run_id).toBe(end.run_id);
    expect(barOf(end)).toEqual([131, 9]);
  });
});
