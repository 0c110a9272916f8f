// The messages that leave, as quotable passages for a summarizer: redacted, labelled by who speaks, images and
// opaque items by name only.
import type { FactInput } from "../facts/fact-message.ts";
import { cite, type Source } from "../facts/ledger.ts";
import { describeMedia, elideBase64, type Media } from "../providers/attachments.ts";
import type { MessagePart, MessageView } from "../providers/format.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Passage } from "../summaries/summarizer.ts";

export function readPassages(inputs: readonly FactInput[], redact: (text: string) => string): readonly Passage[] {
  return inputs.flatMap(({ view, source }) => {
    // A message may bring a tool's output or a document along: what these say is nobody's own words, nor the other way
    // round. What a tool of the provider's gave back follows its call.
    const isOthers = (part: MessagePart) =>
      view.role === "tool" || part.kind === "result" || holdsWords(part) || (view.role === "user" && isHosts(part));
    const others = view.parts.map((part) => (isOthers(part) ? partText(part) : outcomeText(part)));
    const own = view.parts.map((part) => (isOthers(part) ? "" : partText(part)));
    const speaker = view.role === "assistant" ? "assistant" : "user";
    const said = [passage(source, "tool", others, redact), passage(source, speaker, own, redact)];
    return (speaker === "assistant" ? said.reverse() : said).flat();
  });
}

function passage(
  source: Source,
  speaker: Passage["source"],
  texts: readonly string[],
  redact: (text: string) => string,
): readonly Passage[] {
  const text = texts.filter(Boolean).join("\n");
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
  if (part.kind !== "opaque") return "";
  const { words, ran, type } = part;
  if (ran !== undefined) return ran.call === undefined ? "" : `[calls ${ran.call.name}: ${ran.call.arguments}]`;
  return words ?? `[${type}]`;
}

function outcomeText(part: MessagePart): string {
  return part.kind === "opaque" ? (part.ran?.result?.text ?? "") : "";
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
export function withNamedImages(view: MessageView, message: number, redact: (text: string) => string): MessageView {
  const nameOf = (media: Partial<Media> | undefined) =>
    `[${[describeMedia(media, redact), `message ${message}`].filter((words) => words !== "image").join(", ")}]`;
  return mapParts(view, (part) => {
    if (part.kind === "image") return { kind: "text", text: nameOf(part) };
    // What a document says names it, and is nobody's own words.
    const isNameless = part.kind === "opaque" && part.words === undefined && part.ran === undefined;
    if (isNameless && part.media !== undefined)
      return { kind: "text", text: part.media.map((media) => nameOf(media)).join("\n") };
    if (part.kind !== "result" || part.images + (part.media ?? []).length === 0) return part;
    const { pictures = [], media = [] } = part;
    const images = Array.from({ length: part.images }, (_, index) => nameOf(pictures[index]));
    const names = [...images, ...media.map((one) => nameOf(one))];
    return { ...part, text: [part.text, ...names].filter(Boolean).join("\n") };
  });
}

function mapParts(view: MessageView, map: (part: MessagePart) => MessagePart): MessageView {
  const parts = view.parts.map(map);
  return parts.some((part, index) => part !== view.parts[index]) ? { ...view, parts } : view;
}
