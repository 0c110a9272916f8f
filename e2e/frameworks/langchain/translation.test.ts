// LangChain's messages as OpenAI chat messages and back: what is kept is the same object, what is changed keeps all else.
import * as core from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../../src/index.ts";
import { createTranslator } from "../../../src/integrations/adapter/translation.ts";
import { toHost, toNative } from "../../../src/integrations/langchain/messages.ts";
import type { JsonObject } from "../../../src/text/json-values.ts";

const translator = () =>
  createTranslator<core.BaseMessage>({
    format: "openai-chat",
    toNative,
    toHost: (native, source) => toHost(native, source, core),
  });

const text = fc.string({ minLength: 1, maxLength: 30 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value }));
const call = fc.record({ id: text, name: text, args: json });
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("thinking"), thinking: text, signature: text }),
  fc.record({ type: fc.constant("reasoning"), reasoning: text }),
  fc.record({ type: fc.constant("redacted_thinking"), data: text }),
  fc.record({
    type: fc.constant("image_url"),
    image_url: fc.record({ url: fc.constant("data:image/png;base64,AAAA") }),
  }),
  fc.record({ type: fc.constant("image"), url: fc.webUrl() }),
  fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: json }),
  fc.record({ type: text, odd: json }),
);
const content = fc.oneof(text, fc.array(block, { maxLength: 5 })) as fc.Arbitrary<core.MessageContent>;
const message: fc.Arbitrary<core.BaseMessage> = fc.oneof(
  fc.record({ content, id: text }).map((fields) => new core.SystemMessage(fields)),
  fc.record({ content, id: text, name: text }).map((fields) => new core.HumanMessage(fields)),
  fc
    .record({ content, id: text, tool_calls: fc.array(call, { maxLength: 3 }), response_metadata: json })
    .map((fields) => new core.AIMessage(fields as core.AIMessageFields)),
  fc
    .record({ content, id: text, tool_call_id: text, status: fc.constantFrom("success", "error"), artifact: json })
    .map((fields) => new core.ToolMessage(fields as never)),
);

describe("any list", () => {
  it("comes back as the same objects, untouched, and never throws", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const before = JSON.stringify(messages);
        const { toNative: there, toHost: back } = translator();
        const natives = there(messages);
        const hosts = back(natives);
        expect(hosts.length).toBe(messages.length);
        for (const [at, host] of hosts.entries()) expect(host).toBe(messages[at]);
        expect(JSON.stringify(messages)).toBe(before);
      }),
    );
  });

  it("says all its texts and calls in the native messages", () => {
    fc.assert(
      fc.property(message, (host) => {
        const [native = {}] = toNative(host);
        const told = JSON.stringify(native);
        const blocks = typeof host.content === "string" ? [{ type: "text", text: host.content }] : host.content;
        for (const each of blocks) {
          const said = (each as JsonObject).text;
          if (typeof said === "string") expect(told).toContain(JSON.stringify(said).slice(1, -1));
        }
        const calls = (host as core.AIMessage).tool_calls ?? [];
        if (host.type === "ai") expect((native.tool_calls as unknown[] | undefined)?.length ?? 0).toBe(calls.length);
      }),
    );
  });

  it("keeps class, id and all that no provider sees where a text was shortened", () => {
    const format = FORMATS.find(({ name }) => name === "openai-chat");
    const shorten = (said: string) => `${said.slice(0, 2)}…`;
    fc.assert(
      fc.property(message, (host) => {
        const { toNative: there, toHost: back } = translator();
        const [native] = there([host]);
        const mapped = format?.mapResults(format.mapTexts(native, shorten), shorten);
        fc.pre(mapped !== native);
        const [after] = back([mapped]);
        expect(after?.constructor).toBe(host.constructor);
        const fields = ["id", "name", "response_metadata", "tool_calls", "tool_call_id", "status", "artifact"] as const;
        for (const field of fields) {
          expect((after as never as JsonObject)[field]).toEqual((host as never as JsonObject)[field]);
        }
        const unsaid = (list: core.MessageContent) =>
          typeof list === "string" ? [] : list.filter(({ type }) => type !== "text");
        expect(unsaid(after?.content ?? "")).toEqual(unsaid(host.content));
      }),
    );
  });
});

