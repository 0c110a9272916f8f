// The invariants of compaction, on random histories of every format and random policies. Run more with
// PROPERTY_RUNS=20000 npx vitest run test/property.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/index.ts";
import type { Format } from "../../src/providers/format.ts";
import { bench } from "../conversation/support.ts";
import { formatHistories } from "../formats/histories.ts";
import { verifies } from "../requirements/verifies.ts";

const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

const policy = fc.record({
  keepRecentTurns: fc.nat(6),
  keepToolIoPairs: fc.nat(5),
  summaryMaxTokens: fc.constantFrom("auto" as const, 300),
});
/** Messages of 100 tokens each, whatever they say, so that every window below gets tight now and then. */
const tokenCounter = {
  name: "flat",
  isExact: true,
  count: (text: string) => Math.ceil(text.length / 40),
  countMessage: () => 100,
};
const window = fc.constantFrom(800, 1200, 2000, 128_000);

describe.each(formatHistories)("$format.name", ({ format, historyOf }) => {
  const history = historyOf();
  it(`holds the invariants over ${RUNS} random histories`, { timeout: 300_000 }, async () => {
    verifies("conversation/property-invariants", "rulings/never-removed");
    let compacted = 0;
    let refused = 0;
    const property = fc.asyncProperty(
      history,
      policy,
      window,
      fc.boolean(),
      async (messages, policyOf, maxContextTokens, names) => {
        const before = JSON.stringify(messages);
        const config = { maxContextTokens, tokenCounter, policy: { ...policyOf, hardCapBuffer: 100 } };
        const { manager, of } = bench(config);
        const options = { format: format.name, ...(names ? { targetTokens: Math.floor(maxContextTokens / 3) } : {}) };
        const result = await manager.compact("s", messages, options).catch((error: unknown) => error);
        expect(JSON.stringify(messages)).toBe(before);
        if (CompactError.isInstance(result)) {
          expect(result.kind).toBe("InsufficientBudget");
          refused++;
          return;
        }
        const { messages: output, report } = result as Awaited<ReturnType<typeof manager.compact>>;
        expect(format.validate(output, { allowOpenTail: true })).toEqual([]);
        if (report.status === "skipped") {
          expect(output).toEqual(messages);
          return;
        }
        compacted++;
        expect(report.tokens_after).toBeLessThanOrEqual(maxContextTokens - 100);
        const [event] = of("compact.pruned_messages");
        checkKept(
          format,
          messages,
          output,
          new Set(event?.pruned),
          event?.shortened.map(({ message }) => message) ?? [],
        );
        const again = await manager.compact("s", [...output], options).catch((error: unknown) => error);
        if (!CompactError.isInstance(again)) {
          const second = again as typeof result;
          expect(
            format.validate((second as { messages: readonly unknown[] }).messages, { allowOpenTail: true }),
          ).toEqual([]);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS, seed: 20310102 });
    expect(compacted).toBeGreaterThan(RUNS / 5);
    expect(refused).toBeLessThan(RUNS / 2);
  });
});

/** Kept and pruned together are all; kept messages are the same objects; what must stay has stayed. */
function checkKept(
  format: Format,
  messages: readonly unknown[],
  output: readonly unknown[],
  pruned: ReadonlySet<number>,
  shortened: readonly number[],
): void {
  const kept = new Set(output);
  const changed = new Set(shortened);
  for (const [index, message] of messages.entries()) {
    const number = index + 1;
    if (changed.has(number)) continue;
    expect(kept.has(message), `message ${number}`).toBe(!pruned.has(number));
  }
  const views = messages.map((message) => format.view(message));
  const lastAnswer = views.findLastIndex(
    ({ role, parts }, index) =>
      role === "assistant" && isFinal(format, messages, index) && parts.some((part) => part.kind === "text"),
  );
  for (const [index, { role, isProtected, isIrreplaceable, parts }] of views.entries()) {
    const isUserText = role === "user" && parts.some((part) => part.kind === "text");
    const mustStay =
      isProtected || isIrreplaceable || role === "system" || role === "developer" || (isUserText && index > lastAnswer);
    if (mustStay) expect(pruned.has(index + 1), `message ${index + 1} (${role})`).toBe(false);
  }
}

/** An assistant text with no call in its step: in Responses lists a step is a run of assistant-side items. */
function isFinal(format: Format, messages: readonly unknown[], index: number): boolean {
  const hasCall = (at: number) => format.view(messages[at]).parts.some((part) => part.kind === "call");
  if (format.name !== "openai-responses") return !hasCall(index);
  const isAssistantSide = (at: number) =>
    at >= 0 && at < messages.length && format.view(messages[at]).role === "assistant";
  let first = index;
  while (isAssistantSide(first - 1)) first--;
  for (let at = first; isAssistantSide(at); at++) if (hasCall(at)) return false;
  return true;
}
