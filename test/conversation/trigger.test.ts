import { describe, expect, it } from "vitest";
import { targetOf } from "../../src/conversation/conversation-parts.ts";
import { type ConversationPolicy, DEFAULT_POLICY, decideTrigger } from "../../src/conversation/policy.ts";

import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, user } from "./support.ts";

const window = {
  maxContextTokens: 128_000,
  budget: 126_500,
  policy: { triggerPct: 0.85 },
  isManual: false,
  isEnabled: true,
};

describe("decideTrigger", () => {
  it("acts whatever the size when asked to, and says whether a person or a host asked", () => {
    const asked = { ...window, tokens: 10, isManual: true };
    expect(decideTrigger(asked)).toEqual({ triggered: true, reason: "manual" });
    expect(decideTrigger({ ...asked, isAutomatic: true })).toEqual({ triggered: true, reason: "asked_by_host" });
  });

  it.each([
    [96_000, false],
    [107_525, false],
    [108_799, false],
    [108_800, true],
    [126_501, true],
  ])("at %i of 128,000 tokens: %s", (tokens, triggered) => {
    verifies("values/trigger-boundary", "rulings/trigger-and-budget");
    expect(decideTrigger({ ...window, tokens }).triggered).toBe(triggered);
  });

  it("acts over the budget even where the share of the window is not reached", () => {
    verifies("values/trigger-over-budget-below-percent");
    const decision = decideTrigger({ ...window, policy: { triggerPct: 0.99 }, tokens: 126_600 });
    expect(decision).toEqual({ triggered: true, reason: "over_budget" });
  });

  it("waits for growth after a landing above the target, but never over the budget", () => {
    expect(decideTrigger({ ...window, tokens: 110_000, waitUntil: 112_000 })).toEqual({
      triggered: false,
      reason: "waiting_for_growth",
    });
    expect(decideTrigger({ ...window, tokens: 112_000, waitUntil: 112_000 }).triggered).toBe(true);
    expect(decideTrigger({ ...window, tokens: 126_501, waitUntil: 130_000 }).triggered).toBe(true);
  });

  it("waits over the budget, too, where it is overrun only by what is doubted", () => {
    const doubting = { ...window, tokens: 127_000, doubted: 50_000 };
    expect(decideTrigger({ ...doubting, waitUntil: 76_000 })).toEqual({ triggered: true, reason: "over_budget" });
    expect(decideTrigger({ ...doubting, waitUntil: 78_000 })).toEqual({
      triggered: false,
      reason: "waiting_for_growth",
    });
    const certain = { ...doubting, tokens: 180_000, waitUntil: 190_000 };
    expect(decideTrigger(certain)).toEqual({ triggered: true, reason: "over_budget" });
  });

  it("does nothing when switched off, unless asked by hand", () => {
    expect(decideTrigger({ ...window, tokens: 127_000, isEnabled: false })).toEqual({
      triggered: false,
      reason: "disabled",
    });
    expect(decideTrigger({ ...window, tokens: 10, isManual: true, isEnabled: false }).triggered).toBe(true);
  });

  it("acts at the share or at the tokens, whichever comes first", () => {
    const policy = { triggerPct: 0.85, triggerTokens: 60_000 };
    expect(decideTrigger({ ...window, policy, tokens: 59_999 })).toEqual({ triggered: false, reason: "below_trigger" });
    expect(decideTrigger({ ...window, policy, tokens: 60_000 })).toEqual({
      triggered: true,
      reason: "over_trigger_tokens",
    });
    const late = { triggerPct: 0.5, triggerTokens: 120_000 };
    expect(decideTrigger({ ...window, policy: late, tokens: 64_000 })).toEqual({
      triggered: true,
      reason: "over_trigger_pct",
    });
    expect(decideTrigger({ ...window, policy, tokens: 61_000, waitUntil: 62_000 }).reason).toBe("waiting_for_growth");
  });

  it("acts over the bytes of a request, waiting or not, and never where there is no ceiling", () => {
    const policy = { triggerPct: 0.85, maxRequestBytes: 1_000_000 };
    expect(decideTrigger({ ...window, policy, tokens: 10, bytes: 1_000_000 }).triggered).toBe(false);
    const decision = { triggered: true, reason: "over_request_bytes" };
    expect(decideTrigger({ ...window, policy, tokens: 10, bytes: 1_000_001 })).toEqual(decision);
    expect(decideTrigger({ ...window, policy, tokens: 110_000, waitUntil: 112_000, bytes: 1_000_001 })).toEqual(
      decision,
    );
    expect(decideTrigger({ ...window, policy, tokens: 126_501, bytes: 1_000_001 }).reason).toBe("over_budget");
    expect(decideTrigger({ ...window, policy, tokens: 10, bytes: 2_000_000, isEnabled: false }).reason).toBe(
      "disabled",
    );
    expect(decideTrigger({ ...window, tokens: 10, bytes: 1e12 }).triggered).toBe(false);
  });
});

