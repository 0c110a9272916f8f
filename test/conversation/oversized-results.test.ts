// Tool results larger than the room left are shortened in place: paired, marked, whole in the archive.
import { describe, expect, it } from "vitest";
import { expandReference } from "../../src/archive/read-archive.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import type { Format } from "../../src/providers/format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";
import { bench, type ChatMessage, pair, system, textOf, turns, user } from "./support.ts";

const lines = (characters: number) =>
  "one line of output, nothing special\n".repeat(Math.ceil(characters / 36)).slice(0, characters);

describe("an oversized tool result", () => {
  it("keeps head, tail, id and pairing; the whole text is one expand away", async () => {
    verifies("field/giant-tool-result");
    const whole = `FIRST LINE\n${lines(500_000)}\nLAST LINE`;
    const messages = [system("s"), user("read it"), ...pair(["c1"], whole)];
    const { manager, archive, of } = bench({ maxContextTokens: 32_000 });
    const output = (await manager.preflight("s", messages)) as readonly ChatMessage[];
    expect(openaiChatFormat.validate(output)).toEqual([]);
    const shortened = String(output.at(-1)?.content);
    expect(shortened.startsWith("FIRST LINE")).toBe(true);
    expect(shortened.endsWith("LAST LINE")).toBe(true);
    expect(shortened).toMatch(/The call completed\. [\d,]+ characters of its output were left out/);
    const [event] = of("compact.pruned_messages");
    expect(event?.tokens_after).toBeLessThanOrEqual(30_500);
    expect(event?.shortened).toMatchObject([{ message: 4, tool: "read_file", call_id: "c1" }]);
    expect(event?.shortened[0]?.tokens_before).toBeGreaterThan(60_000);
    expect(event?.shortened[0]?.tokens_after).toBeLessThan(event?.tokens_after ?? 0);
    const reference = /archive expand (\d+\.\d+)/.exec(shortened)?.[1] ?? "";
    expect(textOf([await expandReference(archive, "s", reference)])).toContain(textOf([whole]).slice(1, -1));
    expect(output[2]).toBe(messages[2]);
  });

  it("shares the room with its batch", async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `c${n}`);
    const messages = [user("read all"), ...pair(ids, lines(40_000))];
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const output = (await manager.preflight("s", messages)) as readonly ChatMessage[];
    const sizes = output.slice(2).map(({ content }) => String(content).length);
    expect(sizes).toHaveLength(12);
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.1);
    expect(of("compact.pruned_messages")[0]?.tokens_after).toBeLessThanOrEqual(30_500);
  });

  it("shares the room with its batch in one Anthropic message, an entry of the event for each", async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `c${n}`);
    const messages = [
      { role: "user", content: "read all" },
      { role: "assistant", content: ids.map((id) => ({ type: "tool_use", id, name: `read_${id}`, input: {} })) },
      {
        role: "user",
        content: ids.map((id) => ({
          type: "tool_result",
          tool_use_id: id,
          content: [{ type: "text", text: lines(40_000) }],
        })),
      },
    ];
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const output = await manager.preflight("s", messages);
    expect(anthropicFormat.validate(output)).toEqual([]);
    const [event] = of("compact.pruned_messages");
    expect(event?.tokens_after).toBeLessThanOrEqual(30_500);
    expect(event?.shortened.map(({ tool, call_id }) => [tool, call_id])).toEqual(ids.map((id) => [`read_${id}`, id]));
    for (const entry of event?.shortened ?? []) {
      expect(entry.message).toBe(3);
      expect(entry.tokens_after).toBeLessThan(entry.tokens_before);
    }
  });

  it("is shortened also when it came in many small parts", async () => {
    const [call, result] = pair(["c1"]);
    const content = Array.from({ length: 200 }, () => ({ type: "text", text: lines(2500) }));
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const output = await manager.preflight("s", [user("read it"), call, { ...result, content }]);
    expect(openaiChatFormat.validate(output)).toEqual([]);
    expect(of("compact.pruned_messages")[0]?.tokens_after).toBeLessThanOrEqual(30_500);
  });

  const found = (text: string) => [
    { type: "search_result", source: "s", title: "t", content: [{ type: "text", text }] },
  ];
  it.each<[string, Format, readonly unknown[]]>([
    [
      "what a shell printed",
      openaiResponsesFormat,
      [
        { type: "message", role: "user", content: [{ type: "input_text", text: "read it" }] },
        { type: "shell_call", id: "sh_1", call_id: "c1", status: "completed", action: { commands: ["cat log"] } },
        {
          type: "shell_call_output",
          call_id: "c1",
          output: [{ stdout: lines(400_000), stderr: lines(100_000), outcome: { type: "exit", exit_code: 0 } }],
        },
      ],
    ],
    [
      "a passage that a search found",
      anthropicFormat,
      [
        user("read it"),
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "search", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: found(lines(500_000)) }] },
      ],
    ],
  ])("is shortened where its words stand deeper: %s", async (_what, format, messages) => {
    verifies("field/giant-tool-result");
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const output = await manager.preflight("s", messages);
    expect(format.validate(output)).toEqual([]);
    expect(of("compact.pruned_messages")[0]).toMatchObject({
      pruned_count: 0,
      shortened: [{ message: 3, call_id: "c1" }],
    });
    expect(of("compact.pruned_messages")[0]?.tokens_after).toBeLessThanOrEqual(30_500);
    expect(textOf(output)).toContain("[The call completed.");
  });

  it("leaves room for the next steps, which are not rewritten one by one", async () => {
    verifies("field/giant-tool-result", "field/prefix-changes-each-turn");
    const { manager, of } = bench({ maxContextTokens: 32_000 });
    const history: unknown[] = [system("s"), user("read it"), ...pair(["c0"], lines(500_000))];
    let before = await manager.preflight("s", history);
    for (let step = 1; step <= 6; step++) {
      history.push(...pair([`c${step}`], "small"));
      const now = await manager.preflight("s", history);
      expect(now.slice(0, before.length).every((message, index) => message === before[index])).toBe(true);
      before = now;
    }
    expect(of("compact.pruned_messages")).toHaveLength(1);
  });

  it("is summarized, not shortened, when it stands in the older part", async () => {
    verifies("field/giant-tool-result");
    const messages = [user("read it"), ...pair(["c1"], lines(500_000)), ...turns(8)];
    const { manager, of } = bench({ maxContextTokens: 32_000, policy: { keepToolIoPairs: 1 } });
    await manager.preflight("s", [...messages, user("next"), ...pair(["c2"], "small")]);
    expect(of("compact.pruned_messages")[0]?.shortened).toEqual([]);
  });

  it("raises when shortening is switched off", async () => {
    const { manager } = bench({ maxContextTokens: 32_000, policy: { shortenToolResults: false } });
    await expect(manager.preflight("s", [user("read"), ...pair(["c1"], lines(500_000))])).rejects.toMatchObject({
      kind: "InsufficientBudget",
    });
  });
});

