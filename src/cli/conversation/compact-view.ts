// What a person reads after a compaction: how much smaller, what stayed, what left, where it is, how to get it back.
import type { ConversationPlan, PlannedMessage } from "../../conversation/conversation-plan.ts";
import type { CompactionCost, ConversationReport } from "../../conversation/report.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { atMost, percent, renderBars, renderTable, right } from "../render.ts";
import { type Colors, type OutputStream, widthOf } from "../terminal.ts";

interface ReportFacts {
  readonly report: ConversationReport;
  readonly label: string;
  readonly readAs: string;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly shortened: number;
  /** Where the result is; undefined when it went to stdout. */
  readonly writtenTo: string | undefined;
  readonly archivePath: string;
  /** Complete commands, with what each is for. */
  readonly commands: readonly { readonly command: string; readonly purpose: string }[];
}

export function renderReport(facts: ReportFacts, stream: OutputStream, colors: Colors): string {
  const { report } = facts;
  const lines = [
    headline(facts, colors),
    "",
    ...sizes(facts, stream, colors),
    "",
    ...rows(facts, colors),
    ...wayBack(facts, colors),
  ];
  const notes = report.warnings.map(({ message }) => `${colors.yellow("note")}  ${message}`);
  return `${[...lines, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n")}\n`;
}

function headline({ report, label, readAs }: ReportFacts, colors: Colors): string {
  const name = `${label} (${readAs === report.format ? readAs : `${readAs}, as ${report.format}`})`;
  if (report.status === "skipped") return `${colors.bold("Left as it was")}: ${name}. ${reasonText(report.reason)}`;
  return `${colors.bold(report.status === "compacted" ? "Compacted" : "Pruned without a summary")}: ${name}`;
}

const REASONS: Readonly<Record<string, string>> = {
  nothing_to_compact: "Everything in it has to stay.",
  not_beneficial: "Compacting would not make it smaller.",
  below_trigger: "It is below the size at which compaction starts.",
  in_flight: "A tool call in it still waits for its result.",
  waiting_for_growth: "Too little is new since the last compaction.",
  messages_changed: "The list was changed while its summary was written.",
  summary_failed: "No summary could be had, and the policy keeps the list then (on_summary_failure: keep).",
  model_paused: "The model failed three times and is not asked now.",
  disabled: "Compaction is switched off (enabled: false).",
};

function reasonText(reason: string | undefined): string {
  return reason === undefined ? "" : (REASONS[reason] ?? `Reason: ${reason.replaceAll("_", " ")}.`);
}

function sizes(
  { report, messagesBefore, messagesAfter }: ReportFacts,
  stream: OutputStream,
  colors: Colors,
): readonly string[] {
  const { tokens_before: before, tokens_after: after, budget, reduction } = report;
  if (report.status === "skipped")
    return [`  ${plural(messagesBefore, "message")}, ${plural(before, "token")} of a budget of ${figure(budget)}`];
  const width = Math.min(60, widthOf(stream) - 24);
  return [
    ...renderBars(before, after, width, colors),
    `  ${plural(messagesBefore, "message")} -> ${figure(messagesAfter)}, tokens -${colors.bold(percent(reduction))}, budget ${figure(budget)}`,
  ];
}

/** In tokens weighted by what providers charge: plain input 1, cached 0.1, written to the cache 1.25, output 5. */
function costText(cost: CompactionCost): string {
  const { weights, cost_weighted, saved_per_call_weighted, pays_back_after_calls, summarizer } = cost;
  const { input, output } = weights;
  const asked = Math.round(summarizer.input_tokens * input + summarizer.output_tokens * output);
  const calls =
    summarizer.calls === 0 ? "" : `, ${figure(asked)} of them for ${plural(summarizer.calls, "model call")}`;
  const once = `${figure(cost_weighted)} weighted tokens once${calls}`;
  if (pays_back_after_calls === null) return `${once}; saves nothing at later calls`;
  return `${once}; saves ${figure(saved_per_call_weighted)} at each later call, paid back after ${figure(pays_back_after_calls)}`;
}

