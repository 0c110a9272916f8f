// What a server takes stays as it is: a list that is not due is the same object, and what only the server knows (items it
// holds, tools called by name) counts as calls where a compaction is due.
import { describe, expect, it } from "vitest";
import { readFactMessage } from "../../src/facts/fact-message.ts";
import { CompactManager } from "../../src/index.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { groupUnits } from "../../src/providers/units.ts";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, pair, system, turns, user } from "./support.ts";

const says = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const reference = (id: string) => ({ type: "item_reference", id });
const output = (callId: string, text = "ok") => ({ type: "function_call_output", call_id: callId, output: text });
const weather = (city: string, more: object = {}) => ({
  ...more,
  function: { name: "get_weather", arguments: { city } },
});
const named = (content: string) => ({ role: "tool", content, tool_name: "get_weather" });
const words = (n: number) => `part ${n} of the log ${"drift ".repeat(120)}`;

const VALID: Readonly<Record<string, readonly unknown[]>> = {
  "items by reference": [says("user", "go"), reference("rs_1"), reference("fc_1"), output("call_1")],
  "outputs of an answer that the server holds": [output("call_8"), output("call_9"), says("user", "and now?")],
  "an approval of a call that the server holds": [
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
  ],
  "tools called by name": [
    user("Weather?"),
    { role: "assistant", content: "", tool_calls: [weather("Oslo")] },
    named("4"),
  ],
  "two calls of one tool": [
    user("Weather?"),
    { role: "assistant", content: "", tool_calls: [weather("Oslo"), weather("Bergen")] },
    named("4 degrees"),
    named("7 degrees"),
    assistant("Done."),
  ],
  "calls with ids, results by name": [
    user("Weather?"),
    { role: "assistant", content: "", tool_calls: [weather("Oslo", { id: "c1" })] },
    named("4"),
  ],
};

describe("a list that is not due", () => {
  it.each([
    ...Object.entries(VALID),
    ["a damaged one", [user("go"), ...pair(["a"]).slice(0, 1), user("hello?")]] as const,
  ])("comes back as it is, the same object: %s", async (_, list) => {
    verifies("fault/valid-lists-rewritten");
    const before = structuredClone(list);
    const { manager } = bench({ maxContextTokens: 64_000 });
    expect(await manager.preflight("s", list)).toBe(list);
    const { report } = await manager.compact("s", list, { ifNeeded: true });
    expect(report).toMatchObject({ status: "skipped", repairs: [] });
    expect(list).toEqual(before);
  });
});

describe("a list that is due", () => {
  it("keeps items by reference with the outputs that answer them", async () => {
    const step = (n: number) => [reference(`rs_${n}`), reference(`fc_${n}`), output(`call_${n}`, words(n))];
    const list = [says("user", "read the logs"), ...Array.from({ length: 12 }, (_, n) => step(n)).flat()];
    expect(openaiResponsesFormat.validate(list)).toEqual([]);
    expect(openaiResponsesFormat.heal(list).messages).toBe(list);
    const units = groupUnits(list.map(openaiResponsesFormat.view));
    expect(units.slice(1).every(({ kind, messages }) => kind === "pair" && messages.length === 3)).toBe(true);
    const { manager } = bench({ maxContextTokens: 1600, policy: { hardCapBuffer: 50 } });
    const sent = await manager.preflight("s", list);
    expect(sent.length).toBeLessThan(list.length);
    expect(sent.slice(-3)).toEqual(step(11));
    expect(openaiResponsesFormat.validate(sent)).toEqual([]);
    expect(JSON.stringify(sent)).not.toContain("[Note:");
  });

  it("keeps the outputs of an answer that the server holds as outputs, shortened where they must be", async () => {
    const list = [output("call_8", words(8).repeat(6)), output("call_9", words(9).repeat(6))];
    const { manager } = bench({ maxContextTokens: 1000, policy: { hardCapBuffer: 50 } });
    const sent = await manager.preflight("s", list);
    expect(sent.map(({ type, call_id }) => [type, call_id])).toEqual([
      ["function_call_output", "call_8"],
      ["function_call_output", "call_9"],
    ]);
    expect(JSON.stringify(sent).length).toBeLessThan(JSON.stringify(list).length);
    // Without an answer to go on from they are strays.
    const stray = [says("assistant", "hm"), ...list];
    expect(openaiResponsesFormat.heal(stray).repairs.map(({ kind }) => kind)).toEqual([
      "orphan_result",
      "orphan_result",
    ]);
    expect(openaiResponsesFormat.heal([output("call_8"), output("call_8")]).repairs).toHaveLength(1);
  });

  it("keeps tools called by name in that server's way, each result with its own call", async () => {
    const step = (n: number) => [
      user(`Weather ${n}?`),
      { role: "assistant", content: "", tool_calls: [weather(`Oslo ${n}`), weather(`Bergen ${n}`)] },
      named(words(n)),
      named(words(n + 100)),
      assistant("Noted."),
    ];
    const list = [system("s"), ...Array.from({ length: 10 }, (_, n) => step(n)).flat(), user("and tomorrow?")];
    const { manager } = bench({ maxContextTokens: 2000, policy: { hardCapBuffer: 50 } });
    const sent = await manager.preflight("s", list);
    expect(sent.length).toBeLessThan(list.length);
    expect(openaiChatFormat.validate(sent)).toEqual([]);
    const kept = sent.filter((message) => list.includes(message));
    expect(kept.some((message) => "tool_calls" in message)).toBe(true);
    expect(sent.filter((message) => "tool_calls" in message).every((message) => kept.includes(message))).toBe(true);
    expect(JSON.stringify(sent)).not.toContain("tool_call_id");
  });

  it("keeps a result given by name beside a call with an id, and notes one that names another tool", () => {
    const step = { role: "assistant", content: "", tool_calls: [weather("Oslo", { id: "c1" })] };
    expect(openaiChatFormat.validate([user("?"), step, named("4")])).toEqual([]);
    expect(groupUnits([user("?"), step, named("4")].map(openaiChatFormat.view)).map(({ kind }) => kind)).toEqual([
      "message",
      "pair",
    ]);
    const other = { role: "tool", content: "x", tool_name: "look" };
    expect(
      openaiChatFormat
        .heal([user("?"), step, other, user("!")])
        .repairs.map(({ kind }) => kind)
        .sort(),
    ).toEqual(["dead_call", "orphan_result"]);
  });
});

