// The list belongs to the caller: it is never written to, nothing of it is shared by what was changed, and what the
// caller does to it while a summary is being written counts.
import { describe, expect, it } from "vitest";
import type { ConversationConfig } from "../../src/index.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { startScriptedServer } from "../../src/testing.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIALECTS, type Dialect, pngBase64 } from "./pictures.ts";
import { bench } from "./support.ts";

const FORMATS = new Map([openaiChatFormat, openaiResponsesFormat, anthropicFormat].map((one) => [one.name, one]));
const lines = (characters: number) => "one line of output\n".repeat(Math.ceil(characters / 19));

function historyOf({ user, text, answer, step }: Dialect): readonly object[] {
  const round = (n: number) => [
    user([text(`question ${n}`)]),
    ...step(`c${n}`, [text(`result ${n}`)]),
    answer(`answer ${n} ${"word ".repeat(120)}`),
  ];
  return Array.from({ length: 14 }, (_, n) => round(n)).flat();
}

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** Every object and list in a value. */
function partsOf(value: unknown): readonly object[] {
  return typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(partsOf)] : [];
}

describe.each(DIALECTS)("a frozen list of $name", (dialect) => {
  const { name, user, text, image, step } = dialect;
  const shot = (n: number) => image(pngBase64(800, 600, 60_000, n));
  const damaged = historyOf(dialect).filter((_, index) => index !== 2);

  it.each<[string, readonly object[], ConversationConfig]>([
    ["whose turns are summarized", historyOf(dialect), {}],
    ["one result of which is shortened", [user([text("go")]), ...step("z", [text(lines(300_000)), shot(1)])], {}],
    [
      "a user's words of which are shortened",
      [user([text(lines(300_000)), shot(1)])],
      { policy: { shortenUserMessages: true } },
    ],
    [
      "images of which give way",
      [
        ...historyOf(dialect),
        ...[1, 2, 3, 4].flatMap((n) => step(`s${n}`, [text("shot"), shot(n)])),
        user([text("go")]),
      ],
      { policy: { maxRequestBytes: 150_000 } },
    ],
    ["that is damaged", [...damaged, user([text("go")])], {}],
  ])("%s is not written to, nor shared by what was changed", async (_what, list, config) => {
    verifies("field/input-mutated");
    const messages = freeze(list);
    const before = structuredClone(messages);
    for (const strategy of ["task_state", "brief"] as const) {
      const { manager } = bench({ maxContextTokens: 20_000, ...config, policy: { strategy, ...config.policy } });
      for (const output of [
        await manager.manualCompact("manual", messages, { format: name }),
        await manager.preflight("automatic", messages, { format: name }),
      ]) {
        const own = new Set(partsOf(messages));
        const changed = output.filter((message) => !own.has(message as object));
        expect(changed.flatMap(partsOf).filter((part) => own.has(part))).toEqual([]);
      }
    }
    expect(messages).toEqual(before);
  });
});

describe("while a summary is written over HTTP", () => {
  const summary = "## State of the plan\n- Done: question 1 [1.4]";

  /** What comes of the list when `change` happens between the request and its answer. */
  async function compactWhile(dialect: Dialect, change: (list: object[]) => void) {
    const list = [...historyOf(dialect), dialect.user([dialect.text("go on")])];
    const server = await startScriptedServer(() => {
      change(list);
      return summary;
    });
    try {
      const summarizer = { type: "openai-compatible", model: "local", baseUrl: server.openaiUrl } as const;
      const { manager } = bench({ summarizer });
      return { list, ...(await manager.compact("s", list, { format: dialect.name })) };
    } finally {
      await server.close();
    }
  }

  it.each(DIALECTS)("a request and a tool pair that arrive follow it as they are ($name)", async (dialect) => {
    verifies("field/written-during-the-summary");
    const { user, text, step, answer, name } = dialect;
    const late = [answer("on it"), user([text("one more thing")]), ...step("late", [text("found")]), answer("noted")];
    const { messages, report } = await compactWhile(dialect, (list) => list.push(...late));
    expect(report.status).toBe("compacted");
    expect(messages.slice(-late.length).every((message, index) => message === late[index])).toBe(true);
    expect(FORMATS.get(name)?.validate(messages)).toEqual([]);
  });

  const [chat] = DIALECTS;
  it.each<[string, (list: object[]) => void]>([
    ["was cleared", (list) => list.splice(0)],
    ["lost its first turn", (list) => list.splice(0, 4)],
    ["lost its last message", (list) => list.pop()],
    ["got another first message", (list) => list.unshift({ role: "system", content: "new" })],
    ["had a message replaced", (list) => list.splice(3, 1, { ...list[3] })],
  ])("a list that %s is left alone", async (_what, change) => {
    verifies("field/written-during-the-summary");
    if (chat === undefined) throw new Error("no dialect");
    const { list, messages, report } = await compactWhile(chat, change);
    expect(messages).toBe(list);
    expect(report).toMatchObject({ status: "skipped", reason: "messages_changed" });
  });
});
