// Values deeper than a stack and lists longer than a call has room for arguments: read, judged and healed all the same.
import { describe, expect, it } from "vitest";
import { formatHistories } from "./histories.ts";

const DEPTH = 100_000;
const COUNT = 125_000;

function nested(inner: unknown): unknown {
  let value = inner;
  for (let depth = 0; depth < DEPTH; depth += 1) value = depth % 2 === 0 ? [value] : { a: value };
  return value;
}

const innermost = (value: unknown): unknown => {
  let at = value;
  while (typeof at === "object" && at !== null) at = Array.isArray(at) ? at[0] : (at as { a: unknown }).a;
  return at;
};

describe.each(formatHistories)("$format.name", ({ format }) => {
  it.each(["role", "content", "tool_calls", "arguments", "output", "extra"])("is not overrun by a deep %s", (field) => {
    const messages = [
      { role: "user", content: "go" },
      { type: "message", role: "assistant", content: "x", [field]: nested("deep") },
      { type: "function_call", call_id: "c", name: "run", arguments: "{}", [field]: nested("deep") },
      nested("alone"),
    ];
    for (const message of messages) format.view(message);
    format.matches(messages);
    format.validate(messages);
    const healed = format.heal(messages);
    expect(format.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
  });

  it("mends a half surrogate pair at any depth", () => {
    const broken = { role: "user", content: "go", extra: nested("cut \ud83d") };
    expect(format.validate([broken]).map(({ rule }) => rule)).toContain("invalid-text");
    const [mended] = format.heal([broken]).messages as [{ extra: unknown }];
    expect(innermost(mended.extra)).toBe("cut \ufffd");
    expect(innermost(broken.extra)).toBe("cut \ud83d");
  });
});

describe("a step of very many calls", () => {
  const ids = Array.from({ length: COUNT }, (_, index) => `c${index}`);
  const user = { role: "user", content: "go" };
  const toolCall = (id: string) => ({ id, type: "function", function: { name: "run", arguments: "{}" } });
  const steps: Readonly<Record<string, readonly unknown[]>> = {
    "openai-chat": [user, { role: "assistant", content: null, tool_calls: ids.map(toolCall) }, user],
    "openai-responses": [
      user,
      ...ids.map((id) => ({ type: "function_call", call_id: id, name: "run", arguments: "{}" })),
      user,
    ],
    anthropic: [
      user,
      { role: "assistant", content: ids.map((id) => ({ type: "tool_use", id, name: "run", input: {} })) },
      user,
    ],
  };

  it.each(formatHistories)("is read and healed by $format.name", { timeout: 60_000 }, ({ format }) => {
    const messages = steps[format.name] ?? [];
    const views = messages.map(format.view);
    expect(views.flatMap(({ parts }) => parts).filter(({ kind }) => kind === "call")).toHaveLength(COUNT);
    const healed = format.heal(messages);
    expect(healed.repairs).toHaveLength(COUNT);
    expect(format.validate(healed.messages)).toEqual([]);
  });
});
