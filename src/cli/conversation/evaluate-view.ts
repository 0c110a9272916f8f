// An evaluation for a person: what survived by kind, beside trimming; a model's grades; what the figures mean.
import { nameOf } from "../../operations/evaluate-by-model.ts";
import { KINDS, type Kind, type Share } from "../../operations/evaluate-coverage.ts";
import type {
  EvaluationReport,
  GradesReport,
  ModelReport,
  SessionReport,
  TotalReport,
} from "../../operations/evaluate-report.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { type Column, renderTable, right } from "../render.ts";
import type { Colors } from "../terminal.ts";

const TITLES: Readonly<Record<Kind, string>> = {
  names_used_again: "names that the rest used again",
  user_messages: "user's messages, whole",
  user_messages_half: "user's messages, half or more",
  conclusions: "conclusions of the assistant, whole",
  conclusions_half: "conclusions, half or more",
  answers: "questions with the user's answer",
  rules: "rules of the user",
  changed_files: "files changed",
  errors: "errors",
  commands: "commands",
  plan_items: "items of plans",
};
const MOST_SKIPPED = 10;
const MOST_NAMES = 12;
const FILE_WIDTH = 48;

export function renderEvaluation(report: EvaluationReport, colors: Colors): string {
  const { sessions, skipped, status, total, meaning } = report;
  const blocks = [
    ...(status === "partial"
      ? [colors.yellow("Partial: it was stopped, or a model failed, before all was done.")]
      : []),
    headline(report, colors),
    ...(sessions.length > 1 ? [sessionTable(report, colors)] : []),
    ...(total.length === 0 ? [] : [kindTable(total, colors)]),
    ...notMeasured(sessions),
    ...lostNames(sessions),
    ...modelTables(sessions, colors),
    ...skippedLines(skipped, colors),
    `${colors.bold("What the figures mean, and what not")}\n${meaning.map((line) => `  ${line}`).join("\n")}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function headline({ sessions, skipped }: EvaluationReport, colors: Colors): string {
  const [only] = sessions;
  if (only === undefined) return colors.bold("No session was measured");
  if (sessions.length > 1 || skipped.length > 0)
    return `${colors.bold("What survives")}: ${plural(sessions.length, "session")}, ${figure(sum(sessions.map(({ tokens }) => tokens)))} tokens before the cuts`;
  return `${colors.bold("What survives")}: ${only.file} (${only.format}), cut behind message ${figure(only.messages_before)} of ${figure(only.messages_before + only.messages_rest)}, ${figure(only.tokens)} tokens before it`;
}

function wayColumns(percents: readonly number[]): readonly Column[] {
  return percents.flatMap((percent) => [right(`ours ${percent} %`), right("trimmed")]);
}

function sessionTable({ sessions, targets, total }: EvaluationReport, colors: Colors): string {
  const large = sessions.filter((session) => !isTooSmall(session));
  const rows = large.map(({ file, tokens, targets: measured }) => {
    const cells = targets.flatMap((percent) => {
      const { status, ours, trimming } = measured.find((target) => target.percent === percent) ?? {};
      if (ours === undefined || trimming === undefined) return [status === "too_small" ? "too small" : "failed", ""];
      return [shareText(ours.coverage.names_used_again), shareText(trimming.coverage.names_used_again)];
    });
    const names = measured.find(({ ours }) => ours !== undefined)?.ours?.coverage.names_used_again.all;
    return [shortFile(file), figure(tokens), names === undefined ? "" : figure(names), ...cells];
  });
  const means = targets.flatMap((percent) => {
    const mean = total.find((one) => one.percent === percent)?.mean_of_names;
    return mean === undefined ? ["", ""] : [mean.ours, mean.trimming].map((kept) => shareText({ kept, all: 1 }));
  });
  const columns = ["session", right("tokens"), right("names"), ...wayColumns(targets)];
  const small = sessions.length - large.length;
  const left = small === 0 ? "" : `\n  ${plural(small, "session")} too small to measure: see --json`;
  if (rows.length === 0) return left.trim();
  const table = renderTable(columns, [...rows, ["mean, each session the same", "", "", ...means]], colors);
  return `${colors.bold("Names that the rest used again, by session")}\n${table}${left}`;
}

function isTooSmall({ targets }: SessionReport): boolean {
  return targets.every(({ status }) => status === "too_small");
}

function kindTable(total: readonly TotalReport[], colors: Colors): string {
  const counts = new Set(total.map(({ sessions }) => sessions));
  const shown = KINDS.filter((kind) => total.some(({ ours }) => ours.coverage[kind].all > 0));
  const kinds = shown.map((kind) => [
    TITLES[kind],
    counts.size > 1 ? "" : figure(total[0]?.ours.coverage[kind].all ?? 0),
    ...total.flatMap(({ ours, trimming }) => [shareText(ours.coverage[kind]), shareText(trimming.coverage[kind])]),
  ]);
  const sizes = [
    "tokens",
    "",
    ...total.flatMap(({ ours, trimming }) => [figure(ours.tokens), figure(trimming.tokens)]),
  ];
  const times = [
    "milliseconds",
    "",
    ...total.flatMap(({ ours, trimming }) => [figure(ours.milliseconds), figure(trimming.milliseconds)]),
  ];
  const columns = [
    { title: total[0]?.sessions === 1 ? "kept of" : "kept of, in all sessions together" },
    right("all"),
    ...wayColumns(total.map(({ percent }) => percent)),
  ];
  const note =
    counts.size > 1
      ? `\n  Sessions measured: ${total.map(({ percent, sessions }) => `${sessions} at ${percent} %`).join(", ")}.`
      : "";
  return `${renderTable(columns, [...kinds, sizes, times], colors)}${note}`;
}

/** Nothing to keep is no success. */
function shareText({ kept, all }: Share): string {
  return all === 0 ? "-" : `${Math.floor((kept / all) * 100)} %`;
}

function notMeasured(sessions: readonly SessionReport[]): readonly string[] {
  const lines = sessions.flatMap(({ file, tokens, targets }) =>
    targets.flatMap(({ percent, goal, status, reason = "" }) => {
      if (status === "failed") return [`  ${file}, ${percent} %: ${reason}`];
      const isTold = status === "too_small" && sessions.length === 1;
      return isTold
        ? [`  ${percent} %: too small to measure, ${figure(tokens)} tokens for a target of ${figure(goal)}`]
        : [];
    }),
  );
  return lines.length === 0 ? [] : [`Not measured\n${lines.join("\n")}`];
}

function lostNames(sessions: readonly SessionReport[]): readonly string[] {
  if (sessions.length !== 1) return [];
  const lines = (sessions[0]?.targets ?? []).flatMap(({ percent, ours }) => {
    const lost = ours?.lost_names ?? [];
    if (lost.length === 0) return [];
    const more = lost.length > MOST_NAMES ? `, and ${lost.length - MOST_NAMES} more: see --json` : "";
    return [`  gone at ${percent} %: ${lost.slice(0, MOST_NAMES).join(", ")}${more}`];
  });
  return lines.length === 0 ? [] : [`Names that the rest used again\n${lines.join("\n")}`];
}

function modelTables(sessions: readonly SessionReport[], colors: Colors): readonly string[] {
  const names = [...new Set(sessions.flatMap(({ models }) => models.map(({ model }) => model)))];
  return names.map((name) => {
    const reports = sessions.flatMap(({ models }) => models.filter(({ model }) => model === name));
    const rows = addGrades(reports).map(({ text, percent, right, wrong, not_said, not_graded }) => {
      const asked = right + wrong + not_said + not_graded;
      return [
        nameOf(text, percent),
        shareText({ kept: right, all: asked - not_graded }),
        ...[right, wrong, not_said, not_graded].map(figure),
      ];
    });
    const questions = sum(reports.map((report) => report.questions.length));
    const usage = `${plural(sum(reports.map((report) => report.usage.calls)), "call")}, ${figure(sum(reports.map((report) => report.usage.input_tokens)))} tokens in, ${figure(sum(reports.map((report) => report.usage.output_tokens)))} out, its summaries not counted`;
    const columns = ["answered from", ...["right of graded", "right", "wrong", "not said", "not graded"].map(right)];
    const failed = reports.flatMap((report) => report.failed.map((line) => `  ${line}`));
    const head = `${colors.bold(name)}: ${plural(questions, "question")} (${usage})${reports.some(({ status }) => status === "partial") ? ", partial" : ""}`;
    return [head, ...(rows.length === 0 ? [] : [renderTable(columns, rows, colors)]), ...failed].join("\n");
  });
}

function addGrades(reports: readonly ModelReport[]): readonly GradesReport[] {
  const sums = new Map<string, GradesReport>();
  for (const one of reports.flatMap(({ results }) => results)) {
    const key = `${one.text} ${one.percent ?? 0}`;
    const known = sums.get(key);
    sums.set(
      key,
      known === undefined
        ? one
        : {
            ...known,
            right: known.right + one.right,
            wrong: known.wrong + one.wrong,
            not_said: known.not_said + one.not_said,
            not_graded: known.not_graded + one.not_graded,
          },
    );
  }
  return [...sums.values()];
}

function skippedLines(skipped: EvaluationReport["skipped"], colors: Colors): readonly string[] {
  if (skipped.length === 0) return [];
  const lines = skipped.slice(0, MOST_SKIPPED).map(({ reason }) => `  ${reason}`);
  const more = skipped.length > MOST_SKIPPED ? [`  and ${figure(skipped.length - MOST_SKIPPED)} more: see --json`] : [];
  return [[colors.bold(`Skipped (${figure(skipped.length)})`), ...lines, ...more].join("\n")];
}

/** What it costs to ask, before anything is sent. */
export function renderEstimate(estimate: EvaluationReport["estimate"], colors: Colors): string {
  const total = {
    file: "all",
    model: "",
    calls: sum(estimate.map(({ calls }) => calls)),
    input_tokens: sum(estimate.map(({ input_tokens }) => input_tokens)),
    output_tokens: sum(estimate.map(({ output_tokens }) => output_tokens)),
  };
  const rows = [...estimate, ...(estimate.length > 1 ? [total] : [])].map((one) => [
    shortFile(one.file),
    one.model,
    figure(one.calls),
    figure(one.input_tokens),
    figure(one.output_tokens),
  ]);
  const columns = ["session", "model", right("calls"), right("tokens in"), right("out at most")];
  return `About what asking costs; secrets are redacted before anything is sent:\n${renderTable(columns, rows, colors)}\n`;
}

/** The end of a path tells files of a folder apart. */
function shortFile(file: string): string {
  const characters = Array.from(file);
  return characters.length <= FILE_WIDTH ? file : `…${characters.slice(1 - FILE_WIDTH).join("")}`;
}
