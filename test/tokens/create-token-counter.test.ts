import { describe, expect, it } from "vitest";
import { createTokenCounter } from "../../src/tokens/create-token-counter.ts";
import { createGptTokenCounter, type GptEncoding } from "../../src/tokens/gpt-token-counter.ts";
import { createBoundedMemo, memoize } from "../../src/tokens/memo-token-counter.ts";

import { verifies } from "../requirements/verifies.ts";

describe("createTokenCounter", () => {
  it("counts by encoding", () => {
    const counter = createTokenCounter({ encoding: "cl100k_base" });
    expect(counter).toMatchObject({ name: "cl100k_base", isExact: true, margin: 0 });
    expect(counter.count("hello world")).toBe(2);
  });

  it("counts an estimated model as o200k times its factor, rounded up", () => {
    const counter = createTokenCounter({ model: "claude-sonnet-4-5" });
    const exact = createGptTokenCounter({ encoding: "o200k_base" });
    const text = "The quick brown fox jumps over the lazy dog.";
    expect(counter.isExact).toBe(false);
    expect(counter.margin).toBeGreaterThan(0);
    expect(counter.count(text)).toBe(Math.ceil(exact.count(text) * 1.25));
    expect(counter.count("")).toBe(0);
  });

  it("refuses an unknown encoding", () => {
    expect(() => createTokenCounter({ encoding: "p50k" as GptEncoding })).toThrow(/o200k_base or cl100k_base/);
  });

  it("counts lists of no known shape at zero or more, and every string in them", () => {
    verifies("field/message-shapes-that-break-counting");
    const counter = createTokenCounter({ encoding: "o200k_base" });
    const odd: readonly unknown[] = [
      {},
      null,
      undefined,
      7,
      "text",
      { role: "system" },
      { role: 7, content: null },
      { role: "user", content: [] },
      { role: "user", content: [{ type: "text" }] },
      { role: "user", content: [{ type: "input_text", text: "x" }] },
      { role: "tool", content: 42, tool_call_id: undefined },
      { role: "user", content: "hi", name: undefined },
    ];
    const before = JSON.stringify(odd);
    expect(counter.countMessages([])).toBe(0);
    expect(counter.countMessages(odd)).toBeGreaterThanOrEqual(4 * odd.length);
    expect(JSON.stringify(odd)).toBe(before);
    for (const message of odd) expect(counter.countMessages([message])).toBeGreaterThanOrEqual(4);
    const long = "word ".repeat(1_000);
    const callOnly = { role: "assistant", content: null, tool_calls: [{ id: "1", function: { arguments: long } }] };
    for (const message of [{ role: "user", content: long }, { role: "user", content: [{ text: long }] }, callOnly]) {
      expect(counter.countMessages([message])).toBeGreaterThan(1_000);
    }
  });

  it("reads lists through the injected format that knows them", () => {
    const format = {
      matches: (messages: readonly unknown[]) => messages.length === 1,
      view: () => ({ role: "user", parts: [], isProtected: false, isIrreplaceable: false, joinsNext: false }),
    } as unknown as Parameters<typeof createTokenCounter>[1] extends readonly (infer F)[] | undefined ? F : never;
    const counter = createTokenCounter({ encoding: "o200k_base" }, [format]);
    expect(counter.countMessages([{ content: "not looked at" }])).toBe(4);
    expect(counter.countMessages([{ content: "one" }, { content: "two" }])).toBe(10);
  });
});

describe("countMessagesAsync", () => {
  const counter = createTokenCounter({ encoding: "o200k_base" });
  const large = Array.from({ length: 300_000 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7_919) % 8_000)),
  ).join("");
  const lists: readonly (readonly unknown[])[] = [
    [],
    [{ role: "user", content: "hi" }],
    [
      { role: "user", content: large },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: large } }],
      },
      { role: "tool", tool_call_id: "c", content: large },
    ],
    [null, 7, "text", { content: large }],
  ];

  it("gives the same figure, and the same again", async () => {
    for (const model of [{ encoding: "cl100k_base" }, { model: "claude-sonnet-4-5" }] as const) {
      for (const messages of lists) {
        const expected = createTokenCounter(model).countMessages(messages);
        const tested = createTokenCounter(model);
        expect(await tested.countMessagesAsync(messages)).toBe(expected);
        expect(await tested.countMessagesAsync(messages)).toBe(expected);
        expect(tested.countMessages(messages)).toBe(expected);
      }
    }
  });

  it("lets other work run many times inside one unbroken text", async () => {
    verifies("field/hostile-text-in-the-tokenizer");
    let turns = 0;
    let isDone = false;
    const tick = (): void => {
      turns++;
      if (!isDone) setImmediate(tick);
    };
    setImmediate(tick);
    await counter.countMessagesAsync([{ role: "user", content: large.repeat(3) }]);
    isDone = true;
    expect(turns).toBeGreaterThan(3);
  });
});

describe("memo", () => {
  it("forgets the oldest, never more than two generations", () => {
    const memo = createBoundedMemo({ maxEntries: 2, maxCharacters: 100 });
    for (const text of ["a", "b", "c", "d", "e"]) memo.set(text, 1);
    expect(["a", "b", "c", "d", "e"].map((text) => memo.get(text))).toEqual([undefined, undefined, 1, 1, 1]);
    memo.set("x".repeat(101), 1);
    expect(memo.get("x".repeat(101))).toBeUndefined();
  });

  it("is put before a counter once", () => {
    const counter = memoize({ name: "n", isExact: true, count: (text) => text.length });
    expect(memoize(counter)).toBe(counter);
    expect(counter.count("four")).toBe(4);
  });
});
