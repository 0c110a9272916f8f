// OpenAI Responses: a flat list of items, where one assistant step is several of them. Reading and
// validating, repair and conversion stand beside it.
import { isFilledText, isObject, type JsonObject } from "../../text/json-values.ts";
import { BLANK_IMAGE, type ReplaceAttachment, readAttachment } from "../attachments.ts";
import { contentMappers } from "../content-parts.ts";
import { looksLikeResponses } from "../detect-format.ts";
import type { Format, Layers, Placed } from "../format.ts";
import { copyWith, withField, withoutField } from "../message-marks.ts";
import { isFiller, onlyText } from "../place.ts";
import { isMessageItem, isOutputItem, outputCallId, validateResponses, viewResponsesItem } from "./items.ts";
import { repairResponses } from "./repair.ts";

const contents = contentMappers((item, map) => {
  if (isMessageItem(item)) {
    const textType = item.role === "assistant" ? "output_text" : "input_text";
    return withField(item, "content", map(item.content, { resultOf: undefined, textType }));
  }
  if (!isOutputItem(item)) return item;
  return withField(item, "output", map(item.output, { resultOf: outputCallId(item), textType: "input_text" }));
});

/** The format of OpenAI's Responses endpoint. */
export const openaiResponsesFormat: Format = {
  name: "openai-responses",
  matches: looksLikeResponses,
  view: viewResponsesItem,
  validate: validateResponses,
  heal: repairResponses,
  place: placeResponses,
  summaryText: onlyText,
  isFiller,
  ...contents,
  mapAttachments: (item, replace) => {
    if (isObject(item) && isOutputItem(item) && isObject(item.output))
      return withField(item, "output", withoutScreenshot(item.output, replace));
    if (isObject(item) && item.type === "image_generation_call") return withoutPicture(item, replace);
    return contents.mapAttachments(item, replace);
  },
  mapCalls: (item, shorten) => {
    if (!isObject(item)) return item;
    const field = item.type === "function_call" ? "arguments" : item.type === "custom_tool_call" ? "input" : undefined;
    const given = field === undefined ? undefined : item[field];
    return field !== undefined && typeof given === "string"
      ? withField(item, field, shorten(given, field === "arguments"))
      : item;
  },
  withoutReasoning: dropReasoningItems,
};

/** Messages of one role may follow each other here, so nothing has to stand between. */
function placeResponses({ pinned, summary, recent }: Layers): Placed {
  if (summary === undefined) return { messages: [...pinned, ...recent], summaryIndex: -1 };
  const message = { type: "message", role: "user", content: [{ type: "input_text", text: summary }] };
  return { messages: [...pinned, message, ...recent], summaryIndex: pinned.length };
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

/** What a computer call gives back has to be an image. */
function withoutScreenshot(output: JsonObject, replace: ReplaceAttachment): JsonObject {
  const attachment = readAttachment(output, true);
  const isLeft = attachment === undefined || !isFilledText(output.image_url) || replace(attachment) === undefined;
  return isLeft ? output : { ...output, image_url: BLANK_IMAGE };
}

/** The provider knows the picture by the item's id. */
function withoutPicture(item: JsonObject, replace: ReplaceAttachment): JsonObject {
  if (!isFilledText(item.result)) return item;
  const attachment = readAttachment({ type: "image", data: item.result }, true);
  return attachment === undefined || replace(attachment) === undefined ? item : copyWith(item, { result: null });
}
