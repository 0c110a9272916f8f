// Where the tokens of a request are: system, developer, tool schemas, messages. The four always sum to the
// total, because the total is made from them.
import type { MessageView } from "../formats/format.ts";
import { compactJson } from "./compact-json.ts";
import { MESSAGE_OVERHEAD, type MessageCounter } from "./count-messages.ts";
import type { TokenCounter } from "./token-counter.ts";

/** Same keys as the event `compact.token_estimate` carries. */
export interface RequestTokens {
  readonly system: number;
  readonly developer: number;
  readonly tools_schema: number;
  readonly messages: number;
}

export interface RequestParts {
  readonly messages: readonly unknown[];
  readonly views: readonly MessageView[];
  /** The system prompt where it is sent beside the messages: a string, or text blocks. */
  readonly system?: unknown;
  /** Tool definitions as they are sent. */
  readonly tools?: unknown;
}

/** JSON punctuation around one tool definition in the list. */
const TOOL_OVERHEAD = 4;

/** Tokens of tool definitions, as the compact JSON they are sent as. Missing or not a list counts 0 or its JSON. */
export function countTools(tools: unknown, counter: TokenCounter): number {
  if (tools === undefined || tools === null) return 0;
  // Python-like maps of tools are seen in the wild: name -> definition.
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [tools];
  return list.reduce<number>((sum, tool) => sum + TOOL_OVERHEAD + counter.count(compactJson(tool)), 0);
}

/** Tokens of a system prompt beside the messages; blocks without text count as their JSON. */
export function countSystem(system: unknown, counter: TokenCounter): number {
  if (system === undefined || system === null || system === "") return 0;
  const blocks: readonly unknown[] = Array.isArray(system) ? system : [system];
  if (blocks.length === 0) return 0;
  return blocks.reduce<number>((sum, block) => sum + counter.count(blockText(block)), MESSAGE_OVERHEAD);
}

function blockText(block: unknown): string {
  if (typeof block === "string") return block;
  const text = typeof block === "object" && block !== null ? (block as { text?: unknown }).text : undefined;
  return typeof text === "string" ? text : compactJson(block);
}

/** Counts a whole request by component. */
export function countRequest(parts: RequestParts, counter: MessageCounter): RequestTokens {
  const tokens = counter.countEach(parts.messages, parts.views);
  let system = countSystem(parts.system, counter.counter);
  let developer = 0;
  let messages = 0;
  parts.views.forEach(({ role }, index) => {
    const cost = tokens[index] ?? 0;
    if (role === "system") system += cost;
    else if (role === "developer") developer += cost;
    else messages += cost;
  });
  return { system, developer, tools_schema: countTools(parts.tools, counter.counter), messages };
}

export function sumOfRequest(tokens: RequestTokens): number {
  return tokens.system + tokens.developer + tokens.tools_schema + tokens.messages;
}
