// Every step, mode and condition of the memory-files part.
// `status` is kept by `npm run requirements -- --update`; everything else is written by hand.
import type { Requirement } from "./requirement.ts";

export const memoryFiles: readonly Requirement[] = [
  {
    id: "memory-files/size-trigger",
    source: "memory-files spec, Trigger Conditions",
    behaviour: "MEMORY.md above the size limit calls for compaction.",
    status: "proved",
  },
  {
    id: "memory-files/default-size-limits",
    source: "memory-files spec, Trigger Conditions",
    behaviour: "The limit is 5 KB on the command line unless given.",
    status: "proved",
  },
  {
    id: "memory-files/batch-run-skips-compaction",
    source: "memory-files spec, Trigger Conditions",
    behaviour: "A scheduled batch with skip_compact changes nothing by itself.",
    status: "proved",
  },
  {
    id: "memory-files/size-report",
    source: "memory-files spec, Compaction Flow, Size Report",
    behaviour: "The report gives bytes, characters and the specified token estimate.",
    status: "proved",
  },
  {
    id: "memory-files/section-token-analysis",
    source: "memory-files spec, Compaction Flow, Section Token Analysis",
    behaviour: "The file is split at headings and each section is counted by itself.",
    status: "proved",
  },
  {
    id: "memory-files/section-bloat-mark",
    source: "memory-files spec, Compaction Flow, Section Token Analysis",
    behaviour: "A section above 500 tokens is marked as bloated.",
    status: "proved",
  },
  {
    id: "memory-files/section-analysis-shape",
    source: "memory-files spec, Compaction Flow, Section Token Analysis",
    behaviour: "Each section is reported with heading, lines, tokens and preview.",
    status: "proved",
  },
  {
    id: "memory-files/cross-file-redundancy",
    source: "memory-files spec, Compaction Flow, Cross-File Redundancy Detection",
    behaviour: "MEMORY.md is compared by section with the dated notes.",
    status: "proved",
  },
  {
    id: "memory-files/redundancy-severity",
    source: "memory-files spec, Compaction Flow, Cross-File Redundancy Detection",
    behaviour: "Above 0.7 similarity is high and asks for removal, 0.5 to 0.7 is medium and asks for compaction.",
    status: "proved",
  },
  {
    id: "memory-files/redundancy-condition",
    source: "memory-files spec, Compaction Flow, Cross-File Redundancy Detection",
    behaviour: "A redundancy needs more than five shared tokens and more than 0.5 similarity.",
    status: "proved",
  },
  {
    id: "memory-files/internal-duplicates",
    source: "memory-files spec, Compaction Flow, Internal Redundancy Detection",
    behaviour: "Repeated lines of more than ten characters are found without regard to case and shown once each.",
    status: "proved",
  },
  {
    id: "memory-files/daily-note-bloat",
    source: "memory-files spec, Compaction Flow, Daily Notes Bloat Detection",
    behaviour: "A daily note above 8 KB is marked.",
    status: "proved",
  },
  {
    id: "memory-files/daily-note-rotation-limit",
    source: "memory-files spec, Compaction Flow, Daily Notes Bloat Detection",
    behaviour: "A daily note above 30 KB is due for rotation.",
    status: "proved",
  },
  {
    id: "memory-files/normal-mode-analyses-only",
    source: "memory-files spec, Aggressive Mode",
    behaviour: "Normal mode reports and modifies nothing by itself.",
    status: "proved",
  },
  {
    id: "memory-files/aggressive-mode-dedup",
    source: "memory-files spec, Aggressive Mode",
    behaviour: "Aggressive mode removes duplicate lines of MEMORY.md and collapses blank runs.",
    status: "proved",
  },
  {
    id: "memory-files/aggressive-mode-rotates",
    source: "memory-files spec, Aggressive Mode",
    behaviour: "Aggressive mode rotates notes above the rotation limit.",
    status: "proved",
  },
  {
    id: "memory-files/automatic-removes-high-only",
    source: "memory-files spec, Aggressive Mode",
    behaviour: "Automatic removal touches high-severity redundancy only, in either mode.",
    status: "proved",
  },
  {
    id: "memory-files/aggressive-keeps-headings",
    source: "memory-files spec, Aggressive Mode, text logic",
    behaviour: "Heading lines stay.",
    status: "proved",
  },
  {
    id: "memory-files/aggressive-removes-exact-duplicates",
    source: "memory-files spec, Aggressive Mode, text logic",
    behaviour: "Only exact duplicate lines go.",
    status: "proved",
  },
  {
    id: "memory-files/aggressive-merges-blank-lines",
    source: "memory-files spec, Aggressive Mode, text logic",
    behaviour: "Consecutive blank lines become one.",
    status: "proved",
  },
  {
    id: "memory-files/aggressive-keeps-final-newline",
    source: "memory-files spec, Aggressive Mode, text logic",
    behaviour: "The final newline stays.",
    status: "proved",
  },
  {
    id: "memory-files/rotation-moves-original",
    source: "memory-files spec, Aggressive Mode, rotation logic",
    behaviour: "The full note moves to the archive folder under its date.",
    status: "proved",
  },
  {
    id: "memory-files/rotation-leaves-preview",
    source: "memory-files spec, Aggressive Mode, rotation logic",
    behaviour: "The note becomes a preview of its first ten lines plus metadata.",
    status: "proved",
  },
  {
    id: "memory-files/rotation-only-on-apply",
    source: "memory-files spec, Aggressive Mode, rotation logic",
    behaviour: "Rotation happens only when writing was asked for.",
    status: "proved",
  },
  {
    id: "memory-files/automatic-mode-conditions",
    source: "memory-files spec, Auto Mode Execution Conditions",
    behaviour: "Writing needs the request and an issue of high severity, and removes just that section.",
    status: "proved",
  },
  {
    id: "memory-files/atomic-write",
    source: "memory-files spec, Auto Mode Execution Conditions",
    behaviour: "A changed file is written beside its target and renamed over it.",
    status: "proved",
  },
  {
    id: "memory-files/return-structure",
    source: "memory-files spec, Return Structure",
    behaviour:
      "The result has the specified fields: sizes, tokens, issues, duplicates, sections, before and after, rotation.",
    status: "proved",
  },
  {
    id: "memory-files/tool-mapping",
    source: "memory-files spec, MCP Tool Mapping",
    behaviour: "The memory_compact tool takes workspace, dry_run, aggressive and max_memory_kb.",
    status: "proved",
  },
  {
    id: "memory-files/dry-run-writes-nothing",
    source: "memory-files spec, MCP Tool Mapping",
    behaviour: "A dry run, the default, analyses and writes nothing.",
    status: "proved",
  },
  {
    id: "memory-files/tool-writes-when-not-dry",
    source: "memory-files spec, MCP Tool Mapping",
    behaviour: "dry_run=false asks for writing; aggressive is passed through.",
    status: "proved",
  },
];
