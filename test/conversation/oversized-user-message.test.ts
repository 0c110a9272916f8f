// A user's message larger than the window: named in the error, or, where the policy allows it, shortened in place.
import { describe, expect, it } from "vitest";
import { expandReference } from "../../src/archive/read-archive.ts";
import { CompactError } from "../../src/index.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIALECTS } from "./pictures.ts";
import { assistant, bench, type ChatMessage, pair, system, turns, user } from "./support.ts";

const lines = (characters: number) =>
  "one line of a log that somebody pasted 😀\n".repeat(Math.ceil(characters / 42)).slice(0, characters);
const GIANT = `FIRST LINE\n${lines(1_300_000)}\nLAST LINE`;
const FORMATS = new Map([openaiChatFormat, openaiResponsesFormat, anthropicFormat].map((one) => [one.name, one]));
const allowed = { policy: { shortenUserMessages: true } };

describe("a user message larger than the window", () => {
  it("is named in the error, with its size and what to change, however often it is sent", async () => {
    verifies("field/user-message-larger-than-window");
    const { manager, of } = bench();
    const messages = [system("s"), ...turns(3), user(GIANT)];
    for (let round = 0; round < 2; round++) {
      const failure: unknown = await manager.preflight("s", messages).catch((error: unknown) => error);
      if (!CompactError.isInstance(failure)) throw new Error("no CompactError");
      expect(failure.kind).toBe("InsufficientBudget");
      expect(failure.message).toMatch(/Largest: message 8 \(user, open request\): \d{6}/);
      expect(failure.hint).toContain("policy.shorten_user_messages");
      expect(failure.message.includes("FIRST LINE")).toBe(false);
    }
    expect(messages).toHaveLength(8);
    expect(of("compact.pruned_messages")).toHaveLength(0);
  });

  it("is not blamed where the system prompt beside the messages is what is too long", async () => {
    const { manager } = bench();
    const failure: unknown = await manager
      .preflight("s", [user("hello")], { system: GIANT })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: "InsufficientBudget",
      hint: expect.stringMatching(/^Shorten the system prompt/),
    });
  });

  it.each(DIALECTS)("is shortened in place where that is allowed ($name)", async ({ name, text, user: says }) => {
    verifies("field/user-message-larger-than-window");
    const { manager, archive, of } = bench(allowed);
    const messages = [says([text("hello")]), says([text(GIANT)])];
    const output = await manager.preflight("s", messages, { format: name });
    expect(FORMATS.get(name)?.validate(output)).toEqual([]);
    expect(output[0]).toBe(messages[0]);
    const sent = JSON.stringify(output[1]);
    expect(sent.isWellFormed()).toBe(true);
    expect(sent).toMatch(/"FIRST LINE\\n[\s\S]*LAST LINE"/);
    const marker =
      /\[([\d,]+) characters of this message were left out here to save room; whole text: agent-compact archive expand (\d+\.\d+) --session-id s\]/.exec(
        sent,
      );
    expect(Number(marker?.[1]?.replaceAll(",", ""))).toBeGreaterThan(700_000);
    const { messages: whole } = await expandReference(archive, "s", marker?.[2] ?? "");
    expect(JSON.stringify(whole[0]?.message) === JSON.stringify(messages[1])).toBe(true);
    const [event] = of("compact.pruned_messages");
    expect(event).toMatchObject({ pruned_count: 0, shortened: [{ message: 2 }] });
    expect(event?.tokens_after).toBeLessThanOrEqual(96_000);
  });

  it("is shortened once: the agent works on for many steps behind the same text", async () => {
    verifies("field/user-message-larger-than-window");
    const { manager, of } = bench(allowed);
    const history: unknown[] = [system("s"), user(GIANT)];
    const first = await manager.preflight("s", history);
    for (let step = 0; step < 8; step++) {
      history.push(...pair([`c${step}`], "a small result"));
      const next = await manager.preflight("s", history);
      expect(next.slice(0, 2).every((message, index) => message === first[index])).toBe(true);
      expect(next).toHaveLength(history.length);
    }
    expect(of("compact.pruned_messages")).toHaveLength(1);
  });

  it("gives only what tool results cannot", async () => {
    const { manager, of } = bench(allowed);
    const messages = [system("s"), user(`do it\n${lines(150_000)}`), ...pair(["c1"], lines(900_000))];
    const output = (await manager.preflight("s", messages)) as readonly ChatMessage[];
    expect(output[1]).toBe(messages[1]);
    expect(of("compact.pruned_messages")[0]?.shortened).toMatchObject([
      { message: 4, tool: "read_file", call_id: "c1" },
    ]);
  });

  it("stays whole when it is protected, and so does any other pinned message", async () => {
    const kept = { ...user(GIANT), meta: { protected: true } };
    for (const messages of [
      [kept, assistant("ok"), user("go")],
      [system(GIANT), user("go")],
    ]) {
      const failure: unknown = await bench(allowed)
        .manager.preflight("s", messages)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: "InsufficientBudget" });
      expect(String(failure)).toMatch(/protected memory \d{6}/);
    }
    const { manager } = bench({ policy: { shortenUserMessages: true, rolesNeverPrune: ["user"] } });
    await expect(manager.preflight("s", [user(GIANT)])).rejects.toMatchObject({ kind: "InsufficientBudget" });
  });

  it.each(["😀", "𠮷", "👨‍👩‍👧‍👦", "🇩🇪", "é"])("never cuts %s in two", async (grapheme) => {
    verifies("field/surrogate-pair-cut");
    for (let shift = 0; shift < 3; shift++) {
      const { manager } = bench({ ...allowed, maxContextTokens: 8_000 });
      const text = `${"y".repeat(shift)}${grapheme.repeat(30_000)}`;
      const [shortened] = (await manager.preflight("s", [user(text)])) as readonly ChatMessage[];
      const content = String(shortened?.content);
      expect(content.length).toBeLessThan(text.length);
      expect(content.isWellFormed()).toBe(true);
      const [head = "", rest = ""] = content.split("\n[");
      const tail = rest.slice(rest.indexOf("]\n") + 2);
      expect(head.slice(shift).replaceAll(grapheme, "")).toBe("");
      expect(tail.replaceAll(grapheme, "")).toBe("");
    }
  });
});