describe("single messages", () => {
  it("of plain text are exactly role and content", () => {
    const ai = new core.AIMessage({ content: "Done.", id: "run-1", response_metadata: { model_name: "x" } });
    expect(toNative(ai)).toEqual([{ role: "assistant", content: "Done." }]);
    expect(toNative(new core.HumanMessage({ content: "Go.", id: "h" }))).toEqual([{ role: "user", content: "Go." }]);
  });

  it("that are orders to the state are none", () => {
    expect(toNative(new core.RemoveMessage({ id: "x" }))).toEqual([]);
  });

  it("with calls that could not be read are counted as the provider gets them", () => {
    const raw = { id: "c1", type: "function" as const, function: { name: "run", arguments: '{"cut' } };
    const ai = new core.AIMessage({
      content: "",
      tool_calls: [],
      invalid_tool_calls: [{ id: "c1", name: "run", args: '{"cut', error: "cut", type: "invalid_tool_call" }],
      additional_kwargs: { tool_calls: [raw] },
    });
    expect(toNative(ai)).toEqual([{ role: "assistant", content: "", tool_calls: [raw] }]);
  });

  it("lose their thinking, and nothing else, where it is stripped", () => {
    const ai = new core.AIMessage({
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "text", text: "So." },
        { type: "tool_use", id: "c1", name: "run", input: {} },
      ],
      tool_calls: [{ id: "c1", name: "run", args: {} }],
      id: "run-2",
    });
    const { toNative: there, toHost: back } = translator();
    const [native] = there([ai]);
    const { reasoning_content: thought, ...rest } = native as JsonObject;
    expect(thought).toBe("Hm.");
    const [after] = back([rest]);
    expect(after?.content).toEqual([
      { type: "text", text: "So." },
      { type: "tool_use", id: "c1", name: "run", input: {} },
    ]);
    expect([after?.id, (after as core.AIMessage).tool_calls]).toEqual(["run-2", ai.tool_calls]);
  });

  it("have their calls renamed with their results", () => {
    const calls = [
      { id: "same", name: "run", args: { a: 1 } },
      { id: "same", name: "run", args: { a: 2 } },
    ];
    const list = [
      new core.HumanMessage("Go."),
      new core.AIMessage({ content: "", tool_calls: calls, id: "run-3" }),
      new core.ToolMessage({ content: "1", tool_call_id: "same", artifact: "kept" }),
      new core.ToolMessage({ content: "2", tool_call_id: "same" }),
    ];
    const { toNative: there, toHost: back } = translator();
    const format = FORMATS.find(({ name }) => name === "openai-chat");
    const healed = format?.heal(there(list)).messages ?? [];
    const [, ai, first, second] = back(healed) as [unknown, core.AIMessage, core.ToolMessage, core.ToolMessage];
    const ids = ai.tool_calls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect([first, second].map(({ tool_call_id: id }) => id).sort()).toEqual([...ids].sort());
    expect(format?.validate(there([list[0] as core.BaseMessage, ai, first, second]))).toEqual([]);
    expect([ai.id, ai.tool_calls?.map(({ args }) => args)]).toEqual(["run-3", [{ a: 1 }, { a: 2 }]]);
    expect(first.artifact).toBe("kept");
  });

  it("that compaction made are of LangChain's classes", () => {
    const { toHost: back } = translator();
    const calls = [{ id: "c1", type: "function", function: { name: "run", arguments: "{}" } }];
    const made = back([
      { role: "user", content: "Note." },
      { role: "assistant", content: "<COMPACT-SUMMARY v1>" },
      { role: "assistant", content: "", tool_calls: calls },
      { role: "tool", tool_call_id: "c1", content: "None." },
    ]);
    expect(made.map(({ type }) => type)).toEqual(["human", "ai", "ai", "tool"]);
    expect(made[3]).toMatchObject({ name: "run", tool_call_id: "c1", content: "None." });
  });
});
