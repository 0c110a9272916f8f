// Messages of `ai` as chat messages and back: nothing lost, what stays is the very same object, what changes is valid.
import { type ModelMessage, modelMessageSchema } from "ai";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/integrations/adapter/translation.ts";
import type { AiMessage } from "../../../src/integrations/ai/messages.ts";
import { aiTranslation } from "../../../src/integrations/ai/preflight.ts";
import { copyWith } from "../../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";

const text = fc.string({ maxLength: 12 });
const providerOptions = fc.option(
  fc.constantFrom(
    { openai: { itemId: "msg_1" } },
    { anthropic: { cacheControl: { type: "ephemeral" } } },
    { google: { thoughtSignature: "c2lnbmF0dXJl".repeat(20) } },
  ),
  { nil: undefined },
);
const withOptions = <Part extends object>(part: fc.Arbitrary<Part>) =>
  fc
    .tuple(part, providerOptions)
    .map(([value, options]) => (options === undefined ? value : { ...value, providerOptions: options }));

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const textPart = withOptions(fc.record({ type: fc.constant("text"), text }));
const filePart = withOptions(
  fc.constantFrom(
    { type: "file", data: pixel, mediaType: "image/png" },
    { type: "file", data: new Uint8Array([37, 80, 68, 70]), mediaType: "application/pdf", filename: "a.pdf" },
    { type: "file", data: new URL("https://example.com/a.wav"), mediaType: "audio/wav" },
    { type: "file", data: "UklGRg==", mediaType: "audio/wav" },
  ),
);
const imagePart = withOptions(
  fc.constantFrom({ type: "image", image: pixel }, { type: "image", image: new URL("https://example.com/a.png") }),
);
const output = fc.oneof(
  withOptions(fc.record({ type: fc.constantFrom("text", "error-text"), value: text })),
  withOptions(fc.record({ type: fc.constantFrom("json", "error-json"), value: fc.jsonValue({ maxDepth: 2 }) })),
  fc.record({ type: fc.constant("execution-denied"), reason: text }),
  fc.record({
    type: fc.constant("content"),
    value: fc.array(
      fc.oneof(
        textPart,
        fc.constantFrom(
          { type: "media", data: pixel, mediaType: "image/png" },
          { type: "image-data", data: pixel, mediaType: "image/png" },
          { type: "file-url", url: "https://example.com/a.pdf" },
          { type: "image-file-id", fileId: "file_1" },
          { type: "custom" },
        ),
      ),
      { maxLength: 3 },
    ),
  }),
);

const said = fc.oneof(
  fc.record({ role: fc.constant("user"), content: text }),
  withOptions(
    fc.record({
      role: fc.constant("user"),
      content: fc.array(fc.oneof(textPart, imagePart, filePart), { minLength: 1, maxLength: 3 }),
    }),
  ),
);

/** An assistant's step with its calls, what the provider ran inside it, an approval, and the results. */
const step = fc
  .record({
    before: fc.array(fc.oneof(textPart, withOptions(fc.record({ type: fc.constant("reasoning"), text })), filePart), {
      maxLength: 3,
    }),
    outputs: fc.array(fc.tuple(withOptions(fc.constant({})), output), { maxLength: 3 }),
    inside: fc.boolean(),
    isApproved: fc.boolean(),
    isSplit: fc.boolean(),
    options: providerOptions,
  })
  .map(({ before, outputs, inside, isApproved, isSplit, options }) => (at: number): object[] => {
    const id = (call: number) => `call_${at}_${call}`;
    const toolName = (call: number) => `tool_${call}`;
    const calls = outputs.map(([extra], call) => {
      const ids = { toolCallId: id(call), toolName: toolName(call) };
      return { type: "tool-call", ...ids, input: { path: `file-${call}` }, ...extra };
    });
    const web = { toolCallId: `web_${at}`, toolName: "web_search" };
    const search = [
      { type: "tool-call", ...web, input: { query: "x" }, providerExecuted: true },
      { type: "tool-result", ...web, output: { type: "json", value: [{ url: "https://example.com" }] } },
    ];
    const hasApproval = isApproved && calls.length > 0;
    const request = { type: "tool-approval-request", approvalId: `approval_${at}`, toolCallId: id(0) };
    const response = { type: "tool-approval-response", approvalId: `approval_${at}`, approved: true };
    const results = outputs.map(([extra, given], call) => {
      const ids = { toolCallId: id(call), toolName: toolName(call) };
      return { type: "tool-result", ...ids, output: given, ...extra };
    });
    const content = [...before, ...(inside ? search : []), ...calls, ...(hasApproval ? [request] : [])];
    const tools = isSplit ? results.map((result) => [result]) : results.length > 0 ? [results] : [];
    return [
      {
        role: "assistant",
        content: content.length === 0 ? "done" : content,
        ...(options && { providerOptions: options }),
      },
      ...(hasApproval ? [{ role: "tool", content: [response] }] : []),
      ...tools.map((each) => ({ role: "tool", content: each })),
    ];
  });

