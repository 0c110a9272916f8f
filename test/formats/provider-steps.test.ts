// Tools that a provider runs itself: what they were asked and what they gave back is read like any call and result, in
// every format, and their calls are never paired, repaired or torn apart.
import { describe, expect, it } from "vitest";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { CompactManager } from "../../src/index.ts";
import { toNative } from "../../src/integrations/ai/messages.ts";
import { agentItems } from "../../src/integrations/openai-agents/items.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";

const FORMATS = {
  anthropic: anthropicFormat,
  "openai-chat": openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
};
type FormatName = keyof typeof FORMATS;

const FOUND = "Dock 7 costs TAR-4417";
const ASKED = "price of dock 7";
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

const anthropicStep = (call: object, type: string, content: unknown, more: object = {}) => [
  {
    role: "assistant",
    content: [
      { type: "server_tool_use", id: "srv_1", ...call },
      { type, tool_use_id: "srv_1", content, ...more },
      { type: "text", text: "Done." },
    ],
  },
];
const aiStep = (output: object) =>
  toNative(
    {
      role: "assistant",
      content: [
        {
          type: "tool-call",
          toolCallId: "p1",
          toolName: "web_search",
          input: { query: ASKED },
          providerExecuted: true,
        },
        { type: "tool-result", toolCallId: "p1", toolName: "web_search", output },
        { type: "text", text: "Done." },
      ],
    },
    "model-messages",
  );

/** Its types are those of LangChain, which is installed below e2e/ only. */
const LANGCHAIN: string = "../../src/integrations/langchain/messages.ts";
const { toNative: fromLangChain } = (await import(LANGCHAIN)) as { toNative: (message: object) => readonly unknown[] };

const langChain = (fields: object) => fromLangChain({ type: "ai", additional_kwargs: {}, ...fields });
const agents = (item: object) =>
  agentItems.toNative(item as unknown as Parameters<typeof agentItems.toNative>[0]) as readonly unknown[];
const LANGCHAIN_BLOCKS = [
  { type: "server_tool_call", id: "l1", name: "web_search", args: { query: ASKED } },
  { type: "server_tool_call_result", toolCallId: "l1", status: "success", output: { found: FOUND } },
  { type: "text", text: "Done." },
];
const AGENTS_CALL = {
  type: "hosted_tool_call",
  id: "h1",
  name: "file_search_call",
  status: "completed",
  providerData: { type: "file_search_call", queries: [ASKED], results: [{ filename: "dock.md", text: FOUND }] },
};

const STEPS: readonly [string, FormatName, readonly unknown[]][] = [
  [
    "mcp_call",
    "openai-responses",
    [
      { type: "mcp_call", id: "m", server_label: "port", name: "find", arguments: `{"q":"${ASKED}"}`, output: FOUND },
      said("Done."),
    ],
  ],
  [
    "code_interpreter_call",
    "openai-responses",
    [
      { type: "code_interpreter_call", id: "c", code: `find("${ASKED}")`, outputs: [{ type: "logs", logs: FOUND }] },
      said("Done."),
    ],
  ],
  [
    "file_search_call",
    "openai-responses",
    [
      {
        type: "file_search_call",
        id: "f",
        queries: [ASKED],
        results: [{ file_id: "f1", filename: "dock.md", text: FOUND }],
      },
      said("Done."),
    ],
  ],
  [
    "web_search_call",
    "openai-responses",
    [
      {
        type: "web_search_call",
        id: "w",
        action: {
          type: "search",
          query: ASKED,
          sources: [{ type: "url", url: `https://port.example/${FOUND.replaceAll(" ", "-")}` }],
        },
      },
      said("Done."),
    ],
  ],
  [
    "a call of a kind nobody knows",
    "openai-responses",
    [{ type: "harbour_call", id: "h", question: ASKED, result: FOUND }, said("Done.")],
  ],
  [
    "web_search",
    "anthropic",
    anthropicStep({ name: "web_search", input: { query: ASKED } }, "web_search_tool_result", [
      { type: "web_search_result", url: "https://port.example", title: FOUND, encrypted_content: "E".repeat(90) },
    ]),
  ],
  [
    "web_fetch",
    "anthropic",
    anthropicStep({ name: "web_fetch", input: { url: `https://port.example/${ASKED}` } }, "web_fetch_tool_result", {
      type: "web_fetch_result",
      url: "u",
      content: { type: "document", source: { type: "text", media_type: "text/plain", data: FOUND } },
    }),
  ],
  [
    "bash_code_execution",
    "anthropic",
    anthropicStep(
      { name: "bash_code_execution", input: { command: `lookup '${ASKED}'` } },
      "bash_code_execution_tool_result",
      { type: "bash_code_execution_result", stdout: FOUND, stderr: "", return_code: 0, content: [] },
    ),
  ],
  [
    "mcp_tool_use",
    "anthropic",
    [
      {
        role: "assistant",
        content: [
          { type: "mcp_tool_use", id: "x", name: "find", server_name: "port", input: { q: ASKED } },
          { type: "mcp_tool_result", tool_use_id: "x", is_error: false, content: [{ type: "text", text: FOUND }] },
          { type: "text", text: "Done." },
        ],
      },
    ],
  ],
  ["providerExecuted with text", "openai-chat", aiStep({ type: "text", value: FOUND })],
  ["providerExecuted with JSON", "openai-chat", aiStep({ type: "json", value: { id: 7, status: FOUND } })],
  ["blocks of LangChain", "openai-chat", langChain({ content: LANGCHAIN_BLOCKS })],
  [
    "tool_outputs of LangChain",
    "openai-chat",
    langChain({
      content: "Done.",
      additional_kwargs: {
        tool_outputs: [
          {
            type: "web_search_call",
            id: "w",
            action: {
              type: "search",
              query: ASKED,
              sources: [{ url: `https://port.example/${FOUND.replaceAll(" ", "-")}` }],
            },
          },
        ],
      },
    }),
  ],
  ["a hosted tool of OpenAI Agents", "openai-responses", [...agents(AGENTS_CALL), said("Done.")]],
  [
    "executed_tools of a chat server",
    "openai-chat",
    [
      {
        role: "assistant",
        content: "Done.",
        executed_tools: [{ index: 0, type: "search", arguments: `{"query":"${ASKED}"}`, output: FOUND }],
      },
    ],
  ],
];

