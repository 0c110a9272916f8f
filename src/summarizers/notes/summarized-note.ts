// A note as it is summarized, wherever it is kept: in a store of rows, in a file of Markdown.

export interface SummarizedNote {
  /** Whole number, its own among the notes. Of equal facts the one of the higher number counts as newer. */
  readonly id: number;
  /** How the finished text cites it, in brackets: `#12`, `2031-02-03`. */
  readonly label: string;
  /** Empty where it has none. */
  readonly title: string;
  /** The title is made of headings in the text: said with what stands under them, or for it. */
  readonly isTitleOfParts?: boolean;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
}

/**
 * - `record`: a few sentences, as in the rows of a store
 * - `document`: headings and lists. Choices, rules and names get sections of their own, by code; lead-ins and repeats are
 *   no sentences; no note takes the room of the others
 */
export type NoteForm = "record" | "document";

/** What a note says: what is compared, counted and summarized. */
export function noteText({ title, text }: Pick<SummarizedNote, "title" | "text">): string {
  return title.trim() === "" ? text : `${title}\n\n${text}`;
}
