// Every kind of item the SDK knows: given back as the very object when nothing changed, else with only what changed.
import type { AgentInputItem } from "@openai/agents";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/integrations/adapter/translation.ts";
import { agentItems } from "../../../src/integrations/openai-agents/items.ts";
import { openaiResponsesFormat } from "../../../src/providers/openai-responses/openai-responses-format.ts";

const text = fc.string({ minLength: 1, maxLength: 12 });
const id = fc.option(text, { nil: undefined });
const providerData = fc.option(fc.dictionary(fc.constantFrom("vendor", "annotations", "call_kind"), fc.jsonValue()), {
  nil: undefined,
});
const PNG = "data:image/png;base64,iVBORw0KGgo=";

const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as AgentInputItem;
const record = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) => fc.record(fields).map(given);
const always = <T>(value: T) => fc.constant(value);

const inputPart = fc.oneof(
  record({ type: always("input_text"), text, providerData }),
  record({ type: always("input_image"), image: fc.oneof(always(PNG), record({ id: text })), detail: always("low") }),
  record({ type: always("input_file"), file: fc.oneof(text, record({ url: text })), filename: text }),
);
const outputPart = fc.oneof(
  record({ type: always("output_text"), text, providerData }),
  record({ type: always("refusal"), refusal: text }),
);
const toolOutput = fc.oneof(
  fc.string(),
  record({ type: always("text"), text }),
  record({ type: always("image"), image: fc.oneof(always(PNG), record({ url: text }), record({ fileId: text })) }),
  fc.array(inputPart, { minLength: 1, maxLength: 3 }),
);
const call = (type: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  record({ type: always(type), callId: text, id, status: always("completed"), providerData, ...fields });

const KINDS: Readonly<Record<string, fc.Arbitrary<AgentInputItem>>> = {
  system: record({ type: always("message"), role: always("system"), content: text }),
  user: record({
    role: always("user"),
    id,
    content: fc.oneof(text, fc.array(inputPart, { minLength: 1 })),
    providerData,
  }),
  assistant: record({
    type: always("message"),
    role: always("assistant"),
    id,
    status: fc.constantFrom("completed", "incomplete"),
    content: fc.array(outputPart, { minLength: 1 }),
    providerData,
  }),
  reasoning: record({
    type: always("reasoning"),
    id,
    content: fc.array(record({ type: always("input_text"), text })),
    rawContent: fc.option(fc.array(record({ type: always("reasoning_text"), text })), { nil: undefined }),
    providerData: fc.option(fc.record({ encrypted_content: text }), { nil: undefined }),
  }),
  call: call("function_call", { name: text, namespace: id, arguments: fc.string() }),
  result: call("function_call_result", { name: text, output: toolOutput }),
  computer: call("computer_call", { action: always({ type: "screenshot" }) }),
  screenshot: call("computer_call_result", { output: always({ type: "computer_screenshot", data: PNG }) }),
  shell: call("shell_call", { action: always({ commands: ["ls"] }) }),
  shellResult: call("shell_call_output", {
    output: fc.array(fc.record({ stdout: fc.string(), stderr: fc.string(), outcome: always({ type: "timeout" }) })),
  }),
  patch: call("apply_patch_call", { operation: always({ type: "delete_file", path: "a.ts" }) }),
  patchResult: call("apply_patch_call_output", { output: fc.option(text, { nil: undefined }) }),
  search: call("tool_search_call", { arguments: fc.jsonValue() }),
  found: record({ type: always("tool_search_output"), id: text, tools: always([{ type: "function", name: "f" }]) }),
  program: call("program", { code: text, fingerprint: text }),
  programResult: call("program_output", { output: fc.string() }),
  hosted: record({ type: always("hosted_tool_call"), id, name: text, output: id, providerData }),
  compaction: record({ type: always("compaction"), id, encrypted_content: text }),
  unknown: record({ type: always("unknown"), id, providerData }),
};
const anyItem = fc.oneof(...Object.values(KINDS));
const json = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("the translation of the SDK's items", () => {
  it("gives back the very objects when nothing changed", () => {
    fc.assert(
      fc.property(fc.array(anyItem), (items) => {
        const before = json(items);
        const { toNative, toHost } = createTranslator(agentItems);
        const back = toHost(toNative(items));
        expect(back).toHaveLength(items.length);
        expect(back.every((item, at) => item === items[at])).toBe(true);
        expect(json(items)).toEqual(before);
      }),
    );
  });

  it.each(Object.keys(KINDS).filter((kind) => kind !== "shellResult"))(
    "makes a %s anew that reads as the one that was lost",
    (kind) => {
      fc.assert(
        fc.property(KINDS[kind] as fc.Arbitrary<AgentInputItem>, (item) => {
          const { toNative } = createTranslator(agentItems);
          const natives = json(toNative([item]));
          const anew = createTranslator(agentItems).toHost(natives);
          expect(json(createTranslator(agentItems).toNative(anew))).toEqual(natives);
        }),
      );
    },
  );

  it("changes in a result only what was shortened", () => {
    fc.assert(
      fc.property(KINDS.result as fc.Arbitrary<AgentInputItem>, (item) => {
        const { toNative, toHost } = createTranslator(agentItems);
        const [native] = toNative([item]);
        const short = openaiResponsesFormat.mapResults(native, () => "short");
        const [host] = toHost([short]) as [AgentInputItem & { output: unknown }];
        const { output: _output, ...rest } = host;
        const { output: _before, ...before } = item as AgentInputItem & { output: unknown };
        expect(rest).toEqual(before);
        const texts = Array.isArray(host.output)
          ? host.output.filter((part) => "text" in part)
          : [{ text: host.output }];
        if (short !== native) expect(texts.every((part) => part.text === "short")).toBe(true);
      }),
    );
  });

  it("shortens what a shell wrote where it was written", () => {
    const outcome = { type: "exit", exitCode: 2 } as const;
    const output = [{ stdout: "long ".repeat(50), stderr: "no such file", outcome }];
    const item: AgentInputItem = { type: "shell_call_output", callId: "c1", output };
    const { toNative, toHost } = createTranslator(agentItems);
    const cut = (value: string) => (value.length > 20 ? "cut" : value);
    const shortened = toNative([item]).map((native) => openaiResponsesFormat.mapResults(native, cut));
    expect(toHost(shortened)).toEqual([{ ...item, output: [{ stdout: "cut", stderr: "no such file", outcome }] }]);
  });

  it("keeps an empty summary and the sealed reasoning of a kept item", () => {
    const item: AgentInputItem = {
      type: "reasoning",
      id: "rs_1",
      content: [],
      providerData: { encrypted_content: "S==" },
    };
    const { toNative, toHost } = createTranslator(agentItems);
    const natives = toNative([item]);
    expect(json(natives)).toEqual([{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "S==" }]);
    expect(toHost(natives)[0]).toBe(item);
  });

  it("reads pairs of every kind as pairs", () => {
    const pairs: [string, object, string, object][] = [
      ["function_call", { name: "f", arguments: "{}" }, "function_call_result", { name: "f", output: "x" }],
      ["computer_call", { action: {} }, "computer_call_result", { output: { type: "computer_screenshot", data: PNG } }],
      ["shell_call", { action: { commands: [] } }, "shell_call_output", { output: [] }],
      ["apply_patch_call", { operation: {} }, "apply_patch_call_output", { status: "completed" }],
      ["tool_search_call", { arguments: {} }, "tool_search_output", { tools: [] }],
      ["program", { code: "f()", fingerprint: "p" }, "program_output", { output: "x" }],
    ];
    const items = pairs.flatMap(([type, fields, resultType, result], at) => [
      { type, callId: `c${at}`, id: `i${at}`, ...fields },
      { type: resultType, callId: `c${at}`, id: `o${at}`, ...result },
    ]) as AgentInputItem[];
    const natives = createTranslator(agentItems).toNative(items);
    expect(openaiResponsesFormat.validate(natives)).toEqual([]);
    expect(openaiResponsesFormat.heal(natives).repairs).toEqual([]);
  });
});
