// Puts text in the place of attachments in a list of content parts. Parts that stay are the same objects.
import type { JsonObject } from "../json-shape.ts";
import { isObject } from "../json-shape.ts";
import { type ReplaceAttachment, readAttachment } from "./attachment.ts";

/** One pixel: stands where a provider wants an image and takes no text. */
export const BLANK_IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** `textType` is the type of a text part in this place. The same value when nothing was replaced. */
export function mapAttachedParts(
  content: unknown,
  textType: string,
  isInResult: boolean,
  replace: ReplaceAttachment,
): unknown {
  return mapParts(content, (part) => {
    const attachment = readAttachment(part, isInResult);
    const text = attachment === undefined ? undefined : replace(attachment);
    return text === undefined ? part : { type: textType, text, ...cacheMark(part) };
  });
}

/** A copy of a list with `map` applied to each part; the same value when all came back the same, or when it is no list. */
export function mapParts(content: unknown, map: (part: unknown) => unknown): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content.map(map);
  return parts.some((part, index) => part !== content[index]) ? parts : content;
}

/** Where the caller ends what its provider may cache stays where it was. */
function cacheMark(part: unknown): JsonObject {
  return isObject(part) && part.cache_control !== undefined ? { cache_control: part.cache_control } : {};
}
