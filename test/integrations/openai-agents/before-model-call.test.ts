// The hook of the specification, for hosts that hand a context around, on messages of each format.
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/index.ts";
import { beforeModelCall, type ModelCallContext } from "../../../src/integrations/openai-agents.ts";
import { verifies } from "../../requirements/verifies.ts";
import { readFile, watchedManager } from "../long-task.ts";

const text = (at: number) => `Part ${at}\n${readFile(`src/part-${at}.ts`)}`;
const role = (at: number) => (at % 2 === 0 ? "user" : "assistant");
const chat = (at: number) => ({ role: role(at), content: text(at) });
const FORMAT_LISTS = {
  "openai-chat": chat,
  "openai-responses": (at: number) => ({
    type: "message",
    role: role(at),
    content: [{ type: at % 2 === 0 ? "input_text" : "output_text", text: text(at) }],
  }),
  anthropic: (at: number) => ({ role: role(at), content: [{ type: "text", text: text(at) }] }),
};

type FormatName = keyof typeof FORMAT_LISTS;

const list = (make: (at: number) => object, count: number) => Array.from({ length: count }, (_, at) => make(at));

describe("beforeModelCall", () => {
  it.each(Object.entries(FORMAT_LISTS) as [FormatName, (at: number) => object][])(
    "passes the compacted messages on: %s",
    async (name, make) => {
      verifies("conversation/before-model-call-hook");
      const { manager, rounds, sessions } = watchedManager();
      const hook = beforeModelCall(manager);
      const messages = list(make, 121);
      const ctx: ModelCallContext = { session_id: "berths", messages, format: name, system: "Review code." };
      expect(await hook(ctx)).toBeUndefined();
      expect(ctx.messages.length).toBeLessThan(messages.length);
      expect(JSON.stringify(ctx.messages)).toContain("<COMPACT-SUMMARY v1>");
      expect(ctx.messages.at(-1)).toBe(messages.at(-1));
      expect(FORMATS.find((format) => format.name === name)?.validate(ctx.messages)).toEqual([]);
      expect([rounds(), sessions()]).toEqual([1, ["berths"]]);
    },
  );

  it("leaves the same array when nothing is due", async () => {
    const { manager, rounds } = watchedManager();
    const messages = list(chat, 9);
    const ctx = { sessionId: "berths", messages };
    await beforeModelCall(manager)(ctx);
    expect(ctx.messages).toBe(messages);
    expect(rounds()).toBe(0);
  });

  it("takes meta off what is sent, and keeps what it protects", async () => {
    const { manager, rounds } = watchedManager();
    const hook = beforeModelCall(manager);
    const rule = { role: "user", content: "Never edit a file.", meta: { protected: true } };
    const ctx: { sessionId: string; messages: readonly unknown[] } = {
      sessionId: "berths",
      messages: [rule, ...list(chat, 5)],
    };
    // A host that keeps what it was given back.
    for (let round = 0; round < 3; round += 1) {
      ctx.messages = [...ctx.messages, ...list(chat, 61)];
      await hook(ctx);
      expect(ctx.messages).toContainEqual({ role: "user", content: "Never edit a file." });
    }
    expect(rounds()).toBeGreaterThan(1);
    expect(rule.meta.protected).toBe(true);
  });

  it("says what is missing in a context without a session", async () => {
    const { manager } = watchedManager();
    await expect(beforeModelCall(manager)({ messages: list(chat, 3) })).rejects.toMatchObject({ kind: "InvalidInput" });
  });
});
