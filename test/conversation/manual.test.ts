// A compaction that somebody asks for acts whatever the window: of 3,000 tokens and more it ends a tenth smaller, unless
// what there is truly cannot shrink. The trace tells the same story.
import { describe, expect, it } from "vitest";
import type { ModelFunction } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, type ChatMessage, pair, system, turns, user } from "./support.ts";

const asks = (n: number) =>
  user(
    `Request ${n}: rename berth ${n} in table ${n * 7}, since the harbour master asked for it on day ${n}. `.repeat(3),
  );
const LISTS: Readonly<Record<string, readonly ChatMessage[]>> = {
  "users' words, and hardly an answer": Array.from({ length: 50 }, (_, n) => [asks(n), assistant(`ok ${n}`)]).flat(),
  "hundreds of short messages": Array.from({ length: 400 }, (_, n) =>
    n % 2 === 0 ? user(`Please do step ${n} of the list now`) : assistant(`Done ${n}, next comes ${n + 1}.`),
  ),
  "fewer turns than are kept": [...turns(5), ...turns(5), ...turns(2)].slice(0, 12).map((message) => ({
    ...message,
    content: `${message.content} `.repeat(3),
  })),
  "two turns": [
    user(`Look: ${"berth ".repeat(1800)}`),
    assistant(`Seen ${"prose ".repeat(900)}`),
    user(`And ${"then ".repeat(500)}`),
  ],
  "one turn of tools": [
    user("fix it"),
    ...Array.from({ length: 4 }, (_, n) => pair([`c${n}`], `export const value${n} = ${n};\n`.repeat(110))).flat(),
  ],
};

const brief: ModelFunction = async () =>
  "## Progress (the assistant's own reports)\n- The requests were answered [1.2]";

describe("a manual compaction of 3,000 tokens or more", () => {
  const cases = Object.entries(LISTS).flatMap(([name, list]) => [
    [name, "no model", list, {}] as const,
    [name, "a model", list, { summarizer: { model: brief } }] as const,
  ]);

  it.each(cases)("ends a tenth smaller: %s, %s", async (_, __, list, config) => {
    verifies("fault/manual-does-nothing");
    const { manager, of } = bench({ model: "gpt-4o", ...config });
    const { report } = await manager.compact("s", [system("s"), ...list]);
    expect(report.tokens_before).toBeGreaterThanOrEqual(3000);
    expect(report.status).toBe("compacted");
    expect(report.tokens_after).toBeLessThanOrEqual(0.9 * report.tokens_before);
    expect(of("compact.trigger_decision")).toMatchObject([{ triggered: true, reason: "manual" }]);
  });

  it("again and again, as long as anything was added", async () => {
    const { manager } = bench({ model: "gpt-4o" });
    let list: readonly ChatMessage[] = [system("s"), ...turns(20), user("go on")];
    for (let round = 0; round < 4; round++) {
      const { report, messages } = await manager.compact("s", list);
      if (report.tokens_before >= 3000) expect(report.tokens_after).toBeLessThanOrEqual(0.9 * report.tokens_before);
      list = [...messages, assistant("done"), ...turns(12), user("go on")];
    }
  });

  it("leaves what truly cannot shrink, and the trace does not say that it began", async () => {
    const { manager, of } = bench({ model: "gpt-4o" });
    const list = [user("berth ".repeat(4000))];
    const { messages, report } = await manager.compact("s", list);
    expect(messages).toBe(list);
    expect(report).toMatchObject({ status: "skipped", reason: "nothing_to_compact" });
    const barely = [user("hi"), assistant("hello"), ...list];
    expect((await manager.compact("t", barely)).report).toMatchObject({ status: "skipped", reason: "not_beneficial" });
    expect(of("compact.trigger_decision").map(({ triggered, reason }) => [triggered, reason])).toEqual([
      [false, "nothing_to_compact"],
      [false, "not_beneficial"],
    ]);
  });
});
