// OpenAI chat completions: one message per role, results in tool messages. Decides where a summary stands there;
// reading and validating, repair and conversion stand beside it.
import { isObject } from "../../text/json-values.ts";
import { contentMappers } from "../content-parts.ts";
import { looksLikeChat } from "../detect-format.ts";
import type { Format, Layers, Placed } from "../format.ts";
import { withField, withoutField } from "../message-marks.ts";
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
  summaryText: chatSummaryText,
  isFiller: () => false,
  ...contentMappers((message, map) => {
    const isResult = message.role === "tool" || message.role === "function";
    const place = { resultOf: isResult ? resultCallId(message) : undefined, textType: "text" };
    return withField(message, "content", map(message.content, place));
  }),
  withoutReasoning: (messages) =>
    messages.map((message) =>
      isObject(message) && "reasoning_content" in message ? withoutField(message, "reasoning_content") : message,
    ),
};

/** The summary is the assistant's, but never the last message: there it would be continued, not read. */
function placeChat({ pinned, summary, recent }: Layers): Placed {
  if (summary === undefined) return { messages: [...pinned, ...recent], summaryIndex: -1 };
  const message = { role: recent.length === 0 ? "user" : "assistant", content: summary };
  return { messages: [...pinned, message, ...recent], summaryIndex: pinned.length };
}

function chatSummaryText(message: unknown): string | undefined {
  if (!isObject(message) || Object.keys(message).length !== 2) return undefined;
  if (message.role !== "assistant" && message.role !== "user") return undefined;
  return typeof message.content === "string" ? message.content : undefined;
}
