// A conversation that was read, in the format that was asked for. What is sent beside it comes along; it is no slice
// of its file any more.
import { convertConversation, type ProviderFormat } from "../../formats/convert/convert-conversation.ts";
import type { ReadNote } from "../../formats/readers/reader.ts";
import { FORMATS } from "../../from-config/formats.ts";
import type { ConversationSource } from "./conversation-source.ts";

export interface ConvertedSource extends ConversationSource {
  /** What the conversion left out, or says in another way. */
  readonly losses: readonly ReadNote[];
}

/** `to` is the name of a format; undefined leaves the source as it is. */
export function convertSource(source: ConversationSource, to: string | undefined): ConvertedSource {
  const format = FORMATS.find(({ name }) => name === to) ?? source.format;
  if (format === source.format) return { ...withSystemInside(source), losses: [] };
  const { messages, system, tools, ...rest } = source;
  const { notes, ...converted } = convertConversation(
    {
      format: source.format.name as ProviderFormat,
      messages,
      ...(system === undefined ? {} : { system }),
      ...(tools === undefined ? {} : { tools }),
    },
    format.name as ProviderFormat,
  );
  return { ...rest, ...converted, format, layout: undefined, losses: notes };
}

/** Session files are written as Anthropic messages where nobody says otherwise. */
export function nativeTarget({ readAs, format }: ConversationSource): string | undefined {
  return readAs === format.name ? undefined : "anthropic";
}

/** Chat has no place beside its messages: what a session file says was sent there is the first of them. */
function withSystemInside(source: ConversationSource): ConversationSource {
  const { system, ...rest } = source;
  const isBeside = system !== undefined && source.format.name === "openai-chat" && source.layout === undefined;
  return isBeside ? { ...rest, messages: [{ role: "system", content: system }, ...source.messages] } : source;
}
