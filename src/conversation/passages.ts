// The messages that leave, as quotable passages for a summarizer: redacted, labelled by who speaks, images and
// opaque items by name only.
import type { FactInput } from "../facts/fact-message.ts";
import { cite, type Source } from "../facts/ledger.ts";
import { elideBase64 } from "../providers/attachments.ts";
import type { MessagePart, MessageView, Picture } from "../providers/format.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Passage } from "../summaries/summarizer.ts";

export function readPassages(inputs: readonly FactInput[], redact: (text: string) => string): readonly Passage[] {
  return inputs.flatMap(({ view, source }) => {
    // A user's message may bring a tool's output or a document along: what these say is not the user's, nor the other way
    // round.
    const isOthers = (part: MessagePart) =>
      view.role === "tool" || part.kind === "result" || holdsWords(part) || (view.role === "user" && isHosts(part));
    const speaker = view.role === "assistant" ? "assistant" : "user";
    return [
      ...passage(source, "tool", view.parts.filter(isOthers), redact),
      ...passage(
        source,
        speaker,
        view.parts.filter((part) => !isOthers(part)),
        redact,
      ),
    ];
  });
}

function passage(
  source: Source,
  speaker: Passage["source"],
  parts: readonly MessagePart[],
  redact: (text: string) => string,
): readonly Passage[] {
  const text = parts.map(partText).filter(Boolean).join("\n");
  return text === "" ? [] : [{ id: cite(source), source: speaker, text: redact(text) }];
}

function holdsWords(part: MessagePart): boolean {
  return part.kind === "opaque" && part.words !== undefined;
}

function isHosts(part: MessagePart): boolean {
  return part.kind === "text" && part.isHostWritten === true;
}

function partText(part: MessagePart): string {
  if (part.kind === "text" || part.kind === "result") return part.text;
  if (part.kind === "call") return `[calls ${part.name}: ${part.arguments}]`;
  if (part.kind === "image") return `[image: ${part.mediaType}${part.width ? ` ${part.width}x${part.height}` : ""}]`;
  return part.kind === "opaque" ? (part.words ?? `[${part.type}]`) : "";
}

/** Redacts a text once: facts and passages ask for the same ones. */
export function rememberRedactions(redactor: Redactor): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const redacted: string = redactor.text(text);
    known.set(text, redacted);
    return redacted;
  };
}

// What may be read from a message by whoever looks for facts or writes a summary: no binary content, and images by
// what they are.

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
