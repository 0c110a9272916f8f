// What may be read from a message by whoever looks for facts or writes a summary: no binary content, and images by
// what they are.
import { elideBase64 } from "../../formats/attachments/base64-runs.ts";
import type { MessagePart, MessageView, Picture } from "../../formats/format.ts";

/** The view with base64 that stands in its texts taken out. */
export function withoutBinary(view: MessageView): MessageView {
  return mapParts(view, (part) => {
    if (part.kind === "call") {
      const given = elideBase64(part.arguments);
      return given === part.arguments ? part : { ...part, arguments: given };
    }
    if (!("text" in part)) return part;
    const text = elideBase64(part.text);
    return text === part.text ? part : { ...part, text };
  });
}

/** The view with each image as the text that names it; `message` is its number. */
export function withNamedImages(view: MessageView, message: number): MessageView {
  return mapParts(view, (part) => {
    if (part.kind === "image") return { kind: "text", text: nameOf(part, message) };
    if (part.kind !== "result" || part.images === 0) return part;
    const pictures = part.pictures ?? [];
    const names = Array.from({ length: part.images }, (_, index) => nameOf(pictures[index], message));
    return { ...part, text: [part.text, ...names].filter(Boolean).join("\n") };
  });
}

function nameOf(picture: Picture | undefined, message: number): string {
  const { mediaType = "", width, height } = picture ?? {};
  const encoding = mediaType.slice(mediaType.lastIndexOf("/") + 1);
  const details = [
    ...(encoding === "unknown" ? [] : [encoding]),
    ...(width === undefined ? [] : [`${width}x${height}`]),
  ];
  return `[image: ${[details.join(" "), `message ${message}`].filter(Boolean).join(", ")}]`;
}

function mapParts(view: MessageView, map: (part: MessagePart) => MessagePart): MessageView {
  const parts = view.parts.map(map);
  return parts.some((part, index) => part !== view.parts[index]) ? { ...view, parts } : view;
}
