// One way to say a value: an expression whose groups are the key and the value, and the cues without which no sentence is
// searched for it.

export interface Phrase {
  /** A sentence with none of these is not searched: looking for a string is far cheaper. */
  readonly cues: readonly string[];
  /** Compiled when it is first used: all of them together would take a turn's worth of time at the start. */
  readonly expression: RegExp;
  /** The cue is so plain that any word is a value: "set the log level to debug". */
  readonly isPlain?: boolean;
  /** The cue is so common that only a number or a switch is a value: "move both to `paths`" states none. */
  readonly isNumeric?: boolean;
  /** The value stands before the key. */
  readonly isReversed?: boolean;
  /** Counts only where a person says it: "we run 12 crawlers". */
  readonly isUsers?: boolean;
}

type PhraseOptions = Pick<Phrase, "isPlain" | "isNumeric" | "isReversed" | "isUsers">;

/** `cues` parted by "|". */
export function phrase(
  cues: string,
  source: string,
  options: PhraseOptions & { readonly flags?: string } = {},
): Phrase {
  const { flags = "giu", ...rest } = options;
  let expression: RegExp | undefined;
  return {
    cues: cues.split("|"),
    get expression() {
      expression ??= new RegExp(source, flags);
      return expression;
    },
    ...rest,
  };
}
