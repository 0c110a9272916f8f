// What the rest of the product knows about a provider's message list. A format reads native messages into
// views, never changes them, and knows where its provider lets a summary stand. Adding a provider is one
// file that implements `Format`.
import type { Media, Picture, ReplaceAttachment } from "./attachments.ts";

export type MessageRole = "system" | "developer" | "user" | "assistant" | "tool";

export type { Media, Picture };

/** One piece of a native message, as far as counting, facts and grouping need it. */
export type MessagePart =
  /** `isHostWritten`: in a user message, but no person wrote it. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly isHostWritten?: boolean;
      /** The model declined. */
      readonly isRefusal?: boolean;
    }
  /**
   * Reasoning. `sealedLength` is the length of its encrypted form (a signature, `encrypted_content`), in base64
   * characters: only the provider can read that, so it is sized, never counted as text.
   */
  | { readonly kind: "thinking"; readonly text: string; readonly sealedLength: number }
  | {
      readonly kind: "call";
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
      /** Of the provider's own program that made the call. */
      readonly callerId?: string;
    }
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly text: string;
      /** The texts that it came in, where there are several. */
      readonly pieces?: readonly string[];
      readonly isError: boolean;
      readonly images: number;
      /** What is known of these images, in order. */
      readonly pictures?: readonly Picture[];
      /** Of what came with it encrypted: as for an opaque part. */
      readonly sealedLength?: number;
      /** Documents and sound that came with it. */
      readonly media?: readonly Media[];
      /** Names of the tools that can be called since. */
      readonly loads?: readonly string[];
    }
  | ({ readonly kind: "image" } & Picture)
  /** Server tools, compaction items, files, kinds nobody knows yet: counted as their JSON. */
  | {
      readonly kind: "opaque";
      readonly type: string;
      readonly text: string;
      readonly sealedLength: number;
      /** What is attached in it. */
      readonly media?: readonly Media[];
      /** What a document says that came as text: somebody handed it over, and nobody here said it. */
      readonly words?: string;
      /** What a tool did that the provider ran itself. */
      readonly ran?: ProviderStep;
    };

/** A call that the provider made and answered itself, or one half of it where the halves stand apart. */
export interface ProviderStep {
  readonly call?: { readonly callId: string; readonly name: string; readonly arguments: string };
  readonly result?: {
    readonly callId: string;
    readonly text: string;
    readonly isError: boolean;
    /** The text in the pieces in which it came, where there were several. */
    readonly pieces?: readonly string[];
    readonly loads?: readonly string[];
  };
}

/** One native message, read once. Same index as the native message it was read from. */
export interface MessageView {
  readonly role: MessageRole;
  readonly parts: readonly MessagePart[];
  /** `meta.protected === true` on the native message. */
  readonly isProtected: boolean;
  /** Holds something only its provider can read and that stands for earlier history: it must never leave. */
  readonly isIrreplaceable: boolean;
  /** Belongs to whatever item comes next (Responses reasoning items). */
  readonly joinsNext: boolean;
  /**
   * One item of an assistant step that the provider splits into several (Responses): it leaves together with
   * the assistant items beside it when the step makes a call. Absent where a step is one message.
   */
  readonly joinsStep?: boolean;
  /** In a user's place, but written by a host program or by `heal`: no person said it, it starts no turn. */
  readonly isHostWritten?: boolean;
}

export interface ValidateOptions {
  /** Accept a list that ends in calls still waiting for results: not sendable yet, but what a caller may hold. */
  readonly allowOpenTail?: boolean;
}

/** A fault for which the provider would refuse the list. `index` is the native message's. */
export interface Violation {
  readonly index: number;
  readonly rule: string;
  readonly message: string;
}

/** What `heal` did to a damaged list, so that the report can say so. `index` is that of the input list. */
export interface Repair {
  readonly index: number;
  readonly kind:
    | "orphan_result"
    | "dead_call"
    | "duplicate_result"
    | "displaced_result"
    /** Two calls under one id: the later one and its result got an id of their own. */
    | "duplicate_call"
    /** Reasoning whose item is gone; the provider refuses it alone. */
    | "orphan_reasoning"
    | "empty_message"
    /** A message or a part of a shape the provider refuses: kept as a note, or its broken part left out. */
    | "invalid_message"
    | "invalid_text";
  readonly callId?: string;
  readonly action: string;
}

