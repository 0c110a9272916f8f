// The invariants of a summary by code, over random sessions: its size, its use of it, its changed files, the same text for
// the same input; and of a compaction with a size that was asked for.
import fc from "fast-check";
import { expect, it } from "vitest";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import { STRATEGIES } from "../../src/summaries/summarizer.ts";
import { assistant, bench, type ChatMessage, pair, system, textOf, user } from "../conversation/support.ts";
import { requestOf } from "../summaries/session.ts";

const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

const words = fc.array(
  fc.constantFrom(..."the lamp bench never port 8443 is not Ana broken? yes. why: # - :: … shelf".split(" ")),
  {
    minLength: 1,
    maxLength: 60,
  },
);
const text = words.map((list) => list.join(" ")) as fc.Arbitrary<string>;
const turn = fc.oneof(
  { weight: 4, arbitrary: text.map((said) => [user(said)]) },
  { weight: 5, arbitrary: text.map((said) => [assistant(said)]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(30), text)
      .map(([n, content]) => [
        ...pair([`w${n}`], "ok", "write_file", { path: `src/room-${n}/shelf.ts`, content }),
        assistant(`Shelf ${n} is written.`),
      ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(5), text)
      .map(([n, out]) => [...pair([`r${n}`], out, "run_command", { command: `make ${n}` })]),
  },
);
const session: fc.Arbitrary<readonly ChatMessage[]> = fc
  .array(turn, { minLength: 1, maxLength: 120 })
  .map((turns) => turns.flat());

it(`a summary by code keeps its promises over ${RUNS} random sessions`, { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(
    session,
    fc.constantFrom(...STRATEGIES),
    fc.integer({ min: 20, max: 6000 }),
    async (messages, strategy, maxTokens) => {
      const request = requestOf(messages, { strategy, maxTokens });
      const { text: written, left } = await createExtractiveSummarizer().summarize(request);
      expect(request.count(written)).toBeLessThanOrEqual(maxTokens);
      expect((await createExtractiveSummarizer().summarize(request)).text).toBe(written);
      const files = request.ledger.files.filter(({ operation }) => operation !== "read").map(({ path }) => path);
      const missing = files.filter((path) => !written.includes(path));
      expect(left?.files ?? 0).toBe(missing.length);
      if (request.count(files.join("\n")) * 3 < maxTokens / 2 - 200) expect(missing).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: 20310104, endOnFailure: true });
});

it(`a size that was asked for is kept, or nothing can shrink further, over ${RUNS} random sessions`, {
  timeout: 240_000,
}, async () => {
  const property = fc.asyncProperty(session, fc.integer({ min: 200, max: 6000 }), async (messages, targetTokens) => {
    const pinned = { ...user("Keep the brass lamps."), meta: { protected: true } };
    const list = [system("You help."), pinned, ...messages, user("go on")];
    const compacted = async (target: number) => {
      const { manager } = bench({ maxContextTokens: 64_000 });
      return manager.compact("s", list, { targetTokens: target });
    };
    const { messages: output, report } = await compacted(targetTokens);
    expect(output).toContain(pinned);
    expect(output[0]).toBe(list[0]);
    expect(output).toContain(list.at(-1));
    if (report.status === "skipped") return;
    const least = await compacted(1);
    const leastTokens = least.report.status === "skipped" ? report.tokens_before : least.report.tokens_after;
    expect(report.tokens_after).toBeLessThanOrEqual(Math.max(targetTokens, leastTokens));
    expect(textOf((await compacted(targetTokens)).messages)).toBe(textOf(output));
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20310105, endOnFailure: true });
});
