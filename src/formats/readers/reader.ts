// What the rest of the product knows about the session files that agents leave on disk. A reader gives the live
// conversation as Anthropic messages and says what it left out. Adding a host is one file that implements `SessionReader`.

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
    | "unsigned_reasoning";
  readonly message: string;
}

export interface SessionRead {
  readonly sessionId: string | undefined;
  /** The model of the last answer. */
  readonly model?: string;
  /** Anthropic messages; calls that never got a result are left open, for `heal`. */
  readonly messages: readonly unknown[];
  readonly notes: readonly ReadNote[];
  /** For each message the 1-based lines of the file it was made from. */
  readonly sources: readonly (readonly number[])[];
}

export interface SessionReader {
  /** As `--format` takes it. */
  readonly name: string;
  /** What a message to the user calls such a file, without an article. */
  readonly title: string;
  /** True when the values of a JSON Lines file are those of such a session. */
  matches(values: readonly unknown[]): boolean;
  /** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
  read(text: string): SessionRead;
}
