// Tools that a search has to find before they can be called, and calls whose halves stand in two messages: what stays is
// whole, and what kept calls need stays with them.
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";

const words = "harbour queue ledger lease socket region ".repeat(14);
const item = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "user" ? "input_text" : "output_text", text }],
});
const talk = (count: number) =>
  Array.from({ length: count }, (_, n) => [item("user", `show ${n}`), item("assistant", `${n} ${words}`)]).flat();
const call = (id: string) => ({
  type: "function_call",
  call_id: id,
  namespace: "tracker",
  name: "open_ticket",
  arguments: "{}",
});
const output = (id: string) => ({ type: "function_call_output", call_id: id, output: `opened ${id}` });
const tools = [
  { type: "namespace", name: "tracker", tools: [{ type: "function", name: "open_ticket", parameters: {} }] },
];
const search = (call_id: string | null, execution: string) => [
  { type: "tool_search_call", id: "tsc_1", call_id, execution, arguments: { paths: ["tracker"] } },
  { type: "tool_search_output", id: "tso_1", call_id, execution, tools },
];

const compact = async (format: string, list: readonly unknown[], policy = {}) => {
  const manager = new CompactManager({
    archive: false,
    maxContextTokens: 3_000,
    policy: { hardCapBuffer: 50, ...policy },
  });
  return (await manager.compact("s", list, { format })).messages;
};
const typesOf = (list: readonly unknown[]) =>
  list.map((one) => (one as { type: string }).type).filter((type) => type !== "message");

describe("tools that were loaded by a search (openai-responses)", () => {
  it.each([
    ["the provider's", search(null, "server")],
    ["the caller's", search("ts_1", "client")],
  ])("stay while a call of them stays: %s", async (_whose, found) => {
    const list = [
      item("user", "open one"),
      ...found,
      call("a"),
      output("a"),
      item("assistant", "Opened."),
      ...talk(10),
      item("user", "one more"),
      call("b"),
      output("b"),
    ];
    const kept = await compact("openai-responses", list, { keepToolIoPairs: 1, keepRecentTurns: 1 });
    const types = typesOf(kept);
    expect(kept.length).toBeLessThan(list.length);
    expect(types.slice(0, 2)).toEqual(["tool_search_call", "tool_search_output"]);
    expect(types.slice(-2)).toEqual(["function_call", "function_call_output"]);
    expect(openaiResponsesFormat.validate(kept)).toEqual([]);
  });

  it("leave with the last call of them, the search and what it gave back together", async () => {
    verifies("fault/loaded-tools-leave");
    const list = [
      item("user", "open one"),
      ...search(null, "server"),
      call("a"),
      output("a"),
      item("assistant", "Opened."),
      ...talk(12),
    ];
    const types = typesOf(await compact("openai-responses", list, { keepToolIoPairs: 0 }));
    expect(types.includes("tool_search_call")).toBe(types.includes("tool_search_output"));
    if (types.includes("function_call")) expect(types).toContain("tool_search_output");
  });
});

describe("tools that were loaded by a search (anthropic)", () => {
  const turns = (count: number) =>
    Array.from({ length: count }, (_, n) => [
      { role: "user", content: `show ${n}` },
      { role: "assistant", content: [{ type: "text", text: `${n} ${words}` }] },
    ]).flat();
  const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
  const result = (id: string, content: unknown) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content }],
  });
  const reference = [{ type: "tool_reference", tool_name: "open_ticket" }];

  it.each<[string, readonly unknown[]]>([
    [
      "the provider's",
      [
        {
          role: "assistant",
          content: [
            { type: "server_tool_use", id: "srv", name: "tool_search_tool_regex", input: { pattern: "ticket" } },
            {
              type: "tool_search_tool_result",
              tool_use_id: "srv",
              content: { type: "tool_search_tool_search_result", tool_references: reference },
            },
            use("a", "open_ticket"),
          ],
        },
        result("a", "opened a"),
      ],
    ],
    ["the host's", [{ role: "assistant", content: [use("s", "ToolSearch")] }, result("s", reference)]],
  ])("stay while a call of them stays: %s", async (_whose, found) => {
    const list = [
      { role: "user", content: "open one" },
      ...found,
      { role: "assistant", content: [{ type: "text", text: "Ready." }] },
      ...turns(10),
      { role: "user", content: "one more" },
      { role: "assistant", content: [use("b", "open_ticket")] },
      result("b", "opened b"),
    ];
    const kept = await compact("anthropic", list, { keepToolIoPairs: 1, keepRecentTurns: 1 });
    expect(kept.length).toBeLessThan(list.length);
    expect(kept).toContain(found[0]);
    expect(kept).toContain(found[1]);
    expect(anthropicFormat.validate(kept)).toEqual([]);
  });

  it("an answer of the provider's in a later message does not stay without its call", async () => {
    const asked = {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "code", name: "code_execution", input: { code: "run()" } },
        { ...use("a", "rates"), caller: { type: "code_execution_20250825", tool_id: "code" } },
      ],
    };
    const answered = {
      role: "assistant",
      content: [
        {
          type: "code_execution_tool_result",
          tool_use_id: "code",
          content: { type: "code_execution_result", stdout: "88.12", stderr: "", return_code: 0, content: [] },
        },
        { type: "text", text: "88.12" },
      ],
    };
    for (let more = 0; more < 9; more += 1) {
      const list = [
        ...turns(9 - more),
        { role: "user", content: "rates?" },
        asked,
        result("a", "88.12"),
        answered,
        ...turns(more),
        { role: "user", content: "go on" },
      ];
      const kept = await compact("anthropic", list, { keepToolIoPairs: 0 });
      expect(kept.includes(asked)).toBe(kept.includes(answered));
      expect(anthropicFormat.validate(kept)).toEqual([]);
    }
  });
});
