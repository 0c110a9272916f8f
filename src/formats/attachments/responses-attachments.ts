// Where OpenAI Responses items carry attachments: in messages, in outputs, in a screenshot that must stay an image,
// and in pictures that the model itself made.
import type { JsonObject } from "../json-shape.ts";
import { isFilledText, isObject } from "../json-shape.ts";
import { copyWith } from "../protected.ts";
import { isMessageItem, isOutputItem } from "../views/openai-responses-view.ts";
import { type ReplaceAttachment, readAttachment } from "./attachment.ts";
import { BLANK_IMAGE, mapAttachedParts } from "./map-parts.ts";

export function mapResponsesAttachments(item: unknown, replace: ReplaceAttachment): unknown {
  if (!isObject(item)) return item;
  if (isMessageItem(item)) {
    const textType = item.role === "assistant" ? "output_text" : "input_text";
    return withField(item, "content", mapAttachedParts(item.content, textType, false, replace));
  }
  if (isOutputItem(item)) {
    const output = isObject(item.output)
      ? withoutScreenshot(item.output, replace)
      : mapAttachedParts(item.output, "input_text", true, replace);
    return withField(item, "output", output);
  }
  return item.type === "image_generation_call" ? withoutPicture(item, replace) : item;
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

function withField(item: JsonObject, field: string, value: unknown): JsonObject {
  return value === item[field] ? item : copyWith(item, { [field]: value });
}
