// What an evaluation found, as scripts and people read it: sessions, their sum, what was skipped, and what the figures
// mean. The names are those that `--json` prints.
import type { SessionFigures, WayFigures } from "./evaluate.ts";
import type { CallEstimate, Grades, ModelFigures, Question, Reading } from "./evaluate-by-model.ts";
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

export interface GradesReport {
  readonly text: Reading;
  readonly percent?: number;
  readonly right: number;
  readonly wrong: number;
  readonly not_said: number;
  readonly not_graded: number;
}

export interface ModelReport {
  readonly model: string;
  readonly status: "done" | "partial";
  readonly questions: readonly Question[];
  readonly results: readonly GradesReport[];
  readonly failed: readonly string[];
  readonly usage: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number };
}

export interface SessionReport {
  readonly file: string;
  readonly format: string;
  readonly messages_before: number;
  readonly messages_rest: number;
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

export interface EvaluationReport {
  readonly status: "done" | "partial";
  readonly targets: readonly number[];
  readonly sessions: readonly SessionReport[];
  readonly total: readonly TotalReport[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** What the calls were expected to cost, by session and model; empty without a model. */
  readonly estimate: readonly {
    readonly file: string;
    readonly model: string;
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
  }[];
  readonly meaning: readonly string[];
}

export function sessionReport(figures: SessionFigures): SessionReport {
  return {
    file: figures.file,
    format: figures.format,
    messages_before: figures.messages.before,
    messages_rest: figures.messages.rest,
    tokens: figures.tokens,
    targets: figures.targets.map((target) =>
      target.status === "measured"
        ? { ...target, ours: wayReport(target.ours), trimming: wayReport(target.trimming) }
        : target,
    ),
    models: [],
  };
}

function wayReport({ tokens, milliseconds, coverage, lost }: WayFigures): WayReport {
  return { tokens, milliseconds: Math.round(milliseconds), coverage, lost_names: lost };
}

export function modelReport(figures: ModelFigures, status: ModelReport["status"]): ModelReport {
  const { model, questions, results, failed, usage } = figures;
  return {
    model,
    status,
    questions,
    results: results.map(({ reading, percent, grades }) => gradesReport(reading, percent, grades)),
    failed,
    usage: { calls: usage.calls, input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}

function gradesReport(text: Reading, percent: number | undefined, grades: Grades): GradesReport {
  const { right, wrong, notSaid, notGraded } = grades;
  return {
    text,
    ...(percent === undefined ? {} : { percent }),
    right,
    wrong,
    not_said: notSaid,
    not_graded: notGraded,
  };
}

export function estimateReport(
  file: string,
  model: string,
  estimate: CallEstimate,
): EvaluationReport["estimate"][number] {
  return {
    file,
    model,
    calls: estimate.calls,
    input_tokens: estimate.inputTokens,
    output_tokens: estimate.outputTokens,
  };
}

/** Of all sessions that were measured at a target: a session with more in it counts for more. */
export function totalOf(sessions: readonly SessionReport[], percent: number): readonly TotalReport[] {
  const measured = sessions.flatMap(({ targets }) =>
    targets.flatMap(({ percent: own, ours, trimming }) =>
      own !== percent || ours === undefined || trimming === undefined ? [] : [{ ours, trimming }],
    ),
  );
  const add = (ways: readonly WayReport[]) =>
    ways
      .map(({ lost_names: _, ...way }) => way)
      .reduce((one, other) => ({
        tokens: one.tokens + other.tokens,
        milliseconds: one.milliseconds + other.milliseconds,
        coverage: addCoverage(one.coverage, other.coverage),
      }));
  if (measured.length === 0) return [];
  return [
    {
      percent,
      sessions: measured.length,
      ...meanOfNames(measured),
      ours: add(measured.map(({ ours }) => ours)),
      trimming: add(measured.map(({ trimming }) => trimming)),
    },
  ];
}

/** A file that holds many sessions has more names than all others. */
function meanOfNames(
  measured: readonly { readonly ours: WayReport; readonly trimming: WayReport }[],
): Pick<TotalReport, "mean_of_names"> {
  const named = measured.filter(({ ours }) => ours.coverage.names_used_again.all > 0);
  if (named.length === 0) return {};
  const mean = (way: "ours" | "trimming") =>
    named.reduce((total, figures) => {
      const { kept, all } = figures[way].coverage.names_used_again;
      return total + kept / all;
    }, 0) / named.length;
  return { mean_of_names: { ours: mean("ours"), trimming: mean("trimming") } };
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
