// One step with thousands of calls, or with arguments larger than the window: shortened within the step, never split, and
// where its ids alone are too much it leaves whole.
import { describe, expect, it } from "vitest";
import { CompactManager, createMemoryArchive, FORMATS } from "../../src/index.ts";

interface Answered {
  readonly input: object;
  readonly result: string;
}

/** A user's word, one step with all its calls, their results, and what `then` says. */
const WRITERS = {
  "openai-chat": (calls: readonly Answered[], then: readonly string[]) => [
    { role: "user", content: "Look at all files." },
    {
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ input }, n) => ({
        id: `c${n}`,
        type: "function",
        function: { name: "read", arguments: JSON.stringify(input) },
      })),
    },
    ...calls.map(({ result }, n) => ({ role: "tool", tool_call_id: `c${n}`, content: result })),
    ...then.map((content, n) => ({ role: n % 2 === 0 ? "assistant" : "user", content })),
  ],
  anthropic: (calls: readonly Answered[], then: readonly string[]) => [
    { role: "user", content: "Look at all files." },
    {
      role: "assistant",
      content: calls.map(({ input }, n) => ({ type: "tool_use", id: `c${n}`, name: "read", input })),
    },
    {
      role: "user",
      content: calls.map(({ result }, n) => ({ type: "tool_result", tool_use_id: `c${n}`, content: result })),
    },
    ...then.map((content, n) => ({ role: n % 2 === 0 ? "assistant" : "user", content })),
  ],
  "openai-responses": (calls: readonly Answered[], then: readonly string[]) => [
    { type: "message", role: "user", content: [{ type: "input_text", text: "Look at all files." }] },
    ...calls.map(({ input }, n) => ({
      type: "function_call",
      call_id: `c${n}`,
      name: "read",
      arguments: JSON.stringify(input),
    })),
    ...calls.map(({ result }, n) => ({ type: "function_call_output", call_id: `c${n}`, output: result })),
    ...then.map((text, n) => ({
      type: "message",
      role: n % 2 === 0 ? "assistant" : "user",
      content: [{ type: n % 2 === 0 ? "output_text" : "input_text", text }],
    })),
  ],
} as const;

type Name = keyof typeof WRITERS;

const manyCalls = (count: number): readonly Answered[] =>
  Array.from({ length: count }, (_, n) => ({
    input: { path: `src/file${n}.ts` },
    result: `file ${n}: ${"some content of it ".repeat(8)}`,
  }));

async function compactIn(window: number, name: Name, calls: readonly Answered[], then: readonly string[]) {
  const messages: readonly unknown[] = WRITERS[name](calls, then);
  const manager = new CompactManager({ archive: createMemoryArchive(), maxContextTokens: window });
  const { messages: output, report } = await manager.compact("s", messages, { format: name });
  await manager.close();
  const format = FORMATS.find((one) => one.name === name);
  expect(format?.validate(output)).toEqual([]);
  expect(report.tokens_after).toBeLessThanOrEqual(report.budget);
  const parts = output.flatMap((message) => format?.view(message).parts ?? []);
  return {
    calls: parts.filter((part) => part.kind === "call"),
    results: parts.filter((part) => part.kind === "result"),
  };
}

describe.each(Object.keys(WRITERS) as Name[])("%s", (name) => {
  it.each([
    [128_000, ["Done.", "And now?"]],
    [128_000, []],
  ])("10,000 calls in a window of %i leave whole", async (window, then) => {
    const { calls, results } = await compactIn(window, name, manyCalls(10_000), then);
    expect([calls.length, results.length]).toEqual([0, 0]);
  });

  it("calls whose results do not fit at a sentence each keep less than that, all of them", async () => {
    const { calls, results } = await compactIn(128_000, name, manyCalls(3_500), ["Done.", "And now?"]);
    expect([calls.length, results.length]).toEqual([3_500, 3_500]);
  });

  it("arguments larger than the window are cut within their JSON", async () => {
    const text = "one line of a file that is written\n".repeat(20_000);
    const { calls } = await compactIn(32_000, name, [{ input: { path: "a.ts", text }, result: "Written." }], []);
    const input = JSON.parse(calls[0]?.arguments ?? "") as { path: string; text: string };
    expect(input.path).toBe("a.ts");
    expect(input.text).toMatch(/^one line[\s\S]*characters of its arguments were left out here[\s\S]*written\n$/);
  });
});