export interface Healed {
  /** The same objects where nothing was wrong; the same array when nothing at all was. */
  readonly messages: readonly unknown[];
  readonly repairs: readonly Repair[];
}

export interface Layers {
  readonly pinned: readonly unknown[];
  /** Absent when there is no summary text to insert. */
  readonly summary?: string;
  readonly recent: readonly unknown[];
  /**
   * Positions in `recent` before which messages were removed. Given, a provider whose roles alternate gets a filler
   * where a gap or the border of a layer would leave two of one role beside each other.
   */
  readonly gaps?: ReadonlySet<number>;
  /** The same in `pinned`. */
  readonly pinnedGaps?: ReadonlySet<number>;
}

export interface Placed {
  readonly messages: readonly unknown[];
  /** Index of the summary message in `messages`; -1 without one. */
  readonly summaryIndex: number;
}

export interface Format {
  readonly name: string;
  /** Does this list of native messages look like ours? An empty list matches nothing. */
  matches(messages: readonly unknown[]): boolean;
  /** Never throws: an unreadable message becomes an opaque part. */
  view(message: unknown): MessageView;
  /** Every fault the provider would refuse; empty for a valid list. Strict: the oracle of all property tests. */
  validate(messages: readonly unknown[], options?: ValidateOptions): readonly Violation[];
  /**
   * Makes a damaged list valid (but for calls still in flight at its end): orphans become labelled notes, dead
   * calls get a synthetic result. Never throws.
   */
  heal(messages: readonly unknown[]): Healed;
  /**
   * Puts the layers in order, the summary as a user's message between them. Where roles have to alternate, fillers stand
   * between it, or what left, and a neighbour of the same role; kept messages are never merged.
   */
  place(layers: Layers): Placed;
  /** Text of a message that `place` made as the summary, else undefined. The inverse of `place` for one message. */
  summaryText(message: unknown): string | undefined;
  /** A message made by `place` to make room (an opener, a line behind the summary, a filler in a gap): the next compaction drops it. */
  isFiller(message: unknown): boolean;
  /** A copy with each tool result's text replaced by what `shorten` gives for it; ids and pairing stay. Same object when nothing changed. */
  mapResults(message: unknown, shorten: (text: string, callId: string) => string): unknown;
  /**
   * A copy with the arguments of each call replaced, as the JSON or the text that the tool takes; ids and pairing stay. Same
   * object when nothing changed. A format without it never has arguments shortened.
   */
  mapCalls?(message: unknown, shorten: (input: string, isJson: boolean) => string): unknown;
  /** A copy with each text of what was said replaced, results left alone. Same object when nothing changed. */
  mapTexts(message: unknown, shorten: (text: string) => string): unknown;
  /**
   * A copy with each attachment (image, document, sound) for which `replace` gives a text replaced by it; where the
   * provider takes no text there, by an empty image. In the order of the message; same object when nothing changed.
   */
  mapAttachments(message: unknown, replace: ReplaceAttachment): unknown;
  /**
   * The list without reasoning: changed messages are copies, and an item whose reasoning went loses the id that the
   * provider would match against it. Only for finished turns: in a running one the provider asks for its reasoning; where some
   * server of the format asks for it beside every call, it stays there.
   */
  withoutReasoning(messages: readonly unknown[]): readonly unknown[];
}

// A conversation of one provider, as conversion takes and gives it: the list and what is sent beside it.

/** In the order in which they are asked: of a list that fits several it is the first. */
export const PROVIDER_FORMATS = ["openai-chat", "openai-responses", "anthropic"] as const;

export type ProviderFormat = (typeof PROVIDER_FORMATS)[number];

export interface Conversation {
  readonly format: ProviderFormat;
  readonly messages: readonly unknown[];
  /** Beside the messages: Anthropic's `system`, Responses' `instructions`. */
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
}