const list = fc
  .array(
    fc.oneof(
      said.map((message) => () => [message as object]),
      step,
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map(
    (makers) =>
      [
        { role: "system", content: "You review code." },
        ...makers.flatMap((make, at) => make(at)),
      ] as unknown as (ModelMessage & AiMessage)[],
  );

const translator = () => createTranslator(aiTranslation("model-messages"));

function partsIn(messages: readonly object[], type: string): readonly Record<string, unknown>[] {
  return messages.flatMap((message) => {
    const { content } = message as { readonly content: unknown };
    return Array.isArray(content) ? content.filter((part) => part.type === type) : [];
  });
}

describe("a list of model messages", () => {
  it("is valid as chat messages, and comes back as the very same objects", () => {
    fc.assert(
      fc.property(list, (messages) => {
        const { toNative, toHost } = translator();
        const natives = toNative(messages);
        expect(openaiChatFormat.validate(natives)).toEqual([]);
        expect(openaiChatFormat.heal(natives).messages).toBe(natives);
        const back = toHost(natives);
        expect(back).toHaveLength(messages.length);
        for (const [at, message] of back.entries()) expect(message).toBe(messages[at]);
      }),
    );
  });

  it("says in its chat messages all that it says", () => {
    fc.assert(
      fc.property(list, (messages) => {
        const sent = JSON.stringify(translator().toNative(messages));
        for (const type of ["text", "reasoning"])
          for (const part of partsIn(messages, type)) expect(sent).toContain(JSON.stringify(part.text).slice(1, -1));
        for (const { toolCallId, input } of partsIn(messages, "tool-call")) {
          expect(sent).toContain(String(toolCallId));
          expect(sent.replaceAll('\\"', '"')).toContain(JSON.stringify(input));
        }
        for (const { approvalId } of partsIn(messages, "tool-approval-response"))
          expect(sent).toContain(String(approvalId));
      }),
    );
  });

  it("stays valid when results are shortened: each keeps its call, its tool and its options", () => {
    fc.assert(
      fc.property(list, (messages) => {
        const { toNative, toHost } = translator();
        const shortened = toNative(messages).map((native) => openaiChatFormat.mapResults(native, () => "[cut]"));
        const back = toHost(shortened);
        for (const message of back) expect(modelMessageSchema.safeParse(message).success).toBe(true);
        const ids = (part: Record<string, unknown>) => [part.toolCallId, part.toolName, part.providerOptions];
        for (const type of ["tool-call", "tool-result"])
          expect(partsIn(back, type).map(ids)).toEqual(partsIn(messages, type).map(ids));
        for (const type of ["tool-approval-request", "tool-approval-response", "reasoning", "file", "image"])
          expect(partsIn(back, type)).toEqual(partsIn(messages, type));
      }),
    );
  });

  it("stays valid when what was said is shortened and attachments give way", () => {
    fc.assert(
      fc.property(list, (messages) => {
        const { toNative, toHost } = translator();
        const changed = toNative(messages).map((native) =>
          openaiChatFormat.mapAttachments(
            openaiChatFormat.mapTexts(native, (said) => said.slice(0, 3)),
            () => "[image]",
          ),
        );
        const back = toHost(changed);
        for (const message of back) expect(modelMessageSchema.safeParse(message).success).toBe(true);
        expect(partsIn(back, "image")).toEqual([]);
        for (const type of ["tool-call", "reasoning"]) expect(partsIn(back, type)).toEqual(partsIn(messages, type));
      }),
    );
  });

  it("is mended into valid messages when some are missing", () => {
    fc.assert(
      fc.property(list, fc.infiniteStream(fc.boolean()), (messages, keeps) => {
        const { toNative, toHost } = translator();
        const damaged = messages.filter((_, at) => at === 0 || keeps.next().value === true);
        const { messages: healed } = openaiChatFormat.heal(toNative(damaged));
        const back = toHost(healed);
        for (const message of back) expect(modelMessageSchema.safeParse(message).success).toBe(true);
        expect(openaiChatFormat.validate(translator().toNative(back), { allowOpenTail: true })).toEqual([]);
        for (const { toolName } of partsIn(back, "tool-result")) expect(toolName).not.toBe("");
      }),
    );
  });

  it("loses reasoning whole, with the ids by which a provider would ask for it", () => {
    const message = {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Let me see.", providerOptions: { openai: { itemId: "rs_1" } } },
        { type: "text", text: "Seen.", providerOptions: { openai: { itemId: "msg_1", phase: "final" } } },
      ],
    } as const;
    const { toNative, toHost } = translator();
    const [back] = toHost(openaiChatFormat.withoutReasoning(toNative([message])));
    expect(back).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Seen.", providerOptions: { openai: { phase: "final" } } }],
    });
  });
});

