// Sessions under bad luck: summaries written ahead that no longer fit, callers that give up, reports that lie, a model
// that was shown secrets.
import { describe, expect, it } from "vitest";
import { CompactManager, type ModelFunction } from "../../src/index.ts";
import { assistant, bench, summaryOf, textOf, turns, user } from "../conversation/support.ts";

const WINDOW = 8000;
const policy = { keepRecentTurns: 2 };
const answer = "## Progress\n- The work went on [1.1]";
const long = (topic: string) => [user(`Begin with ${topic}.`), ...turns(24, (n) => `${topic} ${n}`), user("go on")];
const managed = (model: ModelFunction, rest: object = {}) =>
  bench({ maxContextTokens: WINDOW, policy, summarizer: { model, ...rest } });

describe("a summary written ahead", () => {
  it("is dropped when another compaction came between, so that no step is counted twice", async () => {
    let calls = 0;
    const model = async () => `## Progress\n- Answer ${++calls} [1.1]`;
    const manager = new CompactManager({ maxContextTokens: WINDOW, policy, archive: false, summarizer: { model } });
    const list = long("alpha");
    expect(await manager.prepare("s", list)).toBe(true);
    await manager.manualCompact("s", long("beta"));
    const messages = await manager.preflight("s", [...list, assistant("done"), user("next")]);
    expect(summaryOf(messages)).toContain("Answer 3");
    expect(await manager.status("s")).toMatchObject({ step: 2 });
  });

  it("does not hold up a caller who gives up waiting for it, and serves the next one", async () => {
    let release: (text: string) => void = () => undefined;
    let calls = 0;
    const { manager } = managed(() => {
      calls += 1;
      return new Promise<string>((resolve) => {
        release = resolve;
      });
    });
    const list = long("alpha");
    const prepared = manager.prepare("s", list);
    await expect.poll(() => calls).toBe(1);
    const controller = new AbortController();
    const waiting = manager.preflight("s", list, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(waiting).rejects.toThrow(/abort/i);
    release(answer);
    expect(await prepared).toBe(true);
    expect(summaryOf(await manager.preflight("s", list))).toContain("The work went on");
    expect(calls).toBe(1);
  });
});

describe("a report of the provider that leaves most of the prompt out", () => {
  it.each([
    ["passed", { input_tokens: 4, output_tokens: 12 }, {}],
    ["found in the list", undefined, { usage: { input_tokens: 4, output_tokens: 12 } }],
  ])("does not hide an overrun: %s", async (_where, usage, field) => {
    const { manager } = managed(async () => answer);
    const list = [...long("alpha").slice(0, -1), { ...assistant("yes"), ...field }, user("go on")];
    const { report } = await manager.compact("s", list, { ifNeeded: true, ...(usage === undefined ? {} : { usage }) });
    expect(report.tokens_before).toBeGreaterThan(WINDOW * 0.85);
    expect(report.status).toBe("compacted");
  });
});

describe("a model that is shown secrets", () => {
  it("cannot bring them into the summary", async () => {
    const key = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";
    let seen = "";
    const { manager, archive, events } = managed(
      async ({ prompt }) => {
        seen = prompt;
        return `${answer}\n## Values in force\n- api_key = ${key} [1.2]`;
      },
      { redactInput: false },
    );
    const messages = await manager.manualCompact("s", [user("Start."), user(`api_key = ${key}`), ...long("alpha")]);
    expect(seen).toContain(key);
    expect(summaryOf(messages)).toContain("The work went on");
    expect(textOf(messages)).not.toContain(key);
    expect(JSON.stringify([events, await archive.readState("s")])).not.toContain(key);
  });
});

describe("a clock that runs backwards", () => {
  it("makes no negative times", async () => {
    let now = Date.UTC(2031, 0, 2);
    const { manager, of } = bench({
      maxContextTokens: WINDOW,
      policy,
      now: () => {
        now -= 1000;
        return now;
      },
      summarizer: { model: async () => answer },
    });
    await manager.manualCompact("s", long("alpha"));
    expect(of("compact.summary_created").map(({ duration_ms }) => duration_ms)).toEqual([0]);
  });
});
