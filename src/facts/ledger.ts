// The ledger: hard facts of a conversation, found by code, each with the message it came from, carried from
// round to round. Plain serialisable data; extracting and merging live beside it.

/** Where a fact was seen: compaction step (the archive's transcript number) and 1-based message number in it. */
export interface Source {
  readonly step: number;
  readonly message: number;
}

/** How a source is cited in a summary, and what `archive expand` takes: `1.12`. */
export function cite(source: Source): string {
  return `${source.step}.${source.message}`;
}

export interface UserMessageFact {
  readonly kind: "user_message";
  /** The message's text blocks; one for a plain message. */
  readonly blocks: readonly string[];
  /** `host` for texts in a user message that no person wrote (a host's own earlier summary). */
  readonly author: "user" | "host";
  readonly source: Source;
}

export interface FileFact {
  readonly kind: "file";
  readonly path: string;
  /** The strongest thing done to it: a file that was written stays `written` when it is read again. */
  readonly operation: "read" | "written";
  readonly source: Source;
}

export interface IdentifierFact {
  readonly kind: "identifier";
  readonly form: "url" | "path" | "hash";
  readonly value: string;
  /** Number of messages that name it, over all rounds. */
  readonly mentions: number;
  /** Where it was seen last. */
  readonly source: Source;
}

/** What the assistant reported when it ended a step: the opening of a message without tool calls. */
export interface StatementFact {
  readonly kind: "statement";
  readonly text: string;
  readonly source: Source;
}

export type Fact = UserMessageFact | FileFact | IdentifierFact | StatementFact;

export interface Ledger {
  readonly version: 1;
  readonly userMessages: readonly UserMessageFact[];
  readonly files: readonly FileFact[];
  readonly identifiers: readonly IdentifierFact[];
  readonly statements: readonly StatementFact[];
}

export const EMPTY_LEDGER: Ledger = { version: 1, userMessages: [], files: [], identifiers: [], statements: [] };
