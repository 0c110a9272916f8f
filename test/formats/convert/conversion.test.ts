// Any history, converted to any other format: valid there, and nothing that was said, called or given back is missing.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertConversation, type ProviderFormat } from "../../../src/providers/conversion/convert-conversation.ts";
import { chatHistoryOf, damaged, formatHistories, type History } from "../histories.ts";
import { readSaid, withNumberedCalls } from "./views-compared.ts";

const pairs = formatHistories.flatMap((from) =>
  formatHistories
    .filter((to) => to !== from)
    .map((to) => ({ from: from.format.name, to: to.format.name, source: from, target: to })),
);
const runs = { numRuns: 100 };

function convert(messages: History, from: string, to: string) {
  return convertConversation({ format: from as ProviderFormat, messages }, to as ProviderFormat);
}

function contains(texts: readonly string[], text: string): boolean {
  return texts.some((candidate) => candidate.includes(text));
}

describe.each(pairs)("any history of $from as $to", ({ from, to, source, target }) => {
  it("is valid as it comes out", () => {
    fc.assert(
      fc.property(source.historyOf(), (messages) => {
        const converted = convert(messages, from, to);
        expect(converted.format).toBe(to);
        expect(target.format.validate(converted.messages, { allowOpenTail: true })).toEqual([]);
        expect(target.format.heal(converted.messages).repairs).toEqual([]);
      }),
      runs,
    );
  });

  it("says all that was said, with each call and its result", () => {
    fc.assert(
      fc.property(source.historyOf(), (messages) => {
        const before = readSaid(source.format, messages);
        const converted = convert(messages, from, to);
        const after = readSaid(target.format, converted.messages);
        const texts = [...after.texts, JSON.stringify(converted.system ?? ""), ...systemTexts(converted.system)];
        expect(before.texts.filter((text) => !contains(texts, text))).toEqual([]);
        expect(after.images).toBe(before.images);
        expect(after.calls.map(({ name, input }) => ({ name, input }))).toEqual(
          before.calls.map(({ name, input }) => ({ name, input })),
        );
        for (const [at, { result }] of before.calls.entries()) {
          if (result === undefined) expect(after.calls[at]?.result).toBeUndefined();
          else expect(after.calls[at]?.result).toContain(result);
        }
      }),
      runs,
    );
  });

  it("damaged, converts all the same, and can be healed", () => {
    fc.assert(
      fc.property(damaged(source.historyOf()), (messages) => {
        const converted = convert(messages, from, to);
        const healed = target.format.heal(converted.messages);
        if (healed.messages.length === 0) return;
        expect(target.format.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("of any JSON does not throw", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.jsonValue(), (values, beside) => {
        const format = from as ProviderFormat;
        const tools = [beside, { type: "function", function: beside }, { name: "x", input_schema: beside }];
        const converted = convertConversation(
          { format, messages: values, system: beside, tools },
          to as ProviderFormat,
        );
        const healed = target.format.heal(converted.messages);
        if (healed.messages.length > 0)
          expect(target.format.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("tells what it left out without a word of what was said", () => {
    fc.assert(
      fc.property(source.historyOf(), (messages) => {
        const { notes } = convert(messages, from, to);
        const said = readSaid(source.format, messages).texts.filter((text) => text.length > 20);
        for (const { message } of notes) expect(said.filter((text) => message.includes(text))).toEqual([]);
        const reasoned = messages.some((message) =>
          source.format.view(message).parts.some(({ kind }) => kind === "thinking"),
        );
        expect(notes.some(({ message }) => message.includes("of reasoning"))).toBe(reasoned);
      }),
      runs,
    );
  });

  it("changes nothing that it was given", () => {
    fc.assert(
      fc.property(source.historyOf(), (messages) => {
        const before = structuredClone(messages);
        convert(messages, from, to);
        expect(messages).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });
});

describe("there and back", () => {
  const others: readonly ProviderFormat[] = ["openai-responses", "anthropic"];

  it.each(others)("chat messages come back from %s as they were", (format) => {
    fc.assert(
      fc.property(chatHistoryOf().map(commonCore), (messages) => {
        const there = convertConversation({ format: "openai-chat", messages }, format);
        const { messages: back } = convertConversation(there, "openai-chat");
        expect(withNumberedCalls(back)).toEqual(withNumberedCalls(messages));
      }),
      { numRuns: 200 },
    );
  });

  it("ids come back as they were where they are legal on both sides", () => {
    fc.assert(
      fc.property(chatHistoryOf().map(commonCore), (messages) => {
        const there = convertConversation({ format: "openai-chat", messages }, "openai-responses");
        expect(convertConversation(there, "openai-chat").messages).toEqual(messages);
      }),
      runs,
    );
  });
});

function systemTexts(system: unknown): readonly string[] {
  if (typeof system === "string") return [system];
  return Array.isArray(system) ? system.map(({ text }: { text: string }) => text) : [];
}

/** What all three can say: no names, no free-text calls, no fields of one vendor, no host's words in the middle. */
function commonCore(messages: History): History {
  const said = messages.filter((message) => (message as { role: string }).role !== "developer");
  return said.map((message) => {
    const { name: _name, x_vendor: _vendor, audio: _audio, ...kept } = message as Record<string, unknown>;
    const { refusal: _refusal, annotations: _annotations, ...rest } = kept;
    const calls = rest.tool_calls as { id: string; custom?: { name: string; input: string } }[] | undefined;
    if (calls === undefined) return rest;
    return {
      ...rest,
      tool_calls: calls.map(({ custom, ...call }) =>
        custom === undefined
          ? call
          : { ...call, type: "function", function: { name: custom.name, arguments: JSON.stringify(custom) } },
      ),
    };
  });
}
