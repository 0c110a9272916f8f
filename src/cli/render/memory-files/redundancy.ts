// Sections of notes that the memory holds already, for a person: first what can go, then what is alike, each with what is
// new in it. What is only held is summed up by its reason.
import type { CrossFileIssue, HeldReason, MemoryAnalysis, RedundantSection } from "../../../memory-files/analysis.ts";
import type { Colors } from "../../terminal.ts";
import { type Cell, figure, renderTable } from "../table.ts";
import { cutToCells, wrapCells } from "./cells.ts";

const WIDTH = 80;
const MOST_SECTIONS = 6;
const NOTE_CELLS = 17;
const SECTION_CELLS = 17;
const NEW_CELLS = 15;

type Section = RedundantSection | CrossFileIssue;

/** Why a section, or anything else that could go, stays: as a part of a sentence. */
export const HELD_WORDS: Readonly<Record<string, string>> = {
  says_more: "says more",
  said_differently: "said differently",
  has_subsections: "has subsections",
  no_heading_of_its_own: "no own heading",
  scoped: "its surroundings",
  marked: "marked to stay",
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

/** Behind a number, one and many. */
const COUNTED: Readonly<Record<HeldReason | "alike", readonly [string, string]>> = {
  says_more: ["says more", "say more"],
  said_differently: ["says it differently", "say it differently"],
  has_subsections: ["has a section that stays", "have sections that stay"],
  no_heading_of_its_own: ["begins its note", "begin their notes"],
  scoped: ["depends on its surroundings", "depend on their surroundings"],
  marked: ["is marked to stay", "are marked to stay"],
  relative_date: ["names a relative day", "name a relative day"],
  in_use: ["is in use", "are in use"],
  alike: ["is alike only in part", "are alike only in part"],
};

const ALIKE = "alike" as const;

/** Of `differs_in`, within the cells of its column. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  modality: "must, may",
  task: "open task",
  wording: "other wording",
  order: "other order",
};

/** At most one block. */
export function renderRedundancy(analysis: MemoryAnalysis, colors: Colors): readonly string[] {
  const { cross_file_issues, contained_sections, high_severity_count } = analysis;
  const all = [...cross_file_issues, ...contained_sections];
  if (all.length === 0) return [];
  const shown = worthARow(all).slice(0, MOST_SECTIONS);
  const rows = shown.map((section) => [
    cutToCells(section.file.replace(/^memory\//, ""), NOTE_CELLS),
    cutToCells(section.section, SECTION_CELLS),
    section.similarity.toFixed(2),
    `${Math.floor(section.containment * 100)} %`,
    { text: cutToCells(newIn(section), NEW_CELLS), paint: colors.dim },
    verdictOf(section, colors),
  ]);
  const counts = `${figure(cross_file_issues.length)} alike (${figure(high_severity_count)} high), ${figure(contained_sections.length)} contained`;
  const rest = all.filter((section) => !shown.includes(section));
  return [
    [
      `${colors.bold("Sections of notes that the memory already holds")}: ${counts}`,
      ...(rows.length === 0 ? [] : [renderTable(COLUMNS, rows, colors)]),
      ...restLines(rest, rows.length > 0),
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

function worthARow(all: readonly Section[]): readonly Section[] {
  const severityOf = (section: Section) => ("severity" in section ? section.severity : undefined);
  const kept = all.filter(({ removable }) => !removable);
  return [
    ...all.filter(({ removable }) => removable),
    ...kept.filter((section) => severityOf(section) === "high"),
    ...kept.filter((section) => severityOf(section) === "medium"),
  ];
}

function restLines(rest: readonly Section[], isMore: boolean): readonly string[] {
  const more = isMore ? " more" : "";
  const removable = rest.filter((section) => section.removable).length;
  const reasons = rest.filter((section) => !section.removable).map(({ held_because }) => held_because ?? ALIKE);
  const known = [...new Set(reasons)]
    .map((reason) => ({ reason, count: reasons.filter((other) => other === reason).length }))
    .sort((a, b) => b.count - a.count)
    .map(({ reason, count }) => `${figure(count)} ${COUNTED[reason][count === 1 ? 0 : 1]}`);
  return [
    ...(removable === 0 ? [] : [`  ${figure(removable)}${more} can go: --json`]),
    ...(reasons.length === 0
      ? []
      : wrapCells(`${figure(reasons.length)}${more} held for review: ${known.join(", ")}`, WIDTH, "  ")),
  ];
}

/** Tokens that the memory lacks, or else in what it differs, or else why it stays all the same. */
function newIn({ novel_tokens, differs_in, held_because, removable }: RedundantSection): string {
  if (novel_tokens.length > 0) return novel_tokens.join(" ");
  if (removable) return "nothing";
  if (differs_in !== undefined) return DIFFERENCES[differs_in] ?? differs_in;
  return held_because === undefined ? "nothing" : (HELD_WORDS[held_because] ?? held_because);
}

function verdictOf(section: Section, colors: Colors): Cell {
  const isHigh = "severity" in section && section.severity === "high";
  if (section.removable)
    return isHigh ? { text: "REMOVE", paint: colors.red } : { text: "contained", paint: colors.yellow };
  if (!("severity" in section)) return { text: "review", paint: colors.dim };
  return section.severity === "high" ? { text: "REVIEW", paint: colors.yellow } : "COMPACT";
}