describe("what is left of a shortened result", () => {
  it("says that the call completed, how much went and where it is, in the same words in every round", async () => {
    verifies("field/cleared-results-look-like-failures");
    const ids = Array.from({ length: 6 }, (_, n) => `c${n}`);
    const messages = [user("read all"), ...pair(ids, lines(40_000))];
    const run = async () => {
      const { manager, of } = bench({ maxContextTokens: 32_000 });
      const output = (await manager.preflight("s", messages)) as readonly ChatMessage[];
      return { manager, of, output };
    };
    const { manager, of, output } = await run();
    const stubs = output.slice(2).map(({ content }) => /\n(\[The call completed[^\n]*)\n/.exec(String(content))?.[1]);
    for (const [position, stub] of stubs.entries()) {
      expect(stub).toBe(
        `[The call completed. ${/[\d,]+/.exec(stub ?? "")?.[0]} characters of its output were left out here to save room; whole text: agent-compact archive expand 1.${position + 3} --session-id s]`,
      );
    }
    expect(of("compact.pruned_messages")[0]?.shortened.map(({ call_id }) => call_id)).toEqual(ids);
    const next = await manager.preflight("s", [...messages, ...pair(["c9"], "small")]);
    expect(next.slice(0, output.length)).toEqual(output);
    expect(JSON.stringify((await run()).output)).toBe(JSON.stringify(output));
  });

  it("is left only when tokens run short, never because calls were many", async () => {
    verifies("field/cleared-results-look-like-failures");
    const messages = [user("go"), ...Array.from({ length: 60 }, (_, n) => pair([`c${n}`], lines(400))).flat()];
    const { manager, of } = bench();
    expect(await manager.preflight("s", messages)).toBe(messages);
    expect(of("compact.pruned_messages")).toHaveLength(0);
  });

  it("points to no archive where there is none", async () => {
    const { CompactManager } = await import("../../src/index.ts");
    const manager = new CompactManager({ maxContextTokens: 32_000, archive: false });
    const output = await manager.preflight("s", [user("read it"), ...pair(["c1"], lines(500_000))]);
    expect(textOf(output)).toMatch(/left out here to save room; they were not archived\]/);
    expect(textOf(output)).not.toContain("archive expand");
  });
});

describe("a megabyte without a break", () => {
  it("is counted in steps, and nowhere at once", async () => {
    const atOnce: number[] = [];
    const size = (text: string) => Math.ceil(text.length / 4);
    const tokenCounter = {
      name: "quarter",
      isExact: true,
      count: (text: string) => {
        if (text.length > 100_000) atOnce.push(text.length);
        return size(text);
      },
      *countSteps(text: string) {
        for (let read = 0; read < text.length; read += 32_768) yield;
        return size(text);
      },
    };
    const { manager } = bench({ maxContextTokens: 32_000, tokenCounter });
    const output = await manager.preflight("s", [user("read it"), ...pair(["c1"], "x".repeat(1_000_000))]);
    expect(textOf(output)).toContain("characters of its output were left out");
    expect(atOnce).toEqual([]);
  });
});

describe("every cut", () => {
  it.each(["😀", "𠮷", "👨‍👩‍👧‍👦", "🇩🇪", "é"])(
    "leaves %s whole, in quotes, statements and shortened results",
    async (grapheme) => {
      verifies("field/surrogate-pair-cut", "rulings/cutting-text");
      for (let shift = 0; shift < 4; shift++) {
        const text = "x".repeat(498 + shift) + grapheme.repeat(300);
        const messages = [
          ...turns(8, (n) => `${n} ${text}`),
          user(text),
          ...pair(["c1"], `${grapheme.repeat(9000)}${"y".repeat(shift)}`),
          ...turns(6),
        ];
        const { manager, archive } = bench({ maxContextTokens: 16_000 });
        const { messages: output } = await manager.compact(
          "s",
          [...messages, user("go"), ...pair(["c2"], grapheme.repeat(20_000 + shift))],
          { targetTokens: 9000 },
        );
        expect(textOf(output).includes("\\ud83d\\")).toBe(false);
        expect(JSON.stringify(output).isWellFormed()).toBe(true);
        for (const { content } of output as readonly ChatMessage[])
          expect(typeof content !== "string" || content.isWellFormed()).toBe(true);
        expect(JSON.stringify(await archive.readTranscript("s", 1)).isWellFormed()).toBe(true);
      }
    },
  );
});