/** What strict chat templates check: behind the system's messages users and answers take turns; calls and results stand between. */
function breaksAlternation(messages: readonly { readonly role?: unknown }[]): readonly string[] {
  const said = messages.filter(({ role }) => role !== "system");
  const speakers = said.filter((message) => message.role !== "tool" && !("tool_calls" in message));
  return [
    ...speakers.flatMap(({ role }, at) => ((role === "user") === (at % 2 === 0) ? [] : [`speaker ${at}: ${role}`])),
    ...said.flatMap(({ role }, at) =>
      role === "user" && said[at - 1]?.role === "tool" ? [`user after tool ${at}`] : [],
    ),
  ];
}

describe("a strict alternating template", () => {
  const runs = {
    talk: [system("s"), ...turns(14), user("go on")],
    tools: [
      system("s"),
      ...Array.from({ length: 12 }, (_, n) => [
        user(`look at ${n}`),
        ...pair([`a${n}`], words(n)),
        ...pair([`b${n}`], words(n)),
        assistant(`seen ${n}`),
      ]).flat(),
      user("go on"),
    ],
    "one run of tools": [
      system("s"),
      user("look at all"),
      ...Array.from({ length: 20 }, (_, n) => pair([`a${n}`], words(n))).flat(),
    ],
  };
  const cases = Object.entries(runs).flatMap(([name, list]) =>
    [1500, 2200, 3000].map((window) => [name, window, list] as const),
  );

  it.each(cases)("takes what becomes of %s in a window of %d, round after round", async (_, window, list) => {
    verifies("fault/roles-that-servers-refuse");
    expect(breaksAlternation(list)).toEqual([]);
    const { manager } = bench({ maxContextTokens: window, policy: { hardCapBuffer: 50 } });
    let sent: readonly { readonly role?: unknown }[] = list;
    for (let round = 0; round < 3; round++) {
      sent = await manager.manualCompact("s", sent);
      expect(breaksAlternation(sent)).toEqual([]);
      expect(JSON.stringify(sent).match(/<COMPACT-SUMMARY v/g)).toHaveLength(1);
      const last =
        sent.at(-1)?.role === "user" ? [assistant("done")] : [assistant("seen"), user("more"), assistant("ok")];
      sent = [...sent, ...last, ...turns(5), user("go on")];
    }
  });
});

describe("a list of plain text", () => {
  const list = [...turns(20), user("go on")];

  it.each([
    ["claude-sonnet-4-5", "anthropic"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"],
    ["gpt-4o", "openai-chat"],
  ])("is that of the model's provider: %s", async (model, format) => {
    verifies("fault/roles-that-servers-refuse");
    const manager = new CompactManager({
      archive: false,
      model,
      maxContextTokens: 3000,
      policy: { hardCapBuffer: 50 },
    });
    const { report, messages } = await manager.compact("s", list);
    expect(report.format).toBe(format);
    expect(messages.slice(0, 3).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    // With a system message in the list it is no list of Anthropic's.
    expect((await manager.compact("t", [system("s"), ...list])).report.format).toBe("openai-chat");
  });
});

it("a summary that another session left in the list is nobody's own words", async () => {
  const settings = { archive: false as const, maxContextTokens: 6000, policy: { hardCapBuffer: 50 } };
  const sent = await new CompactManager(settings).manualCompact("s", [system("s"), ...turns(20), user("go on")]);
  const authorOf = (message: unknown) =>
    readFactMessage({ view: openaiChatFormat.view(message), source: { step: 1, message: 1 } }, (text) => text).spoken[0]
      ?.author;
  expect(sent.slice(0, 4).map(authorOf)).toEqual(["system", "assistant", "assistant", "user"]);
  // An opened frame alone takes nobody's words away.
  expect(authorOf(user("<COMPACT-SUMMARY v3>\nNever delete invoices."))).toBe("user");
});
