import { describe, expect, it } from "vitest";
import type { MessagePart, MessageRole, MessageView } from "../../src/providers/format.ts";
import { countRequest, countSystem, countTools, type RequestParts, sumOfRequest } from "../../src/tokens/budget.ts";
import { countImage } from "../../src/tokens/count-media.ts";
import { countView, createMessageCounter, MESSAGE_OVERHEAD } from "../../src/tokens/count-messages.ts";
import { createGptTokenCounter } from "../../src/tokens/gpt-token-counter.ts";

import type { TokenCounter } from "../../src/tokens/token-counter.ts";
import { verifies } from "../requirements/verifies.ts";

const gpt = createGptTokenCounter({ encoding: "o200k_base" });

function viewOf(role: MessageRole, ...parts: readonly MessagePart[]): MessageView {
  return { role, parts, isProtected: false, isIrreplaceable: false, joinsNext: false };
}

const letters: TokenCounter = { name: "letters", isExact: true, count: (text) => text.length };
/** 39,000 characters; 85 % of a window of 12,000 tokens is 10,200. */
const LONG = Array.from({ length: 9_000 }, (_, index) => `w${(index * 7_919) % 1_000}`)
  .join(" ")
  .slice(0, 39_000);
const TOOLS = Array.from({ length: 60 }, (_, index) => ({
  name: `tool_${index}`,
  description: LONG.slice(index * 600, index * 600 + 600),
  input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
}));
const HELLO = viewOf("user", { kind: "text", text: "hello" });

describe("every component is counted", () => {
  const nothing = { messages: [{}], views: [HELLO] };
  const cases = {
    "tool schemas": { ...nothing, tools: TOOLS },
    "call arguments beside null content": {
      messages: [{}],
      views: [viewOf("assistant", { kind: "call", callId: "c1", name: "write", arguments: LONG })],
    },
    thinking: { messages: [{}], views: [viewOf("assistant", { kind: "thinking", text: LONG, sealedLength: 0 })] },
    "array results": {
      messages: [{}],
      views: [viewOf("user", { kind: "result", callId: "c1", text: LONG, isError: false, images: 0 })],
    },
    "system blocks": { ...nothing, system: [{ type: "text", text: LONG, cache_control: { type: "ephemeral" } }] },
    "opaque items": {
      messages: [{}],
      views: [viewOf("assistant", { kind: "opaque", type: "x", text: LONG, sealedLength: 0 })],
    },
    "a developer message": { messages: [{}], views: [viewOf("developer", { kind: "text", text: LONG })] },
  };

  it.each(Object.keys(cases))("%s alone crosses the trigger of a window of 12,000", (name) => {
    verifies("field/components-not-counted", "conversation/accurate-token-estimate");
    const parts: RequestParts = cases[name as keyof typeof cases];
    const tokens = countRequest(parts, createMessageCounter(gpt));
    const places: Record<string, number> = { ...tokens };
    const expected = { "tool schemas": "tools_schema", "system blocks": "system", "a developer message": "developer" };
    expect(places[(expected as Record<string, string>)[name] ?? "messages"]).toBeGreaterThan(0.85 * 12_000);
    expect(sumOfRequest(tokens)).toBe(tokens.system + tokens.developer + tokens.tools_schema + tokens.messages);
  });

  it("sums to the total over roles, a system prompt and tools", () => {
    const views = (["system", "developer", "user", "assistant", "tool"] as const).map((role) =>
      viewOf(role, { kind: "text", text: role }),
    );
    const messages = views.map(() => ({}));
    const counter = createMessageCounter(letters);
    const tokens = countRequest({ messages, views, system: "be kind", tools: [{ a: 1 }] }, counter);
    expect(tokens).toEqual({
      system: MESSAGE_OVERHEAD + 6 + (MESSAGE_OVERHEAD + 7),
      developer: MESSAGE_OVERHEAD + 9,
      tools_schema: 4 + '{"a":1}'.length,
      messages: 3 * MESSAGE_OVERHEAD + 4 + 9 + 4,
    });
    expect(sumOfRequest(tokens)).toBe(
      counter.countMessages(messages, views) + countSystem("be kind", letters) + countTools([{ a: 1 }], letters),
    );
  });

  it("stays within 10 % of the JSON that is sent, for text", () => {
    const message = { role: "user", content: LONG };
    const exact = gpt.count(JSON.stringify(message));
    const counted = countView(viewOf("user", { kind: "text", text: LONG }), gpt);
    expect(Math.abs(counted / exact - 1)).toBeLessThan(0.1);
  });
});

