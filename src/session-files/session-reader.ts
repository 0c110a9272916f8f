// What the rest of the product knows about the session files that agents leave on disk. A reader gives the live
// conversation as messages of one provider and says what it left out. Adding a host is one file that implements
// `SessionReader`.
import type { ProviderFormat } from "../providers/format.ts";
import type { JsonLineFault } from "../text/json.ts";

export interface ReadNote {
  readonly code:
    | "torn_line"
    | "unreadable_lines"
    /** Several conversations stand in the file, one after another. */
    | "joined_sessions"
    /** Lines that a resumed session copied. */
    | "repeated_lines"
    | "rewound_prompts"
    | "missing_parents"
    | "host_compactions"
    /** Reasoning that no Anthropic message can hold: unsigned, or signed by another provider. */
    | "unsigned_reasoning"
    /** What another provider's list has no place for, when a conversation was converted. */
    | "left_out"
    /** What it says in another way than the list that was converted. */
    | "rewritten";
  readonly message: string;
  /** Of `host_compactions`: how many. */
  readonly count?: number;
}

/** A compaction of the host's own. */
export interface HostCompaction {
  /** Index of the message that has the summary; where none has, of the first behind it, which may not be there. */
  readonly at: number;
  /** As the message says it; "" where the host keeps it sealed. */
  readonly summary: string;
  /** Messages that the model was not shown any more. */
  readonly left: number;
  /** Index of the first message from which on all are shown. */
  readonly start: number;
  /** In the window, where the host tells it. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
}

export interface SessionRead {
  readonly sessionId: string | undefined;
  /** The model of the last answer. */
  readonly model?: string;
  /** Tokens of the model's window, where the host says so. */
  readonly window?: number;
  /** Whose messages these are: the provider's that the host spoke to, where the file says so. Default: Anthropic's. */
  readonly format?: ProviderFormat;
  /** Calls that never got a result are left open, for `heal`. */
  readonly messages: readonly unknown[];
  /** What the file says was sent beside them. */
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly notes: readonly ReadNote[];
  /** In order. Without those that a summary of ours stands for: what left there is not in the file. */
  readonly compactions?: readonly HostCompaction[];
  /** For each message the 1-based lines of the file it was made from; in a file that is one JSON document, empty. */
  readonly sources: readonly (readonly number[])[];
}

/** In the order in which they are asked. Apart from the readers, so that a command's help loads none of them. */
export const READER_NAMES = [
  ...["claude-code", "pi", "codex", "gemini-cli", "opencode", "cline", "swe-agent", "tau-bench"],
  ...["ui-messages", "aider"],
] as const;

/** The text of a session file, or what it was parsed to: one document, or values by their 1-based lines. */
export type SessionText =
  | string
  | { readonly kind: "document"; readonly value: unknown }
  | {
      readonly kind: "lines";
      readonly values: readonly { readonly value: unknown; readonly line: number }[];
      readonly faults: readonly JsonLineFault[];
    };

export interface SessionReader {
  /** As `--format` takes it. */
  readonly name: string;
  /** What a message to the user calls such a file, without an article. */
  readonly title: string;
  /** True when the values of a JSON Lines file, the elements of a JSON array or the one JSON value are those of such a session. */
  matches(values: readonly unknown[]): boolean;
  /** For hosts whose files are no JSON: asked when a text is none. */
  matchesText?(text: string): boolean;
  /** Reads a session file. Never throws: a file without a message gives an empty list. */
  read(from: SessionText): SessionRead;
}