const filler = (format: FormatName) =>
  Array.from({ length: 30 }, (_, n) => {
    const text = `${n} ${"harbour queue ledger lease ".repeat(30)}`.trim();
    const user = { role: "user", content: `go on with ${n}` };
    if (format === "openai-responses") return [{ type: "message", ...user }, said(text)];
    return [user, { role: "assistant", content: text }];
  }).flat();

describe.each(STEPS)("what the provider ran itself: %s (%s)", (_name, format, step) => {
  const { view, validate, heal } = FORMATS[format];
  const start =
    format === "openai-responses"
      ? { type: "message", role: "user", content: "price?" }
      : { role: "user", content: "price?" };
  const list = [start, ...step, ...filler(format)];

  it("reaches facts as a call and its answer", () => {
    verifies("fault/steps-a-provider-ran");
    const inputs = step.map((message, at) => ({ view: view(message), source: { step: 1, message: at + 1 } }));
    const ledger = JSON.stringify(extractFacts(inputs, (text) => text));
    expect(ledger).toContain(ASKED);
    expect(ledger).toMatch(/TAR-4417/);
  });

  it("is no call of the caller's: nothing is paired and nothing repaired", () => {
    expect(
      step.flatMap((message) => view(message).parts).filter(({ kind }) => kind === "call" || kind === "result"),
    ).toEqual([]);
    expect(heal(list).messages).toBe(list);
    expect(validate(list)).toEqual([]);
  });

  it("is read by the summarizer's model, and stands in the summary", async () => {
    const prompts: string[] = [];
    const policy = { hardCapBuffer: 50, keepToolIoPairs: 0 };
    const model = async ({ prompt }: { readonly prompt: string }) => {
      prompts.push(prompt);
      return { text: "## Goals\n- Go on. [1.1]", finish: "stop" as const };
    };
    const byCode = new CompactManager({ archive: false, maxContextTokens: 4_000, policy });
    const byModel = new CompactManager({ archive: false, maxContextTokens: 4_000, policy, summarizer: { model } });
    const { messages } = await byCode.compact("s", list, { format });
    await byModel.compact("s", list, { format });
    expect(validate(messages)).toEqual([]);
    expect(JSON.stringify(messages)).toContain("TAR-4417");
    expect(prompts.join()).toContain(ASKED);
    expect(prompts.join()).toContain("TAR-4417");
  });
});

describe("more of what a provider tells", () => {
  it("a failure of its own tool is one", () => {
    const [, failed] = anthropicStep({ name: "web_fetch", input: {} }, "web_fetch_tool_result", {
      type: "web_fetch_tool_result_error",
      error_code: "url_not_accessible",
    }).flatMap((message) => anthropicFormat.view(message).parts);
    expect(failed).toMatchObject({
      ran: { result: { isError: true, text: expect.stringContaining("url_not_accessible") } },
    });
    const [mcp] = openaiResponsesFormat.view({
      type: "mcp_call",
      id: "m",
      name: "find",
      arguments: "{}",
      output: null,
      error: { message: "refused" },
    }).parts;
    expect(mcp).toMatchObject({ ran: { result: { isError: true, text: "refused" } } });
  });

  it("the sources that a text cites are named, in every format", () => {
    const url = "https://port.example/tariff";
    const cited = { type: "url_citation", url, title: "Tariff" };
    const views = [
      openaiResponsesFormat.view({
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "See.", annotations: [cited] }],
      }),
      anthropicFormat.view({
        role: "assistant",
        content: [{ type: "text", text: "See.", citations: [{ url, title: "Tariff", cited_text: "x" }] }],
      }),
      openaiChatFormat.view({
        role: "assistant",
        content: "See.",
        annotations: [{ type: "url_citation", url_citation: { url, title: "Tariff" } }],
      }),
    ];
    for (const { parts } of views)
      expect(parts[1]).toMatchObject({ words: expect.stringContaining(`Tariff (${url})`) });
  });

  it("commands of a shell that the provider offers are commands, each of them", () => {
    const items = [
      { type: "shell_call", call_id: "s", action: { commands: ["npm test", "npm run lint"] } },
      {
        type: "shell_call_output",
        call_id: "s",
        output: [{ stdout: "ok", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      },
    ];
    const inputs = items.map((item, at) => ({
      view: openaiResponsesFormat.view(item),
      source: { step: 1, message: at + 1 },
    }));
    expect(extractFacts(inputs, (text) => text).commands.map(({ command }) => command)).toEqual(["npm test"]);
  });

  it("a file that its editor wrote is a changed file", () => {
    const input = { command: "create", path: "/srv/tariff.ts", file_text: "export const dock = 7;" };
    const done = { type: "text_editor_code_execution_create_result", is_file_update: false };
    const step = anthropicStep(
      { name: "text_editor_code_execution", input },
      "text_editor_code_execution_tool_result",
      done,
    );
    const inputs = step.map((message) => ({ view: anthropicFormat.view(message), source: { step: 1, message: 1 } }));
    expect(extractFacts(inputs, (text) => text).files).toMatchObject([
      { path: "/srv/tariff.ts", operation: "written" },
    ]);
  });
});
