// What a language's cue list looks like, and how its patterns are put together. A cue list decides nothing: kinds do.

/** Patterns are tested on one sentence of at most a few hundred characters. */
export interface RuleCues {
  /** A text without this holds no rule in this language; keeps the others from being tried. */
  readonly gate: RegExp;
  readonly prohibitions: readonly RegExp[];
  readonly demands: readonly RegExp[];
  /**
   * Prohibitions that may hold for one edit only ("don't wrap it"). From a user they count where `lasting` matches
   * too; a system message and a list of rules need no such sign.
   */
  readonly passing?: { readonly prohibitions: readonly RegExp[]; readonly lasting: RegExp };
  /** Weaker demands and prohibitions that count only where a system message makes them. */
  readonly policies: { readonly prohibitions: readonly RegExp[]; readonly demands: readonly RegExp[] };
  /** Looks like a rule and is none: comfort, ability, reports of what happens. */
  readonly exempt: RegExp;
  /** Names a list of rules: "house rules:". */
  readonly heading: RegExp;
  /** An item of such a list that forbids. */
  readonly negatedItem: RegExp;
  /** Takes an earlier rule back without making one. */
  readonly withdrawal: RegExp;
}

/** Tested on the opening of a user's message, anchored to its start. */
export interface ResponseCues {
  readonly approval: RegExp;
  readonly refusal: RegExp;
  readonly correction: RegExp;
}

export interface DecisionCues {
  /** A sentence without this is no decision in this language. */
  readonly gate: RegExp;
  /** Says by itself that a choice was made. */
  readonly choice: RegExp;
  /** The same, where a user says it. */
  readonly userChoice: RegExp;
  /** Announces or reports an action; a choice only with a contrast. */
  readonly intent: RegExp;
  /** Tells of one edit ("I'll update the test to use a map"); a choice only with a contrast and a reason. */
  readonly edit?: RegExp;
  /** Announces a choosing action; a choice with a reason alone. */
  readonly reasoned: RegExp;
  /** Weighs ways; a choice only when doing follows. */
  readonly weighing: RegExp;
  /** Recommends a way, so that a plain approval chooses it. */
  readonly proposal: RegExp;
  /** Guesses, questions put as statements, conditions, faults that are described. */
  readonly doubt: RegExp;
  /** Stands before what was not chosen. */
  readonly alternative: RegExp;
  /** Stands before the reason. */
  readonly rationale: RegExp;
  /** The two stand behind what they mark instead. */
  readonly isMarkedBehind?: true;
}

export interface Language {
  readonly name: string;
  readonly rules: RuleCues;
  readonly responses: ResponseCues;
  readonly decisions: DecisionCues;
}

/** One pattern out of alternatives, without regard to case. */
export function any(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?:${alternatives.join("|")})`, "i");
}

/** The same where whole words are meant. */
export function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![a-zà-ÿœ0-9_])(?:${alternatives.join("|")})(?![a-zà-ÿœ0-9_])`, "i");
}

/** The same at the start of a text. */
export function opening(...alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join("|")})`, "i");
}

/** The same at the start of a sentence or clause; `fillers` may stand before it. */
export function clause(fillers: string, ...alternatives: readonly string[]): RegExp {
  return new RegExp(
    `(?:^|[,;:(.!—–-]\\s{1,3}|\\(|(?<=\\s)(?:${fillers})\\s{1,3})(?:(?:${fillers})[,:]?\\s{1,3}){0,3}(?:${alternatives.join("|")})`,
    "i",
  );
}
