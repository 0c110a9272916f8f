// Reads an answer of Anthropic's Messages: text blocks only, the reason it stopped, and usage with cached tokens.
import { asArray, asText, type JsonObject } from "../../formats/json-shape.ts";
import { asObject } from "../json-object.ts";
import type { FinishReason, ModelAnswer } from "../model.ts";
import { finishFrom, windowFull } from "./finish-reason.ts";
import { isCount, readUsage } from "./token-usage.ts";

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  refusal: "refusal",
  tool_use: "calls",
};

/**
 * Undefined when the body is no message.
 * @throws CompactError `MODEL_INPUT_TOO_LONG` where the window was full before the answer was complete.
 */
export function readAnthropicMessage(body: JsonObject): ModelAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  if (body.stop_reason === "model_context_window_exceeded") throw windowFull();
  const blocks = asArray(body.content).map(asObject);
  const usage = asObject(body.usage);
  return {
    text: blocks.map(({ type, text }) => (type === "text" ? asText(text) : "")).join(""),
    finish: finishFrom(FINISH, body.stop_reason),
    ...readUsage(inputTokensOf(usage), usage.output_tokens),
  };
}

/** What the cache wrote or read was input as well; it is reported beside `input_tokens`, not in it. */
function inputTokensOf(usage: JsonObject): unknown {
  const { input_tokens: input } = usage;
  if (!isCount(input)) return undefined;
  const cached = [usage.cache_creation_input_tokens, usage.cache_read_input_tokens].filter(isCount);
  return cached.reduce((sum, tokens) => sum + tokens, input);
}
