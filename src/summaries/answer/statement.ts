// One statement of an answer: what it says, in which section, which messages it rests on; and what was found wrong with it.
import type { Section } from "../shapes.ts";
import type { Doubt } from "../summarizer.ts";

export interface Statement {
  readonly section: Section;
  /** One line, or several where a fence or a deeper list belongs to it. Without list marker. */
  readonly text: string;
}

/** An answer as it was read, nothing checked. */
export interface ReadAnswer {
  readonly statements: readonly Statement[];
  /** Sections that the answer has, even if only to say that they are empty. */
  readonly titled: ReadonlySet<Section>;
}

export interface CheckedStatement {
  readonly section: Section;
  /** With its citation, or the mark that it has none. */
  readonly text: string;
  readonly ids: readonly string[];
}

export interface CheckedAnswer {
  readonly statements: readonly CheckedStatement[];
  /** What was marked or left out, and why. */
  readonly doubts: readonly Doubt[];
}
