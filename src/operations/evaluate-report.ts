// What an evaluation found, as scripts and people read it: sessions, their sum, what was skipped, and what the figures
// mean. The names are those that `--json` prints.
import { addCoverage, type Coverage } from "./evaluate-coverage.ts";

export interface WayReport {
  readonly tokens: number;
  readonly milliseconds: number;
  readonly coverage: Coverage;
  /** Names that the rest used again and that are gone. */
  readonly lost_names: readonly string[];
}

export interface TargetReport {
  readonly percent: number;
  readonly goal: number;
  readonly status: "measured" | "too_small" | "failed";
  readonly reason?: string;
  readonly ours?: WayReport;
  readonly trimming?: WayReport;
}

/** What a reader is given: nothing at all, what trimming leaves, what compaction does. */
export type Reading = "nothing" | "trimming" | "ours" | "ours_with_model";

export interface GradesReport {
  readonly text: Reading;
  /** Absent for `nothing`. */
  readonly percent?: number;
  readonly right: number;
  /** Says something else than the gold answer. */
  readonly wrong: number;
  /** Says that it does not know. */
  readonly not_said: number;
  /** The answer, or its grade, was no JSON of the shape asked for, twice. */
  readonly not_graded: number;
}

export interface Question {
  readonly question: string;
  readonly answer: string;
}

export interface ModelReport {
  readonly model: string;
  readonly status: "done" | "partial";
  readonly questions: readonly Question[];
  readonly results: readonly GradesReport[];
  /** What could not be had, and why. */
  readonly failed: readonly string[];
  readonly usage: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number };
}

export interface SessionReport {
  readonly file: string;
  readonly format: string;
  /** Messages before and behind the cut. */
  readonly messages_before: number;
  readonly messages_rest: number;
  /** Of the messages before the cut. */
  readonly tokens: number;
  readonly targets: readonly TargetReport[];
  readonly models: readonly ModelReport[];
}

export interface TotalReport {
  readonly percent: number;
  /** Sessions that were measured at this target. */
  readonly sessions: number;
  /** Share of the names that the rest used again, 0 to 1, each session that has some counting the same; absent without one. */
  readonly mean_of_names?: { readonly ours: number; readonly trimming: number };
  readonly ours: Omit<WayReport, "lost_names">;
  readonly trimming: Omit<WayReport, "lost_names">;
}

export interface CallEstimate {
  readonly file: string;
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  /** At most. */
  readonly output_tokens: number;
}

export interface EvaluationReport {
  readonly status: "done" | "partial";
  readonly targets: readonly number[];
  readonly sessions: readonly SessionReport[];
  readonly total: readonly TotalReport[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** What the calls were expected to cost, by session and model; empty without a model. */
  readonly estimate: readonly CallEstimate[];
  readonly meaning: readonly string[];
}

/** Of all sessions that were measured at a target: a session with more in it counts for more. */
export function totalOf(sessions: readonly SessionReport[], percent: number): readonly TotalReport[] {
  const measured = sessions.flatMap(({ targets }) =>
    targets.flatMap(({ percent: own, ours, trimming }) =>
      own !== percent || ours === undefined || trimming === undefined ? [] : [{ ours, trimming }],
    ),
  );
  if (measured.length === 0) return [];
  const add = (way: "ours" | "trimming") =>
    measured
      .map((figures) => figures[way])
      .map(({ lost_names: _, ...figures }) => figures)
      .reduce((one, other) => ({
        tokens: one.tokens + other.tokens,
        milliseconds: one.milliseconds + other.milliseconds,
        coverage: addCoverage(one.coverage, other.coverage),
      }));
  // A file that holds many sessions has more names than all others: each session counts the same.
  const named = measured.filter(({ ours }) => ours.coverage.names_used_again.all > 0);
  const mean = (way: "ours" | "trimming") => {
    const shares = named.map((figures) => figures[way].coverage.names_used_again).map(({ kept, all }) => kept / all);
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  };
  return [
    {
      percent,
      sessions: measured.length,
      ...(named.length === 0 ? {} : { mean_of_names: { ours: mean("ours"), trimming: mean("trimming") } }),
      ours: add("ours"),
      trimming: add("trimming"),
    },
  ];
}

export function meaningOf(hasModel: boolean): readonly string[] {
  return [
    "Each session was cut before its last fifth. What came before was compacted, in memory; the last fifth says what of it was needed.",
    '"Names that the rest used again": names, identifiers and figures that the last fifth uses and that people or the assistant had said, but not in the four messages before the cut. What this program takes for important plays no part in it.',
    "The other rows count what this program found in the messages. They show what of that is gone, not what it never saw.",
    "Words are compared, not meaning: what is kept in other words counts as gone, and a name that is kept may stand without what it meant.",
    '"Trimmed": the system messages and the newest messages, to our size or the target, whichever is larger; the oldest of them cut at its beginning. This is what is left where nothing is summarized.',
    hasModel
      ? "Questions were written from the full text before anything compacted was shown, answered from one text alone, and graded by one who was not told whose answer it was. A model errs in all three: look at the difference between two lines of one model, not at one line, and of few questions believe large differences only. What is right with no text at all could be guessed."
      : "Whether an agent can work from what is left, only questions tell: --model NAME has a model write, answer and grade them, after showing what that costs.",
  ];
}
