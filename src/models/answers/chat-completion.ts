// Reads the answer of a chat completion as the many servers write it: text as a string or as parts, reasoning beside
// it, finish reasons of several dialects.
import { asArray, isFilledText, type JsonObject } from "../../formats/json-shape.ts";
import { modelFailure } from "../failures/model-failure.ts";
import { asObject } from "../json-object.ts";
import type { FinishReason, ModelAnswer } from "../model.ts";
import { finishFrom, windowFull } from "./finish-reason.ts";
import { readUsage } from "./token-usage.ts";

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  content_filter: "refusal",
  refusal: "refusal",
  tool_calls: "calls",
  function_call: "calls",
};

/**
 * Undefined when the body is no chat completion. Without a choice, the answer is empty.
 * @throws CompactError `MODEL_UNAVAILABLE` where a gateway reports that the model broke off, `MODEL_INPUT_TOO_LONG` where
 * the window was full.
 */
export function readChatCompletion(body: JsonObject): ModelAnswer | undefined {
  if (!Array.isArray(body.choices)) return undefined;
  const choice = asObject(body.choices[0]);
  const message = asObject(choice.message);
  const usage = asObject(body.usage);
  refuseBrokenOff(choice.finish_reason);
  return {
    text: textOf(message.content),
    finish: finishOf(choice.finish_reason, message),
    ...readUsage(usage.prompt_tokens, usage.completion_tokens),
  };
}

function refuseBrokenOff(reason: unknown): void {
  if (reason === "error") {
    throw modelFailure("MODEL_UNAVAILABLE", "The model broke off its answer", { hint: "Try again later." });
  }
  if (reason === "model_length") throw windowFull();
}

/** A refusal or a call counts whatever the server gives as the reason: several say "stop" for both. */
function finishOf(reason: unknown, message: JsonObject): FinishReason {
  const hasRefusalPart = asArray(message.content).some((part) => asObject(part).type === "refusal");
  if (isFilledText(message.refusal) || hasRefusalPart) return "refusal";
  if (asArray(message.tool_calls).length > 0 || isFilledText(asObject(message.function_call).name)) return "calls";
  return finishFrom(FINISH, reason);
}

/** Parts that are not text (thinking, refusals, images) are no answer. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map(asObject)
    .filter(({ type }) => type === "text" || type === "output_text")
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}
