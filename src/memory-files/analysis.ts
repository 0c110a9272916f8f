// What an analysis says: the fields of the spec under their names, ours beside them. Everything that leaves this part as
// JSON is in snake_case.
import type { UnreadFile } from "./workspace.ts";

export interface SectionReport {
  /** Text of the heading; `header` for what stands before the first one. */
  readonly heading: string;
  /** Of its body, blank ones included. Sections without a body are left out. */
  readonly lines: number;
  /** By the spec's formula, of the body, once over the whole. */
  readonly tokens: number;
  /** Beginning of the body on one line, at most 120 characters. */
  readonly preview: string;
  readonly tokens_exact: number;
  /** Either count is above 500. */
  readonly bloated: boolean;
  readonly file: string;
  /** 0 for the preamble, else that of the heading. */
  readonly level: number;
  /** First and last line, counted from 1, heading included. */
  readonly line_from: number;
  readonly line_to: number;
  /** Bytes of the file, end exclusive, heading included. */
  readonly byte_from: number;
  readonly byte_to: number;
  /**
   * In a plan, of the main memory file where it is over its limit: why moving takes other sections, not this one. `lasting`
   * (not kept by day), `recent`, `in_use`, `open`, `rule`, `marked`, `linked`, `rests_on_it`, `pointer`, `enough` (the
   * others are). Absent: it moves, or would.
   */
  readonly stays_because?: string;
}

export type Severity = "high" | "medium";

/** Why a redundant section is not removed by itself. */
export type HeldReason =
  /** It holds something that the memory lacks: see `novel_tokens`, `differs_in`. */
  | "says_more"
  /** Its words are there, but not the same sentences under the same headings. */
  | "said_differently"
  /** A section below it stays. */
  | "has_subsections"
  /** Text before the first heading, or under the title of the note. */
  | "no_heading_of_its_own"
  /** What stands around it in the note (an introduction, front matter, the name of the file) may change what it says. */
  | "scoped"
  /** It is marked to be kept: `<!-- keep -->`, a pin, `[pinned]`. */
  | "marked"
  /** It says "today" or the like, and only the note tells which day that was. */
  | "relative_date"
  /** The note of today, or a later one. */
  | "in_use";

export interface RedundantSection {
  readonly file: string;
  readonly section: string;
  /** To the whole memory: shared / all tokens of both, 3 decimals, half up. */
  readonly similarity: number;
  readonly shared_tokens: number;
  readonly section_tokens: number;
  /** Share of the section's tokens that the memory holds, 3 decimals. */
  readonly containment: number;
  /** Tokens that the memory lacks, in the order in which they stand, at most 20. */
  readonly novel_tokens: readonly string[];
  /** The words that these stand in: a token of a script without spaces is no word. */
  readonly novel_words: readonly string[];
  /** The gravest kind of what is new: date, number, negation, name, ...; absent where nothing is. */
  readonly differs_in?: string;
  /** True: nothing would be lost if it left. Whether it may, by itself or under the lever `contained`, its severity decides. */
  readonly removable: boolean;
  readonly held_because?: HeldReason;
  readonly line_from: number;
  readonly line_to: number;
  readonly byte_from: number;
  readonly byte_to: number;
  readonly tokens_exact: number;
  /** Beginning of its body, at most 120 characters. */
  readonly preview: string;
  /** Where the memory says most of it. */
  readonly memory_section?: {
    readonly file: string;
    readonly heading: string;
    readonly line_from: number;
    readonly preview: string;
  };
}

/** Shared tokens above 5 and similarity above 0.5. */
export interface CrossFileIssue extends RedundantSection {
  /** Similarity above 0.7 is high. */
  readonly severity: Severity;
  /** `REMOVE` only where it is high and removable; else `REVIEW` (high) or `COMPACT`. One sentence behind it. */
  readonly recommendation: string;
}

/** Equal but for case, more than 10 characters long, in one memory file. */
export interface DuplicateLine {
  readonly file: string;
  /** As it stands at its first place, at most 120 characters. */
  readonly text: string;
  readonly occurrences: number;
  /** Counted from 1. */
  readonly lines: readonly number[];
}

/** Two lines of different sections that say nearly the same, by the words that are rare in the file. */
export interface NearLines {
  readonly file: string;
  /** Counted from 1. */
  readonly lines: readonly [number, number];
  /** At most 120 characters each. */
  readonly texts: readonly [string, string];
  /** 0.45 to 1. */
  readonly similarity: number;
  /** The gravest kind of what differs: date, number, negation, name, ...; `dress` where only marks do. */
  readonly differs_in: string;
  /** Words that only the one line has, or only the other, at most 8. */
  readonly only: readonly [readonly string[], readonly string[]];
}

export interface NoteReport {
  readonly file: string;
  readonly date?: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly tokens_exact: number;
  /** Above 8,192 bytes. */
  readonly bloated: boolean;
  /** Above 30,720 bytes. */
  readonly due_for_rotation: boolean;
}

export interface MemoryFileReport {
  readonly file: string;
  readonly bytes: number;
  readonly characters: number;
  readonly tokens: number;
  readonly tokens_exact: number;
  /** Taken in by a memory file; never edited. */
  readonly imported: boolean;
}

/** Where a value stands that looks like a key, a password or a token. Never the value: what prints this may be read by others. */
export interface SecretPlace {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Of redaction: docs/reference/redaction.md. */
  readonly rule: string;
}

export interface MemoryAnalysis {
  readonly workspace: string;
  /** The main one; null where there is none. The figures below are its own. */
  readonly memory_file: string | null;
  readonly memory_size: number;
  readonly memory_characters: number;
  readonly memory_tokens: number;
  readonly memory_tokens_exact: number;
  readonly max_memory_kb: number;
  /** Bytes above `max_memory_kb` times 1,024, 0 at or below it. */
  readonly over_limit_bytes: number;
  readonly memory_files: readonly MemoryFileReport[];
  readonly sections: readonly SectionReport[];
  readonly cross_file_issues: readonly CrossFileIssue[];
  readonly high_severity_count: number;
  /** Sections of which the memory holds nine tokens of ten, though it is not similar as a whole: no issue by the spec. */
  readonly contained_sections: readonly RedundantSection[];
  /** Of `duplicate_lines`. */
  readonly internal_duplicates: number;
  readonly duplicate_lines: readonly DuplicateLine[];
  /** The most alike first. For review: nothing of it is ever removed. */
  readonly near_lines: readonly NearLines[];
  readonly notes: readonly NoteReport[];
  readonly unread: readonly UnreadFile[];
  /** Of memory files and notes. They stay as they are and are read with the memory. */
  readonly secrets: readonly SecretPlace[];
}
