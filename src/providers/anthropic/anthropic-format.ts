// Anthropic messages: user and assistant in turn and the system's between them, results in user messages, signed
// thinking. Reading and validating, repair and conversion stand beside it.
import { asArray, asText, isObject, type JsonObject } from "../../text/json-values.ts";
import { type ContentPlace, contentMappers, mapParts } from "../content-parts.ts";
import { looksLikeAnthropic } from "../detect-format.ts";
import type { Format } from "../format.ts";
import { copyWith, withField } from "../message-marks.ts";
import { isFiller, onlyText, placeAlternating } from "../place.ts";
import { anthropicMessage, isCall, isResult, isThinking, validateAnthropic, viewAnthropicMessage } from "./messages.ts";
import { repairAnthropic } from "./repair.ts";
import { settleSystem } from "./system-messages.ts";

/** The format of Anthropic's messages endpoint. */
export const anthropicFormat: Format = {
  name: "anthropic",
  matches: looksLikeAnthropic,
  view: viewAnthropicMessage,
  validate: validateAnthropic,
  heal: repairAnthropic,
  place: (layers) => {
    const placed = placeAlternating(layers, { say: anthropicMessage, mayOpen: opensWithCompaction });
    const messages = settleSystem(placed.messages);
    return { messages, summaryIndex: messages.indexOf(placed.messages[placed.summaryIndex]) };
  },
  summaryText: onlyText,
  isFiller,
  ...contentMappers(mapContents),
  mapCalls: (message, shorten) =>
    isObject(message) && message.role === "assistant"
      ? withField(
          message,
          "content",
          mapParts(message.content, (block) => mapInput(block, shorten)),
        )
      : message,
  withoutReasoning: (messages) => messages.flatMap(dropThinking),
};

/** A compaction block may open the list: the provider ignores what stands before one. */
function opensWithCompaction(message: unknown): boolean {
  const block = isObject(message) ? asArray(message.content)[0] : undefined;
  return isObject(block) && block.type === "compaction";
}

function mapContents(message: JsonObject, map: (content: unknown, place: ContentPlace) => unknown): unknown {
  const inResults = mapParts(message.role === "user" ? message.content : undefined, (block) =>
    isResult(block)
      ? withField(block, "content", map(block.content, { resultOf: asText(block.tool_use_id), textType: "text" }))
      : block,
  );
  const content = map(inResults ?? message.content, { resultOf: undefined, textType: "text" });
  return withField(message, "content", content);
}

function mapInput(block: unknown, shorten: (input: string, isJson: boolean) => string): unknown {
  if (!isObject(block) || block.type !== "tool_use" || !isObject(block.input)) return block;
  const input = JSON.stringify(block.input);
  const shorter = shorten(input, true);
  return shorter === input ? block : withField(block, "input", JSON.parse(shorter));
}

function dropThinking(message: unknown): readonly unknown[] {
  if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return [message];
  // Beside calls some servers of this format ask for their thinking, however old.
  if (!message.content.some(isThinking) || message.content.some(isCall)) return [message];
  const content = message.content.filter((block: unknown) => !isThinking(block));
  return content.length === 0 ? [] : [copyWith(message, { content })];
}