describe("a prompt", () => {
  it("gives a summary as parts, and takes it back as the summary it was", () => {
    const { toNative, toHost } = createTranslator(aiTranslation("prompt"));
    const summary = { role: "assistant", content: "<COMPACT-SUMMARY v1>" };
    const [made] = toHost([summary]);
    expect(made).toEqual({ role: "assistant", content: [{ type: "text", text: summary.content }] });
    expect(JSON.stringify(createTranslator(aiTranslation("prompt")).toNative([made as AiMessage]))).toBe(
      JSON.stringify([summary]),
    );
    expect(toNative([made as AiMessage])).toHaveLength(1);
  });

  it("keeps an answer to an approval whose request `ai` took out, alone and beside a result", () => {
    const answer = { type: "tool-approval-response", approvalId: "approval_1", approved: true };
    const result = {
      type: "tool-result",
      toolCallId: "call_1",
      toolName: "read",
      output: { type: "text", value: "long" },
    };
    const messages = [
      { role: "user", content: [{ type: "text", text: "Go on." }] },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "mcp_1", toolName: "mcp", input: {}, providerExecuted: true }],
      },
      { role: "tool", content: [answer] },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "call_1", toolName: "read", input: {} }] },
      { role: "tool", content: [answer, result] },
    ] as const;
    const { toNative, toHost } = createTranslator(aiTranslation("prompt"));
    const natives = toNative(messages);
    expect(openaiChatFormat.validate(natives)).toEqual([]);
    expect(openaiChatFormat.view(natives[2]).isHostWritten).toBe(true);
    const cut = natives.map((native) => openaiChatFormat.mapResults(native, () => "[cut]"));
    const back = toHost(cut);
    expect(back.slice(0, 4).every((message, at) => message === messages[at])).toBe(true);
    expect(partsIn(back.slice(4), "tool-approval-response")).toEqual([answer]);
    expect(partsIn(back, "tool-result")).toEqual([{ ...result, output: { type: "text", value: "[cut]" } }]);
  });

  it("is not told apart by what a framework notes in it, and is protected by our own key", () => {
    const { toNative } = createTranslator(aiTranslation("prompt"));
    const noted = (createdAt: number) => ({
      role: "user" as const,
      content: [{ type: "text", text: "Hello", providerOptions: { mastra: { createdAt } } }],
    });
    expect(JSON.stringify(toNative([noted(1)]))).toBe(JSON.stringify(toNative([noted(2)])));
    const [kept] = toNative([{ ...noted(1), providerOptions: { "agent-compact": { protected: true } } }]);
    expect(openaiChatFormat.view(kept).isProtected).toBe(true);
  });

  it("carries a changed call on from its origin", () => {
    const { toNative, toHost } = createTranslator(aiTranslation("prompt"));
    const call = {
      type: "tool-call",
      toolCallId: "a",
      toolName: "read",
      input: { path: "x" },
      providerOptions: { google: { thoughtSignature: "s" } },
    };
    const [native] = toNative([{ role: "assistant", content: [{ type: "text", text: "Look." }, call] }]);
    const [first] = (native?.tool_calls ?? []) as object[];
    const renamed = copyWith(native ?? {}, { tool_calls: [{ ...first, id: "a_2" }] });
    expect(toHost([renamed])).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "Look." },
          { ...call, toolCallId: "a_2" },
        ],
      },
    ]);
  });
});
