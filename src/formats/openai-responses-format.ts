// OpenAI Responses: a flat list of items, where one assistant step is several of them. Decides where a summary
// stands there; reading, validating and healing live in their folders.
import { mapResponsesAttachments } from "./attachments/responses-attachments.ts";
import type { Format, Layers, Placed } from "./format.ts";
import { healResponses } from "./healing/heal-openai-responses.ts";
import { asArray, isObject } from "./json-shape.ts";
import { looksLikeResponses } from "./looks-like.ts";
import { copyWith, withoutField } from "./protected.ts";
import { validateResponses } from "./validators/openai-responses-validator.ts";
import { isMessageItem, isOutputItem, outputCallId, viewResponsesItem } from "./views/openai-responses-view.ts";
import { mapResultContent } from "./views/shared-parts.ts";

/** The format of OpenAI's Responses endpoint. */
export const openaiResponsesFormat: Format = {
  name: "openai-responses",
  matches: looksLikeResponses,
  view: viewResponsesItem,
  validate: validateResponses,
  heal: healResponses,
  place: placeResponses,
  summaryText: responsesSummaryText,
  isFiller: () => false,
  mapResults: mapResponsesResults,
  mapTexts: mapResponsesTexts,
  mapAttachments: mapResponsesAttachments,
  withoutReasoning: dropReasoningItems,
};

function placeResponses({ pinned, summary, recent }: Layers): Placed {
  if (summary === undefined) return { messages: [...pinned, ...recent], summaryIndex: -1 };
  const [role, type] = recent.length === 0 ? ["user", "input_text"] : ["assistant", "output_text"];
  const message = { type: "message", role, content: [{ type, text: summary }] };
  return { messages: [...pinned, message, ...recent], summaryIndex: pinned.length };
}

function responsesSummaryText(item: unknown): string | undefined {
  if (!isObject(item) || item.type !== "message" || Object.keys(item).length !== 3) return undefined;
  const parts = asArray(item.content);
  const only = parts[0];
  if (parts.length !== 1 || !isObject(only) || Object.keys(only).length !== 2) return undefined;
  const type = item.role === "assistant" ? "output_text" : item.role === "user" ? "input_text" : undefined;
  return only.type === type && typeof only.text === "string" ? only.text : undefined;
}

function mapResponsesResults(item: unknown, shorten: (text: string, callId: string) => string): unknown {
  if (!isObject(item) || !isOutputItem(item)) return item;
  const output = mapResultContent(item.output, (text) => shorten(text, outputCallId(item)));
  return output === item.output ? item : copyWith(item, { output });
}

function mapResponsesTexts(item: unknown, shorten: (text: string) => string): unknown {
  if (!isObject(item) || !isMessageItem(item)) return item;
  const content = mapResultContent(item.content, shorten);
  return content === item.content ? item : copyWith(item, { content });
}

function dropReasoningItems(items: readonly unknown[]): readonly unknown[] {
  let isReasoningGone = false;
  return items.flatMap((item) => {
    if (isObject(item) && item.type === "reasoning") {
      isReasoningGone = true;
      return [];
    }
    const isPartner = isReasoningGone && isObject(item) && item.id !== undefined;
    isReasoningGone = false;
    return [isPartner ? withoutField(item, "id") : item];
  });
}
