// A note as it is told: in parts, each whole in itself, with what it stands under.
import { oneLine } from "../../../facts/ledger-text.ts";
import type { SummarizedNote } from "../summarized-note.ts";
import type { PartKind } from "./heading-kinds.ts";

export interface Part {
  /** Its place in the note. */
  readonly at: number;
  /** What it stands under; empty for what stands under nothing. */
  readonly subject: string;
  readonly kind: PartKind | undefined;
  /** What leads it in, and those beside it: said once. Ends in a colon; or empty. */
  readonly lead: string;
  /** In order: sentences, or items that belong together. */
  readonly sentences: readonly string[];
  /** `; ` between items. */
  readonly glue: " " | "; ";
  /** Stands for lines that are counted, not told. */
  readonly isSum: boolean;
}

export interface ReadDocument {
  readonly note: SummarizedNote;
  readonly parts: readonly Part[];
  /** Lines that are counted only: no sentence of them is a choice or a rule. */
  readonly summed: readonly string[];
}

/** List items end without a mark: one more is needed where they stand in a row. */
const END = /[.!?;:…。！？；：]["'”’)\]*_`」』”）]{0,3}$/u;

export function textOfPart({ sentences, glue }: Pick<Part, "sentences" | "glue">): string {
  return sentences.reduce((text, sentence) => (text === "" ? sentence : `${closed(text, glue)}${sentence}`), "");
}

/** With the mark that parts it from what follows. */
export function closed(text: string, glue: "; " | " " | ". "): string {
  return END.test(text) ? `${text} ` : `${text}${glue === " " ? " " : glue}`;
}

/** What a part stands under, as it is said in front of it; empty where its text says it. */
export function introduction({ subject, lead, sentences }: Part, isSubjectSaid: boolean): string {
  const text = sentences.join(" ").toLowerCase();
  const heading =
    isSubjectSaid || subject === "" || text.includes(subject.toLowerCase()) ? "" : `${oneLine(subject, 70)}: `;
  return `${heading}${lead === "" ? "" : `${lead} `}`;
}
