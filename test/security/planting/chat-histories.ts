// Conversations in the messages of each provider with a secret of every kind in every field that holds text: what a
// person types, what tools are given and give back, reasoning, names, ids, and fields that nobody reads.
import type { Plant, Planter } from "./planter.ts";

type Message = Readonly<Record<string, unknown>>;

export interface PlantedConversation {
  readonly messages: readonly Message[];
  readonly system?: unknown;
  readonly tools?: readonly Message[];
}

const FILLER = "The survey of the module went on and its next part was read in turn. ".repeat(12);

/** A value inside JSON inside JSON, as tools print what other tools answered. */
const nested = (text: string) => JSON.stringify({ stdout: JSON.stringify({ env: text }), code: 0 });

export function openaiChat(planter: Planter): PlantedConversation {
  return {
    messages: planter.kinds.flatMap((kind) => chatTurn(planter.plantOf(kind))),
    tools: planter.kinds.map((kind) => {
      const plant = planter.plantOf(kind);
      const field = { type: "string", description: plant("tool schema"), default: plant("default in a tool schema") };
      const parameters = { type: "object", properties: { value: field } };
      return { type: "function", function: { name: "run", description: plant("tool description"), parameters } };
    }),
  };
}

function chatTurn(plant: Plant): readonly Message[] {
  const ids = [plant("call id"), plant("another call id")];
  const call = (index: number, given: string) => ({
    id: ids[index],
    type: "function",
    function: { name: index === 0 ? plant("tool name") : "run", arguments: given },
  });
  return [
    { role: "system", content: plant("system prompt") },
    { role: "developer", content: [{ type: "text", text: plant("developer text part") }] },
    { role: "user", name: plant("user name"), content: plant("user text"), metadata: { trace: plant("metadata") } },
    {
      role: "assistant",
      content: plant("text beside calls"),
      reasoning_content: plant("reasoning"),
      tool_calls: [
        call(0, JSON.stringify({ command: plant("argument"), options: { deep: [plant("argument in depth")] } })),
        call(1, nested(plant("argument in nested JSON"))),
      ],
    },
    { role: "tool", tool_call_id: ids[0], content: plant("tool result") },
    { role: "tool", tool_call_id: ids[1], content: [{ type: "text", text: nested(plant("nested JSON in a result")) }] },
    { role: "assistant", content: `${FILLER}\n${plant("assistant text")}` },
    { role: "user", content: [{ type: "text", text: plant("user text part") }] },
    { role: "assistant", content: [{ type: "text", text: plant("assistant text part") }], refusal: plant("refusal") },
  ];
}

export function openaiResponses(planter: Planter): PlantedConversation {
  return {
    system: planter.kinds.map((kind) => planter.plantOf(kind)("instructions")).join("\n\n"),
    messages: planter.kinds.flatMap((kind, index) => responsesTurn(planter.plantOf(kind), index)),
    tools: planter.kinds.map((kind) => {
      const plant = planter.plantOf(kind);
      const value = { type: "string", enum: [plant("choice in a tool schema")] };
      return { type: "function", name: "run", description: plant("tool description"), parameters: { value } };
    }),
  };
}

function responsesTurn(plant: Plant, index: number): readonly Message[] {
  const [call, custom] = [`call_${index}`, `custom_${index}`];
  return [
    { type: "message", role: "developer", content: plant("developer text") },
    { type: "message", role: "user", content: [{ type: "input_text", text: plant("user text part") }] },
    { type: "reasoning", id: `rs_${index}`, summary: [{ type: "summary_text", text: plant("reasoning summary") }] },
    { type: "function_call", call_id: call, name: plant("tool name"), arguments: nested(plant("nested argument")) },
    { type: "function_call_output", call_id: call, output: nested(plant("nested JSON in a result")) },
    { type: "custom_tool_call", call_id: custom, name: "run", input: plant("input of a custom tool") },
    {
      type: "custom_tool_call_output",
      call_id: custom,
      output: [{ type: "input_text", text: plant("result text part") }],
    },
    { type: "web_search_call", id: `ws_${index}`, status: "completed", action: { query: plant("search query") } },
    {
      type: "message",
      id: `msg_${index}`,
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: `${FILLER}${plant("assistant text")}`,
          annotations: [{ type: "url_citation", url: plant("address in an annotation") }],
        },
      ],
      metadata: { trace: plant("metadata") },
    },
  ];
}

export function anthropic(planter: Planter): PlantedConversation {
  return {
    system: planter.kinds.map((kind) => ({ type: "text", text: planter.plantOf(kind)("system block") })),
    messages: planter.kinds.flatMap((kind, index) => anthropicTurn(planter.plantOf(kind), index)),
    tools: planter.kinds.map((kind) => {
      const plant = planter.plantOf(kind);
      const properties = { value: { type: "string", description: plant("tool schema") } };
      return { name: "run", description: plant("tool description"), input_schema: { type: "object", properties } };
    }),
  };
}

export function anthropicTurn(plant: Plant, index: number): readonly Message[] {
  const [first, second] = [`toolu_${index}a`, `toolu_${index}b`];
  const document = { type: "text", media_type: "text/plain", data: plant("text document") };
  return [
    {
      role: "user",
      content: [
        { type: "text", text: plant("user text part") },
        { type: "document", source: document, title: plant("title of a document"), context: plant("document context") },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: plant("thinking"), signature: "S1==" },
        { type: "text", text: plant("text beside calls") },
        {
          type: "tool_use",
          id: first,
          name: "run",
          input: { command: plant("argument"), deep: [{ value: plant("argument in depth") }] },
        },
        { type: "tool_use", id: second, name: "run", input: { body: nested(plant("nested argument")) } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: first, content: plant("tool result") },
        {
          type: "tool_result",
          tool_use_id: second,
          content: [{ type: "text", text: nested(plant("nested JSON in a result")) }],
          is_error: true,
        },
      ],
    },
    { role: "assistant", content: `${FILLER}\n${plant("assistant text")}` },
    { role: "user", content: plant("user text") },
    {
      role: "assistant",
      content: [{ type: "text", text: plant("assistant text part"), citations: [{ cited_text: plant("citation") }] }],
    },
  ];
}