function rows(facts: ReportFacts, colors: Colors): readonly string[] {
  const { report, shortened, writtenTo, archivePath } = facts;
  const { kept, summary } = report;
  const isDone = report.status !== "skipped";
  const table: (readonly [string, string] | undefined)[] = [
    isDone
      ? [
          "kept",
          `${figure(kept.pinned)} pinned, ${plural(kept.recent_turns, "recent turn")}, ${plural(kept.tool_pairs, "tool pair")}`,
        ]
      : undefined,
    isDone
      ? [
          "left",
          `${plural(report.pruned_count, "message")}${summary.version === null ? "" : `, replaced by summary v${summary.version}`}`,
        ]
      : undefined,
    summary.version === null
      ? undefined
      : [
          "summary",
          `${plural(summary.tokens, "token")}, ${summary.strategy.replaceAll("_", " ")}, ${sourceText(summary.source)}`,
        ],
    report.cost === null ? undefined : ["cost", costText(report.cost)],
    isDone && Object.keys(report.facts).length > 0 ? ["carried", factsText(report.facts)] : undefined,
    shortened > 0 ? ["shortened", `${plural(shortened, "tool result")} (head and tail stay)`] : undefined,
    isDone && report.repairs.length > 0 ? ["repaired", repairsText(report.repairs)] : undefined,
    ["written to", writtenTo ?? "stdout"],
    report.archive.transcript === null ? undefined : ["archive", archivePath],
    isDone ? ["session", report.session_id] : undefined,
  ];
  return table.flatMap((row) => (row === undefined ? [] : [`  ${colors.dim(row[0].padEnd(10))}  ${row[1]}`]));
}

function sourceText(source: string): string {
  return source === "extractive"
    ? "extracted by code, no model"
    : source === "model+ledger"
      ? "by a model, with the ledger of facts"
      : `source ${source}`;
}

function factsText(facts: ConversationReport["facts"]): string {
  const names = Object.entries(facts).filter(([, count]) => count > 0);
  return names.map(([kind, count]) => plural(count, kind.replaceAll("_", " "))).join(", ");
}

/** `2 orphan results, 1 empty message: the provider ...`. */
export function repairsText(repairs: readonly { readonly kind: string }[]): string {
  const kinds = [...groupBy(repairs, ({ kind }) => kind)].map(([kind, { length }]) =>
    plural(length, kind.replaceAll("_", " ")),
  );
  return `${kinds.join(", ")}: the provider would have refused the list`;
}

function wayBack({ commands }: ReportFacts, colors: Colors): readonly string[] {
  if (commands.length === 0) return [];
  const width = Math.max(...commands.map(({ purpose }) => purpose.length));
  const lines = commands.map(
    ({ command, purpose }) => `  ${colors.dim(purpose.padEnd(width))}  ${colors.cyan(command)}`,
  );
  return ["", colors.bold("Get it back:"), ...lines];
}

const ACTIONS: Readonly<Record<PlannedMessage["action"], string>> = {
  pin: "pinned",
  keep: "kept",
  shorten: "shortened",
  repair: "repaired",
  summarize: "summarized",
};

export function renderPlan(plan: ConversationPlan, colors: Colors): string {
  const head = `${colors.bold("Plan")} for session ${plan.session_id} (${plan.format}), step ${plan.step}. Nothing was written.`;
  const size = `${plural(plan.message_count, "message")}, ${plural(plan.tokens_before, "token")}; budget ${figure(plan.budget)}, aim ${figure(plan.target)}`;
  if (!plan.triggered || plan.messages.length === 0) {
    return `${head}\n\n  ${size}\n  Nothing would be done: ${plan.reason.replaceAll("_", " ")}.\n`;
  }
  const rows = groups(plan.messages).map(({ action, role, why, count, tokens, numbers }) => [
    ACTIONS[action],
    role,
    why.replaceAll("_", " "),
    count,
    tokens,
    numbers,
  ]);
  const columns = ["what", "role", "why", right("messages"), right("tokens"), atMost("numbers", 40)];
  const outcome = `${plural(plan.pruned_count, "message")} would leave for a summary of at most ${plural(plan.summary_max_tokens, "token")}.`;
  const repairs = plan.repairs.length === 0 ? [] : [`  ${plural(plan.repairs.length, "repair")} of the damaged input.`];
  return `${[head, "", `  ${size}`, "", renderTable(columns, rows, colors), "", `  ${outcome}`, ...repairs].join("\n")}\n`;
}

function groups(messages: readonly PlannedMessage[]) {
  const order = Object.keys(ACTIONS);
  const byKind = groupBy(messages, ({ action, role, why }) => `${order.indexOf(action)} ${role} ${why}`);
  return [...byKind]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, members]) => {
      const [first] = members;
      if (first === undefined) return [];
      const { action, role, why } = first;
      const tokens = sum(members.map((member) => member.tokens));
      return [
        { action, role, why, count: members.length, tokens, numbers: ranges(members.map(({ index }) => index + 1)) },
      ];
    });
}

/** `1, 4-7, 12` of ascending numbers. */
export function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else if (last?.[1] !== number) runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}
