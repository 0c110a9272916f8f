// A summary prepared in the background: used when its messages still stand at the head of the list, dropped else.
import { describe, expect, it, vi } from "vitest";
import type { Summarizer, SummaryRequest } from "../../../src/index.ts";
import { assistant, bench, summaryOf, textOf, turns, user } from "../support.ts";

interface Controlled {
  readonly summarizer: Summarizer;
  readonly requests: SummaryRequest[];
  /** Lets the pending summaries be answered. */
  release(): void;
}

function controlled(isOpen = false): Controlled {
  const requests: SummaryRequest[] = [];
  let open: () => void = () => {};
  const gate = isOpen ? Promise.resolve() : new Promise<void>((resolve) => (open = resolve));
  const summarizer: Summarizer = {
    kind: "model",
    summarize: async (request) => {
      requests.push(request);
      await gate;
      return { text: `Summary number ${requests.length}.`, source: "model" };
    },
  };
  return { summarizer, requests, release: () => open() };
}

const settings = { maxContextTokens: 30_000, policy: { triggerPct: 0.4, targetPct: 0.3 } };
const history = () => [...turns(28), user("go on")];
/** Enough to reach the trigger, little enough to stay near the target. */
const more = () => [assistant("done"), ...turns(14, (n) => `later ${n}`), user("and now")];

describe("a summary prepared ahead", () => {
  it("is used when it is due, without another call, and keeps what came since", async () => {
    const { summarizer, requests } = controlled(true);
    const { manager, of, archive } = bench({ summarizer, ...settings });
    const head = history();
    expect(await manager.prepare("s", head)).toBe(true);
    expect(of("compact.trigger_decision")).toEqual([]);
    expect(await archive.nextStep("s")).toBe(1);
    expect(await manager.status("s")).toMatchObject({ early: "ready" });
    const list = [...head, ...more()];
    const compacted = await manager.preflight("s", list);
    expect(requests).toHaveLength(1);
    expect(summaryOf(compacted)).toContain("Summary number 1.");
    expect(compacted.slice(-more().length)).toEqual(more());
    expect(compacted.at(-1)).toBe(list.at(-1));
    const [pruned] = of("compact.pruned_messages");
    expect(pruned?.tokens_before).toBe(of("compact.token_estimate").at(-1)?.t_est);
    expect(await manager.status("s")).toMatchObject({ early: "none", step: 1, summary_version: 1 });
    expect(await manager.preflight("s", compacted)).toBe(compacted);
  });

  it("is awaited when it is due before it is written", async () => {
    const { summarizer, requests, release } = controlled();
    const { manager } = bench({ summarizer, ...settings });
    const head = history();
    const preparing = manager.prepare("s", head);
    const preflight = manager.preflight("s", [...head, ...more()]);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    release();
    expect(await preparing).toBe(true);
    expect(summaryOf(await preflight)).toContain("Summary number 1.");
    expect(requests).toHaveLength(1);
  });

  it("is dropped when a message at the head has changed", async () => {
    const { summarizer, requests } = controlled(true);
    const { manager } = bench({ summarizer, ...settings });
    const head = history();
    await manager.prepare("s", head);
    const changed = [user("another first question"), ...head.slice(1), ...more()];
    expect(summaryOf(await manager.preflight("s", changed))).toContain("Summary number 2.");
    expect(requests[1]?.passages.some(({ text }) => text.includes("another first question"))).toBe(true);
  });

  it("is dropped when what came since takes the room it won", async () => {
    const { summarizer, requests } = controlled(true);
    const { manager } = bench({ summarizer, ...settings });
    const head = history();
    await manager.prepare("s", head);
    const compacted = await manager.preflight("s", [
      ...head,
      assistant("done"),
      ...turns(90, (n) => `later ${n}`),
      user("x"),
    ]);
    expect(requests).toHaveLength(2);
    expect(textOf(compacted)).not.toContain("Summary number 1.");
  });

  it("is not used for a compaction that somebody asked for with wishes of their own", async () => {
    const { summarizer, requests } = controlled(true);
    const { manager } = bench({ summarizer, ...settings });
    await manager.prepare("s", history());
    await manager.manualCompact("s", history(), { note: "mind the names" });
    expect(requests[1]?.note).toBe("mind the names");
  });

  it("costs nothing but an event when the model fails", async () => {
    const summarizer: Summarizer = { kind: "model", summarize: () => Promise.reject(new Error("503")) };
    const { manager, of } = bench({
      summarizer,
      ...settings,
      policy: { ...settings.policy, onSummaryFailure: "extractive" },
    });
    expect(await manager.prepare("s", history())).toBe(false);
    expect(of("compact.error")[0]).toMatchObject({ fallback: "none" });
    expect(summaryOf(await manager.preflight("s", [...history(), ...more()]))).toContain("go on");
  });

  it("stops when a later call replaces it, or the caller gives it up", async () => {
    const { summarizer, requests, release } = controlled();
    const { manager } = bench({ summarizer, ...settings });
    const first = manager.prepare("s", history());
    const caller = new AbortController();
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    const second = manager.prepare("s", [...history(), assistant("ok")], { signal: caller.signal });
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[0]?.signal?.aborted).toBe(true);
    expect(caller.signal.aborted).toBe(false);
    release();
    await Promise.all([first, second]);
  });

  it("needs no model: the extractive text is prepared as well", async () => {
    const { manager } = bench(settings);
    const head = history();
    expect(await manager.prepare("s", head)).toBe(true);
    expect(summaryOf(await manager.preflight("s", [...head, ...more()]))).toMatch(/^<COMPACT-SUMMARY v1>/);
  });

  it.each([{ preparePct: 0.25 }, { prepareTokens: 7500 }])(
    "is started by itself at the soft trigger %j, once",
    async (soft) => {
      const { summarizer, requests } = controlled(true);
      const { manager, of } = bench({ summarizer, ...settings, policy: { ...settings.policy, ...soft } });
      const head = history();
      expect(await manager.preflight("s", head.slice(0, 30))).toHaveLength(30);
      expect(await manager.status("s")).toMatchObject({ early: "none" });
      expect(await manager.preflight("s", head)).toBe(head);
      await vi.waitFor(async () => expect(await manager.status("s")).toMatchObject({ early: "ready" }));
      const grown = [...head, assistant("going on"), user("yes")];
      expect(await manager.preflight("s", grown)).toBe(grown);
      expect(requests).toHaveLength(1);
      expect(of("compact.pruned_messages")).toEqual([]);
      const compacted = await manager.preflight("s", [...head, ...more()]);
      expect(summaryOf(compacted)).toContain("Summary number 1.");
      expect(requests).toHaveLength(1);
    },
  );
});
