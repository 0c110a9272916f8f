// Tool results larger than the room left are shortened in place: paired, marked, whole in the archive.
import { describe, expect, it } from "vitest";
import { expandReference } from "../../src/archive/reading/expand-reference.ts";
import { openaiChatFormat } from "../../src/formats/openai-chat-format.ts";
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
    expect(event?.shortened[0]?.message).toBe(4);
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

  it("is summarized, not shortened, when it stands in the older part", async () => {
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