describe("the size that a compaction aims at", () => {
  const targetFor = (policy: Partial<ConversationPolicy>, maxContextTokens = 128_000) =>
    targetOf({ policy: { ...DEFAULT_POLICY, ...policy }, maxContextTokens });

  it("is the policy's tokens, else its share, else a tenth of the window below the trigger", () => {
    expect(targetFor({})).toBe(96_000);
    expect(targetFor({ targetPct: 0.5 })).toBe(64_000);
    expect(targetFor({ targetPct: 0.5, targetTokens: 30_000 })).toBe(30_000);
    expect(targetFor({ triggerPct: 0.12 })).toBe(6_400);
  });

  it("lies below a trigger in tokens by the same share", () => {
    expect(targetFor({ triggerTokens: 60_000 }, 1_000_000)).toBe(Math.floor((60_000 * 0.75) / 0.85));
    expect(targetFor({ triggerTokens: 120_000 })).toBe(96_000);
  });

  it("is obeyed from the trigger to the result", async () => {
    const words = Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ");
    const { manager, of } = bench({
      maxContextTokens: 1_000_000,
      policy: { triggerTokens: 20_000, targetTokens: 9_000, keepRecentTurns: 100 },
    });
    let messages: readonly unknown[] = [];
    for (let n = 0; n < 60; n++) {
      const added = [user(`question ${n}`), assistant(`${n} ${words}`)];
      messages = await manager.preflight("s", [...messages, ...added]);
    }
    const [event] = of("compact.pruned_messages");
    expect(event?.tokens_before).toBeGreaterThanOrEqual(20_000);
    expect(event?.tokens_before).toBeLessThan(21_000);
    expect(event?.tokens_after).toBeLessThanOrEqual(9_000);
    expect(event?.tokens_after).toBeGreaterThan(5_000);
    expect(of("compact.trigger_decision").find(({ triggered }) => triggered)?.reason).toBe("over_trigger_tokens");
  });
});

describe("a list whose size stands in one place", () => {
  const long = Array.from({ length: 9000 }, (_, n) => `w${(n * 7919) % 1000}`)
    .join(" ")
    .slice(0, 39_000);
  const given = JSON.stringify({ long });
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] };
  const item = (type: string, fields: object) => [said, { type, id: "i1", ...fields }];
  const answered = (call: object, output: unknown) => [
    said,
    call,
    { type: "function_call_output", call_id: "c", output },
  ];
  const blocks = (...content: object[]) => [user("go"), { role: "assistant", content }];
  const toolResult = (content: unknown) => [
    ...blocks({ type: "tool_use", id: "t", name: "f", input: {} }),
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content }] },
  ];
  const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
  const document = { type: "document", source: { type: "text", media_type: "text/plain", data: long } };
  const chatCall = (fields: object) => [user("go"), { role: "assistant", content: null, ...fields }];

  it.each<[string, readonly object[], object?]>([
    ["chat: a legacy call", chatCall({ function_call: { name: "f", arguments: given } })],
    [
      "chat: a custom tool's input",
      chatCall({ tool_calls: [{ id: "c", type: "custom", custom: { name: "f", input: long } }] }),
    ],
    [
      "chat: reasoning in details",
      chatCall({ content: "x", reasoning_details: [{ type: "reasoning.text", text: long }] }),
    ],
    ["chat: a refusal", chatCall({ refusal: long })],
    ["Responses: instructions", [said], { system: long }],
    ["Responses: arguments", answered({ ...call, arguments: given }, "ok")],
    ["Responses: an output in parts", answered(call, [{ type: "input_text", text: long }])],
    ["Responses: a summary of reasoning", item("reasoning", { summary: [{ type: "summary_text", text: long }] })],
    ["Responses: a server's tool", item("mcp_call", { name: "f", server_label: "s", arguments: "{}", output: long })],
    ["Anthropic: thinking", blocks({ type: "thinking", thinking: long, signature: "s" }, { type: "text", text: "x" })],
    ["Anthropic: a tool's input", blocks({ type: "tool_use", id: "t", name: "f", input: { long } })],
    ["Anthropic: a search result", toolResult([{ type: "search_result", content: [{ type: "text", text: long }] }])],
    ["Anthropic: a document's text", [{ role: "user", content: [document] }, assistant("read")]],
    ["Anthropic: a document's text in a result", toolResult([document])],
    ["Anthropic: system blocks", [user("go")], { system: [{ type: "text", text: long }] }],
  ])("is sized up by it: %s", async (_name, messages, beside) => {
    verifies("field/components-not-counted");
    const { manager, of } = bench({ maxContextTokens: 12_000 });
    await manager.preflight("s", messages, beside).catch(() => undefined);
    const counted = of("compact.token_estimate")[0]?.t_est ?? 0;
    expect(Math.abs(counted / 15_956 - 1)).toBeLessThan(0.02);
    expect(of("compact.trigger_decision")[0]?.triggered).toBe(true);
  });
});