describe("odd shapes", () => {
  it("counts empty and unreadable requests at zero or more", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const odd of [
      undefined,
      null,
      "",
      [],
      {},
      7,
      [null],
      [undefined],
      [7],
      ["x"],
      cycle,
      [cycle],
      [10n],
      () => 1,
    ]) {
      expect(countTools(odd, gpt)).toBeGreaterThanOrEqual(0);
      expect(countSystem(odd, gpt)).toBeGreaterThanOrEqual(0);
    }
    expect(countTools(undefined, gpt) + countSystem([], gpt) + countTools([], gpt)).toBe(0);
    expect(countView(viewOf("assistant"), gpt)).toBe(MESSAGE_OVERHEAD);
    const empty = countRequest({ messages: [], views: [] }, createMessageCounter(gpt));
    expect(sumOfRequest(empty)).toBe(0);
  });
});

describe("images", () => {
  it("cost what their size in pixels says", () => {
    expect(countImage(1_500, 900)).toBe(1_800);
    expect(countImage(512, 512)).toBe(350);
    expect(countImage(1_024, 1_024)).toBe(1_399);
    expect(countImage(1, 1)).toBe(255);
    expect(countImage(undefined, undefined)).toBe(1_000);
    expect(countImage(0, 900)).toBe(1_000);
    expect(countImage(Number.NaN, 900)).toBe(1_000);
    expect(countImage(100_000, 100_000)).toBeLessThanOrEqual(5_000);
  });

  it("cost the same in a message and a thousand each in a result, whatever their base64 weighs", () => {
    const image: MessagePart = { kind: "image", mediaType: "image/png", width: 1_500, height: 900 };
    expect(countView(viewOf("user", image), letters)).toBe(MESSAGE_OVERHEAD + 1_800);
    const result: MessagePart = { kind: "result", callId: "", text: "", isError: false, images: 30 };
    expect(countView(viewOf("tool", result), letters)).toBe(MESSAGE_OVERHEAD + 4 + 30_000);
  });
});

describe("createMessageCounter", () => {
  function createCountingCounter(): { counter: TokenCounter; calls: () => number } {
    let calls = 0;
    const count = (text: string): number => {
      calls++;
      return text.length;
    };
    return { counter: { name: "counting", isExact: true, count }, calls: () => calls };
  }

  it("counts a message once by identity, and its copy once by content", () => {
    verifies("field/history-counted-again-each-turn");
    const { counter, calls } = createCountingCounter();
    const messageCounter = createMessageCounter(counter);
    const message = { role: "user", content: "hello" };
    expect(messageCounter.countMessage(message, HELLO)).toBe(MESSAGE_OVERHEAD + 5);
    expect(messageCounter.countMessage(message, HELLO)).toBe(MESSAGE_OVERHEAD + 5);
    expect(messageCounter.countMessage({ ...message }, HELLO)).toBe(MESSAGE_OVERHEAD + 5);
    expect(calls()).toBe(1);
  });

  it("counts a message anew that grew in place", () => {
    const messageCounter = createMessageCounter(letters);
    const message = { role: "assistant", content: "" };
    expect(messageCounter.countMessage(message, viewOf("assistant"))).toBe(MESSAGE_OVERHEAD);
    const grown = viewOf("assistant", { kind: "text", text: "streamed" });
    expect(messageCounter.countMessage(message, grown)).toBe(MESSAGE_OVERHEAD + 8);
  });

  it("lets the caller's countMessage decide, and distrusts its NaN", () => {
    const fixed = createMessageCounter({ ...letters, countMessage: () => 100 });
    expect(fixed.countMessages([{}, {}, "x"], [HELLO, HELLO, HELLO])).toBe(300);
    const broken = createMessageCounter({ ...letters, countMessage: () => Number.NaN });
    expect(broken.countMessages([{}], [HELLO])).toBe(0);
  });
});
