// Measuring a list that grows, reusing what was settled, finds what measuring it from scratch finds: on healthy
// and on damaged histories, at every length.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConversationParts } from "../../src/conversation/conversation-parts.ts";
import { type MeasuredConversation, measureConversation } from "../../src/conversation/measure-conversation.ts";
import { DEFAULT_POLICY } from "../../src/conversation/policy.ts";
import { FORMATS } from "../../src/index.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { damaged, formatHistories } from "../formats/histories.ts";

/** As many as the histories of the other property, a tenth: each is measured at every step. */
const RUNS = Math.ceil(Number(process.env.PROPERTY_RUNS ?? 100) / 10);

const counter = {
  isExact: true,
  margin: 0,
  countText: (text: string) => text.length,
  countMessage: (_: unknown, view: { parts: readonly unknown[] }) => JSON.stringify(view).length,
  countSystem: () => 0,
  countTools: () => 0,
};
const redactor = createRedactor();
const parts = { formats: FORMATS, counter, policy: DEFAULT_POLICY, redactor } as unknown as ConversationParts;

const found = ({ total, repairs, messages, breakdown }: MeasuredConversation) => ({
  total,
  repairs,
  messages,
  breakdown,
});

describe.each(formatHistories)("$format.name", ({ format, historyOf }) => {
  it.each([
    ["healthy", historyOf()],
    ["damaged", damaged(historyOf())],
  ])("%s histories", { timeout: 120_000 }, async (_kind, history) => {
    const grows = fc.asyncProperty(history, async (messages) => {
      let earlier: MeasuredConversation | undefined;
      for (let length = 1; length <= messages.length; length++) {
        const input = { sessionId: "s", messages: messages.slice(0, length), isManual: false, format: format.name };
        const fresh = await measureConversation(input, parts);
        const again = await measureConversation(input, parts, earlier);
        expect(found(again), `at ${length} of ${messages.length}`).toEqual(found(fresh));
        earlier = again;
      }
    });
    await fc.assert(grows, { numRuns: RUNS, seed: 20310103 });
  });
});
