// OpenAI chat completions: one message per role, results in tool messages. Reading and
// validating, repair and conversion stand beside it.
import { isObject } from "../../text/json-values.ts";
import { contentMappers, mapParts } from "../content-parts.ts";
import { looksLikeChat } from "../detect-format.ts";
import type { Format, Layers, MessagePart, Placed } from "../format.ts";
import { withField, withoutField } from "../message-marks.ts";
import { isFiller, onlyText, placeAlternating } from "../place.ts";
import { resultCallId, validateChat, viewChatMessage } from "./messages.ts";
import { repairChat } from "./repair.ts";

/** The format of OpenAI's chat endpoint and of the many that copy it. */
export const openaiChatFormat: Format = {
  name: "openai-chat",
  matches: looksLikeChat,
  view: viewChatMessage,
  validate: validateChat,
  heal: repairChat,
  place: placeChat,
  summaryText: onlyText,
  isFiller,
  ...contentMappers((message, map) => {
    const isResult = message.role === "tool" || message.role === "function";
    const place = { resultOf: isResult ? resultCallId(message) : undefined, textType: "text" };
    return withField(message, "content", map(message.content, place));
  }),
  mapCalls: (message, shorten) =>
    isObject(message) && Array.isArray(message.tool_calls)
      ? withField(
          message,
          "tool_calls",
          mapParts(message.tool_calls, (call) => mapCall(call, shorten)),
        )
      : message,
  withoutReasoning: (messages) =>
    messages.map((message) =>
      isObject(message) && "reasoning_content" in message && viewChatMessage(message).parts.every(isNoCall)
        ? withoutField(message, "reasoning_content")
        : message,
    ),
};

/** Beside calls some providers ask for their reasoning, however old. */
function isNoCall({ kind }: MessagePart): boolean {
  return kind !== "call";
}

function placeChat(layers: Layers): Placed {
  const say = (role: string, content: string) => ({ role, content });
  return placeAlternating(layers, { say, mayOpen: () => layers.summary === undefined });
}

function mapCall(call: unknown, shorten: (input: string, isJson: boolean) => string): unknown {
  if (!isObject(call)) return call;
  const { function: called, custom } = call;
  if (isObject(called) && typeof called.arguments === "string")
    return withField(call, "function", withField(called, "arguments", shorten(called.arguments, true)));
  return isObject(custom) && typeof custom.input === "string"
    ? withField(call, "custom", withField(custom, "input", shorten(custom.input, false)))
    : call;
}
