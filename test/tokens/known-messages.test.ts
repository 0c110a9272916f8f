import { describe, expect, it } from "vitest";
import { createKnownMessages } from "../../src/tokens/count-messages.ts";
import { createTokenCounter } from "../../src/tokens/create-token-counter.ts";
import { verifies } from "../requirements/verifies.ts";

describe("known messages", () => {
  it("are known by identity, as long as nothing in them changed", () => {
    const known = createKnownMessages();
    const message = { role: "assistant", content: [{ type: "text", text: "hello" }], meta: { width: 3, ok: false } };
    expect(known.get(message)).toBeUndefined();
    known.set(message, 42);
    expect(known.get(message)).toBe(42);
    expect(known.get(structuredClone(message))).toBeUndefined();
    const changes: readonly (() => void)[] = [
      () => message.content.push({ type: "text", text: "" }),
      () => Object.assign(message.content[0] ?? {}, { text: "hello, longer" }),
      () => Object.assign(message.meta, { width: 4 }),
      () => Object.assign(message.meta, { ok: true }),
      () => Object.assign(message, { name: "x" }),
    ];
    for (const change of changes) {
      change();
      expect(known.get(message)).toBeUndefined();
      known.set(message, 42);
      expect(known.get(message)).toBe(42);
    }
  });

  it("are never those that hold themselves, are huge, or are no objects", () => {
    const known = createKnownMessages();
    const cycle: Record<string, unknown> = { role: "user" };
    cycle.self = cycle;
    cycle.again = [cycle, cycle, cycle];
    for (const message of [cycle, { content: Array.from({ length: 6_000 }, () => 1) }, "text", 7, null, undefined]) {
      known.set(message, 42);
      expect(known.get(message)).toBeUndefined();
    }
  });

  it("make a grown list cost its new messages: the old ones are not read again", () => {
    verifies("field/history-counted-again-each-turn");
    let views = 0;
    const format = {
      name: "counting",
      matches: () => true,
      view: (message: { readonly content: string }) => {
        views++;
        const parts = [{ kind: "text", text: message.content }];
        return { role: "user", parts, isProtected: false, isIrreplaceable: false, joinsNext: false };
      },
    } as unknown as Parameters<typeof createTokenCounter>[1] extends readonly (infer F)[] | undefined ? F : never;
    const counter = createTokenCounter({ encoding: "o200k_base" }, [format]);
    const messages = Array.from({ length: 2_000 }, (_, index) => ({
      role: "user",
      content: `message number ${index}`,
    }));
    const before = counter.countMessages(messages);
    expect(views).toBe(2_000);
    messages.push({ role: "user", content: "one more" });
    const after = counter.countMessages(messages);
    expect(views).toBe(2_001);
    expect(after).toBe(before + counter.countMessages(messages.slice(-1)));
  });
});
