// What a host does to its messages between two calls, in place: the next call sees it.
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../../src/conversation.ts";
import { createHostPreflight } from "../../../src/integrations/adapter/host-preflight.ts";
import {
  createTranslator,
  isAsBefore,
  nativeTranslation,
  snapshotOf,
} from "../../../src/integrations/adapter/translation.ts";
import { markProtected } from "../../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";

import { watchedManager } from "../long-task.ts";

type Message = Record<string, unknown>;

const words = (count: number) => "word ".repeat(count);
const step = (at: number): Message[] => [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: `c${at}`, type: "function", function: { name: "read", arguments: `{"path":"f${at}.ts"}` } }],
  },
  { role: "tool", tool_call_id: `c${at}`, content: `FILE ${at} ${words(300)}` },
];
const history = (steps: number): Message[] => [
  { role: "user", content: "Read all files." },
  ...Array.from({ length: steps }, (_, at) => step(at)).flat(),
];
const preflight = () =>
  createHostPreflight(
    new CompactManager({ maxContextTokens: 16_000, archive: false }),
    nativeTranslation("openai-chat"),
  );

describe("a message that its host changed in place", () => {
  it.each<[string, (message: Message) => void]>([
    ["another text", (message) => (message.content = `LATE ${words(20_000)}`)],
    [
      "parts in the place of its text",
      (message) => (message.content = [{ type: "text", text: `LATE ${words(20_000)}` }]),
    ],
  ])("is counted as it is now: %s", async (_, change) => {
    const shrink = preflight();
    const list = history(20);
    expect(await shrink(list)).toBe(list);
    change(list.at(-1) as Message);
    const sent = await shrink(list);
    expect(JSON.stringify(sent)).toContain("LATE");
    // Five characters a word, and about one token.
    expect(JSON.stringify(sent).length).toBeLessThan(5 * 16_000);
    expect(openaiChatFormat.validate(sent)).toEqual([]);
  });

  it("stays in its conversation", async () => {
    const { manager, sessions } = watchedManager({ withModel: false });
    const shrink = createHostPreflight(manager, nativeTranslation("openai-chat"));
    const list = history(60);
    await shrink(list);
    (list.at(-1) as Message).content = "[cleared]";
    list.push(...step(60));
    const sent = await shrink(list);
    expect(JSON.stringify(sent)).toContain("[cleared]");
    expect(sessions()).toHaveLength(1);
  });

  it("is seen when parts are added to its list, fields to it, or a mark", () => {
    const { toNative } = createTranslator(nativeTranslation("openai-chat"));
    const parts = [{ type: "text", text: "one" }];
    const message: Message = { role: "user", content: parts, meta: { step: 1 } };
    const seen = [toNative([message])[0]];
    for (const change of [
      () => parts.push({ type: "text", text: "two" }),
      () => Object.assign(message, { name: "me" }),
      () => Object.assign(message.meta as object, { step: 2 }),
      () => markProtected(message),
    ]) {
      expect(toNative([message])[0]).toBe(seen.at(-1));
      change();
      seen.push(toNative([message])[0]);
    }
    expect(new Set(seen).size).toBe(5);
  });

  it("goes out as it is now, without what is ours", () => {
    const { toNative, toHost } = createTranslator(nativeTranslation("openai-chat"));
    const message: Message = { role: "user", content: "one", meta: {} };
    expect(toHost(toNative([message]))).toEqual([{ role: "user", content: "one" }]);
    message.content = "two";
    expect(toHost(toNative([message]))).toEqual([{ role: "user", content: "two" }]);
  });
});

describe("a snapshot", () => {
  it("is of objects and lists; of bytes, addresses and dates only another one is a change", () => {
    const bytes = new Uint8Array([1, 2]);
    const value = { bytes, url: new URL("https://example.com"), list: [1, null, { a: undefined }], none: Number.NaN };
    const before = snapshotOf(value);
    expect(isAsBefore(value, before)).toBe(true);
    expect(isAsBefore({ ...value, bytes: new Uint8Array([1, 2]) }, before)).toBe(false);
    expect(isAsBefore({ ...value, list: [1, null, {}] }, before)).toBe(false);
    expect(isAsBefore({ ...value, none: undefined }, before)).toBe(false);
    expect(isAsBefore([], {})).toBe(false);
    expect(isAsBefore({}, [])).toBe(false);
  });

  it("comes to an end in what holds itself", () => {
    const value: Message = { role: "user" };
    value.self = value;
    value.again = [value];
    expect(isAsBefore(value, snapshotOf(value))).toBe(true);
  });
});

it("a list with something else than a message is refused by name", async () => {
  const list = [{ role: "user", content: "hi" }, null] as unknown as Message[];
  await expect(preflight()(list)).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_MESSAGE" });
  await expect(preflight()(list)).rejects.toThrow("Message 2");
});
