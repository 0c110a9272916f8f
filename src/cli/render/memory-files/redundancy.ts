// Sections of notes that the memory holds already, for a person: how alike, what is new in them, and what that means.
import type { CrossFileIssue, HeldReason, MemoryAnalysis, RedundantSection } from "../../../memory-files/analysis.ts";
import type { Colors } from "../../terminal.ts";
import { type Cell, figure, renderTable } from "../table.ts";
import { andMore } from "./analysis.ts";
import { cutToCells } from "./cells.ts";

const MOST_SECTIONS = 10;
const NOTE_CELLS = 17;
const SECTION_CELLS = 17;
const NEW_CELLS = 15;

/** Why a section, or anything else that could go, stays: as a part of a sentence. */
export const HELD_WORDS: Readonly<Record<string, string>> = {
  says_more: "says more",
  said_differently: "said differently",
  has_subsections: "has subsections",
  no_heading_of_its_own: "no own heading",
  relative_date: "relative date",
  in_use: "in use",
  more_than_half: "more than half",
  not_utf8: "not UTF-8",
  not_beneficial: "would save nothing",
  changed: "changed while it was read",
  undated: "without a date",
  link_target: "linked to from elsewhere",
  joins_the_rest: "would join what stays around it",
  digest_exists: "has a digest already",
} satisfies Record<HeldReason, string> & Record<string, string>;

/** At most one block. */
export function renderRedundancy(analysis: MemoryAnalysis, colors: Colors): readonly string[] {
  const { cross_file_issues, contained_sections, high_severity_count } = analysis;
  const all = [...cross_file_issues, ...contained_sections];
  if (all.length === 0) return [];
  const rows = all
    .slice(0, MOST_SECTIONS)
    .map((section) => [
      cutToCells(section.file.replace(/^memory\//, ""), NOTE_CELLS),
      cutToCells(section.section, SECTION_CELLS),
      section.similarity.toFixed(2),
      `${Math.floor(section.containment * 100)} %`,
      { text: cutToCells(newIn(section), NEW_CELLS), paint: colors.dim },
      verdictOf(section, colors),
    ]);
  const counts = `${figure(cross_file_issues.length)} alike (${figure(high_severity_count)} high), ${figure(contained_sections.length)} contained`;
  return [
    [
      `${colors.bold("Sections of notes that the memory already holds")}: ${counts}`,
      renderTable(COLUMNS, rows, colors),
      ...andMore(all.length - rows.length, "more"),
    ].join("\n"),
  ];
}

const COLUMNS = [
  { title: "note" },
  { title: "section" },
  { title: "alike", isNumber: true },
  { title: "held", isNumber: true },
  { title: "new in it" },
  { title: "verdict" },
];

/** Tokens that the memory lacks, or else why it is held all the same. */
function newIn({ novel_tokens, held_because, removable }: RedundantSection): string {
  if (novel_tokens.length > 0) return novel_tokens.join(" ");
  return removable || held_because === undefined ? "nothing" : (HELD_WORDS[held_because] ?? held_because);
}

function verdictOf(section: RedundantSection | CrossFileIssue, colors: Colors): Cell {
  if (!("severity" in section))
    return section.removable ? { text: "contained", paint: colors.yellow } : { text: "review", paint: colors.dim };
  if (section.removable) return { text: "REMOVE", paint: colors.red };
  return section.severity === "high" ? { text: "REVIEW", paint: colors.yellow } : "COMPACT";
}
