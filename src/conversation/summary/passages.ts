// The messages that leave, as quotable passages for a summarizer: redacted, labelled by who speaks, images and
// opaque items by name only.
import type { FactInput } from "../../facts/fact-message.ts";
import { cite } from "../../facts/ledger.ts";
import type { MessagePart } from "../../formats/format.ts";
import type { Redactor } from "../../redaction/redacted.ts";
import type { Passage } from "../../summarizers/summarizer.ts";

export function readPassages(inputs: readonly FactInput[], redact: (text: string) => string): readonly Passage[] {
  return inputs.flatMap(({ view, source }) => {
    const text = view.parts.map(partText).filter(Boolean).join("\n");
    if (text === "") return [];
    const carriesResults = view.parts.some((part) => part.kind === "result");
    const speaker = view.role === "tool" || carriesResults ? "tool" : view.role === "assistant" ? "assistant" : "user";
    return [{ id: cite(source), source: speaker, text: redact(text) } as const];
  });
}

function partText(part: MessagePart): string {
  if (part.kind === "text" || part.kind === "result") return part.text;
  if (part.kind === "call") return `[calls ${part.name}: ${part.arguments}]`;
  if (part.kind === "image") return `[image: ${part.mediaType}${part.width ? ` ${part.width}x${part.height}` : ""}]`;
  return part.kind === "opaque" ? `[${part.type}]` : "";
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
