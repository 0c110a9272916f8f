// The shape of one requirement: what has to hold, where it was asked for, and whether a test shows it.

export type RequirementStatus = "planned" | "proved";

export interface Requirement {
  /** A part prefix and a slug in words, cited by tests through `verifies`. */
  readonly id: string;
  /** Part and section in words, as a reader would say it. */
  readonly source: string;
  /** What a user sees when it holds, in one line. */
  readonly behaviour: string;
  /** Of a fault that was found in use: its kind as it was understood. */
  readonly kind?: string;
  /** What else of the kind was found. */
  readonly sisters?: string;
  /** "proved" means that at least one test cites the id. */
  readonly status: RequirementStatus;
}

/** One list of requirements, as the reference page shows it. */
export interface RequirementPart {
  readonly title: string;
  /** File beside this one that holds the list. */
  readonly file: string;
  readonly requirements: readonly Requirement[];
}
