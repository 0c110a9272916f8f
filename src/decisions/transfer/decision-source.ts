// What the readers of decision files are given and give: raw records as every log stores them, and what was left out.
import type { RawDecision } from "../decision.ts";

/** `cstp`: CSTP records as YAML, JSON or JSON Lines. `adr`: Markdown (MADR 2 to 4, Nygard). `issues`: beads and GitHub. */
export const DECISION_FORMATS = ["cstp", "adr", "issues"] as const;
export type DecisionFormat = (typeof DECISION_FORMATS)[number];

export interface DecisionFile {
  /** As the user knows it; folders apart by `/`. */
  readonly name: string;
  readonly text: string;
}

/** Something in a file that became no record, or not as it is written. */
export interface SourceFault {
  /** Name of the file, or id of the record. */
  readonly id: string;
  /**
   * `NOT_A_RECORD`: a page beside records (a README, a template). `UNREADABLE_FILE`, `UNREADABLE_LINE`, `TORN_LINE`,
   * `UNREADABLE_RECORD`: left out. `DUPLICATE_ID`: only one of them is taken. `UNREADABLE_DATE`, `UNREADABLE_PRESERVE`:
   * taken, and served in full.
   */
  readonly code:
    | "NOT_A_RECORD"
    | "UNREADABLE_FILE"
    | "UNREADABLE_LINE"
    | "TORN_LINE"
    | "UNREADABLE_RECORD"
    | "DUPLICATE_ID"
    | "UNREADABLE_DATE"
    | "UNREADABLE_PRESERVE";
  /** One sentence; never quotes the decision. */
  readonly message: string;
}

export interface ReadRecords {
  /** Each with an `id`, no two with one. */
  readonly records: readonly RawDecision[];
  readonly faults: readonly SourceFault[];
}

/** A record and where it stands, before ids are settled among files. */
export interface FoundRecord {
  readonly raw: Readonly<Record<string, unknown>>;
  /** Name of its file. */
  readonly file: string;
  /** 1-based; absent where the file is the record. */
  readonly line?: number;
}

export interface FileReading {
  readonly found: readonly FoundRecord[];
  readonly faults: readonly SourceFault[];
}
