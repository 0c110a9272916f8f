// One line that says what to do about a redundant section. "Remove" is said only where nothing would be lost.
import type { HeldReason, Severity } from "../../analysis.ts";

const WHY: Readonly<Record<HeldReason, string>> = {
  says_more: "It holds something that the memory lacks.",
  said_differently: "The memory has its words, but not the same text in one piece under the same headings.",
  has_subsections: "A section below it stays.",
  no_heading_of_its_own: "It is the beginning of the note, which names the rest.",
  scoped: "What stands around it in the note may change what it says.",
  marked: "It is marked to be kept.",
  relative_date: "It names a day by its distance, and only the note tells which day that was.",
  in_use: "The note is still in use.",
};

export function recommend(severity: Severity, isRemovable: boolean, held: HeldReason | undefined): string {
  if (isRemovable) return "REMOVE — fully duplicated. The memory holds all of it.";
  const why = held === undefined ? "The memory holds all of it." : WHY[held];
  return severity === "high"
    ? `REVIEW — nearly duplicated. ${why}`
    : `COMPACT — keep only decisions/action items. ${why}`;
}
