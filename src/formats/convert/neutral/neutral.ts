// A conversation in no provider's words: what all of them can say, so that each format needs one reader and one
// writer. Calls stay in the message that made them, each result is a message of its own.
import type { Conversation, ProviderFormat } from "../conversation.ts";
import type { Losses } from "./losses.ts";

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  /** No person said it, though it stands in a user's message. */
  readonly isHostWritten?: boolean;
}

export interface RefusalPart {
  readonly kind: "refusal";
  readonly text: string;
}

/** An image, a document, sound: by its bytes, by its address, or by the id under which a provider keeps it. */
export interface AttachedPart {
  readonly kind: "attached";
  readonly type: "image" | "document" | "audio";
  /** `image/png`; for sound `wav`; "" when nothing tells. */
  readonly mediaType: string;
  readonly base64?: string;
  readonly url?: string;
  readonly file?: { readonly id: string; readonly owner: "openai" | "anthropic" };
  readonly name?: string;
  /** OpenAI's choice of how closely an image is looked at. */
  readonly detail?: unknown;
}

export interface CallPart {
  readonly kind: "call";
  readonly callId: string;
  readonly name: string;
  /** JSON of the arguments as it was written; the input itself of a custom call. */
  readonly input: string;
  /** Takes free text instead of JSON. */
  readonly isCustom: boolean;
}

export type ContentPart = TextPart | RefusalPart | AttachedPart;

export interface Content<Part = ContentPart> {
  readonly parts: readonly Part[];
  /** It was a string, not a list of parts. */
  readonly isPlain: boolean;
}

interface FromNative {
  /** The messages it was made from: marks and `meta` come from them. */
  readonly sources: readonly unknown[];
}

export interface SaidMessage extends Content<ContentPart | CallPart>, FromNative {
  readonly kind: "said";
  readonly role: "system" | "developer" | "user" | "assistant";
  readonly name?: string;
  readonly isHostWritten?: boolean;
  /** It stands for earlier history: the copy is marked as protected. */
  readonly mustStay?: boolean;
}

export interface ResultMessage extends Content, FromNative {
  readonly kind: "result";
  readonly callId: string;
  readonly isError: boolean;
  /** Answers a custom call. */
  readonly isCustom: boolean;
}

export type NeutralMessage = SaidMessage | ResultMessage;

export type NeutralTool =
  | {
      readonly kind: "function";
      readonly name: string;
      readonly description?: string;
      readonly schema?: unknown;
      readonly strict?: boolean;
    }
  | {
      readonly kind: "custom";
      readonly name: string;
      readonly description?: string;
      /** The grammar its input has to follow. */
      readonly grammar?: unknown;
    };

export interface NeutralConversation {
  readonly system: Content | undefined;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[] | undefined;
}

/** What a provider asks of the id of a call, or the name of a tool. */
export interface NameRule {
  readonly longest: number;
  /** Letters, digits, `_` and `-` are legal everywhere. */
  readonly hasOtherCharacters: boolean;
}

export interface CallIdRule extends NameRule {
  /** An id may come again once its call was answered. */
  readonly mayRepeat: boolean;
}

export type ReadFormat = (conversation: Conversation, losses: Losses) => NeutralConversation;

export interface WriteFormat {
  readonly callIds: CallIdRule;
  readonly toolNames: NameRule;
  /** Takes a conversation whose results stand directly after their calls, under ids and names that are legal here. */
  write(conversation: NeutralConversation, losses: Losses): Omit<Conversation, "format">;
}

/** Adding a format is a reader and a writer here. */
export type FormatTable<Side> = Readonly<Record<ProviderFormat, Side>>;

export function callsOf(message: NeutralMessage): readonly CallPart[] {
  return message.kind === "said" ? message.parts.filter((part) => part.kind === "call") : [];
}
