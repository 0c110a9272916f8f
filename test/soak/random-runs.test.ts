// Random sessions, call by call, with summarizers that fail in every way: no list ever goes out that its provider would
// refuse or that is over the budget. All thousand of them: npm run soak.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompactError, type Summarizer } from "../../src/index.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { createModelSummarizer } from "../../src/summaries/model-summarizer.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import { createScriptedModel, type ModelStep } from "../../src/testing.ts";
import { withoutMedia } from "../../src/tokens/count-media.ts";
import { countView } from "../../src/tokens/count-messages.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { bench } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { BUFFER, callPoints, type RandomSession, randomSession } from "./random-sessions.ts";

const RUNS = Number(process.env.AGENT_SOAK_RUNS ?? 60);
const counter = createTokenCounter({ encoding: "o200k_base" });

interface Tally {
  calls: number;
  compacted: number;
  refused: number;
  failures: number;
}

describe("a session with random messages, limits and models", () => {
  it(`never sends what is refused or too long, in ${RUNS} runs`, { timeout: 1_800_000 }, async () => {
    verifies("conversation/protected-message-never-pruned", "rulings/never-removed");
    const tally: Tally = { calls: 0, compacted: 0, refused: 0, failures: 0 };
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    await fc.assert(
      fc.asyncProperty(randomSession, (session) => runSession(session, tally)),
      { numRuns: RUNS, seed: 20310417, endOnFailure: true },
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    // The runs are of use only when they get tight, and when most of them can be helped.
    expect(tally.compacted).toBeGreaterThan(RUNS);
    expect(tally.failures).toBeGreaterThan(RUNS / 4);
    expect(tally.refused).toBeLessThan(RUNS / 2);
  });
});

async function runSession(session: RandomSession, tally: Tally): Promise<void> {
  const { format, messages, window, policy, pinEvery, keepsHistory, script, isManualAtTheEnd } = session;
  const pinned = new Set(messages.filter((_, index) => pinEvery > 0 && index % pinEvery === 1));
  const protect = (message: unknown) => pinned.has(message);
  const summarizer = script === undefined ? {} : { summarizer: misbehaving(script) };
  const { manager, of } = bench({ maxContextTokens: window, policy, protect, ...summarizer });
  let sent: readonly unknown[] = [];
  let length = 0;
  for (const point of callPoints(session)) {
    const list = keepsHistory ? messages.slice(0, point) : [...sent, ...messages.slice(length, point)];
    length = point;
    const isManual = isManualAtTheEnd && point === messages.length;
    const before = JSON.stringify(list);
    const options = { format: format.name, ifNeeded: !isManual };
    const result = await manager.compact("s", list, options).catch((error: unknown) => error);
    tally.calls += 1;
    expect(JSON.stringify(list)).toBe(before);
    if (CompactError.isInstance(result)) {
      checkRefusal(result, isManual && policy.onSummaryFailure === "keep");
      tally.refused += 1;
      break;
    }
    const { messages: output, report } = result as Awaited<ReturnType<typeof manager.compact>>;
    if (report.status !== "skipped") tally.compacted += 1;
    expect(format.validate(output, { allowOpenTail: true })).toEqual([]);
    expect(tokensOf(session, output), JSON.stringify(report)).toBeLessThanOrEqual(window - BUFFER);
    const there = new Set(output);
    for (const message of list) {
      if (protect(message) || format.view(message).isProtected) expect(there.has(message)).toBe(true);
    }
    sent = output;
  }
  tally.failures += of("compact.error").length;
}

/** Counted once more, message by message, not taken from the report. What media take is a guess, which refuses nothing. */
function tokensOf({ format }: RandomSession, messages: readonly unknown[]): number {
  return messages.reduce<number>((sum, message) => sum + countView(withoutMedia(format.view(message)), counter), 0);
}

/** No list under the limit was possible, or somebody who asked is told that the model failed. */
function checkRefusal(error: CompactError, mayBeTheModel: boolean): void {
  if (mayBeTheModel && error.kind === "SummarizationFailed") return;
  expect(error.kind, error.message).toBe("InsufficientBudget");
  const figures = error.data as Readonly<Record<string, number>>;
  const {
    budget = 0,
    pinned = 0,
    recent = 0,
    fixed = 0,
    summary = 0,
    tokens = pinned + recent + fixed + summary,
  } = figures;
  expect(tokens, error.message).toBeGreaterThan(budget);
}

/** Gives up quickly on a model that is silent, and does not wait between two attempts. */
function misbehaving(script: readonly ModelStep[]): Summarizer {
  return createModelSummarizer({
    model: createScriptedModel(script),
    redactor: createRedactor(),
    extractive: createExtractiveSummarizer(),
    timeoutMs: 10,
    sleep: async () => {},
    random: () => 0,
  });
}
