// `agent-compact inspect FILE`: where the tokens of a conversation are, and what a compaction would do. Writes nothing.
import type { ConversationPlan } from "../../conversation/conversation-plan.ts";
import { CompactError } from "../../errors.ts";
import type { MessagePart, MessageView } from "../../providers/format.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { figure, plural } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { countRequest, type RequestTokens, sumOfRequest } from "../../tokens/budget.ts";
import { countView, createMessageCounter, MESSAGE_OVERHEAD } from "../../tokens/count-messages.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { KeptCounts } from "../../trace/compact-event.ts";
import {
  type ConversationSource,
  nameSession,
  readConversationSource,
  requestOf,
} from "../files/conversation-source.ts";
import { openCompactor, readConfig } from "../open-compactor.ts";
import type { InspectFlags } from "../program.ts";
import { atMost, bar, percent, renderTable, right } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import { type Colors, type OutputStream, type Terminal, widthOf } from "../terminal.ts";
import { type BudgetShare, sharesByBudget, wholeLedger } from "./whole-ledger.ts";

export async function inspectConversation(file: string, flags: InspectFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const source = await readConversationSource(file, flags.format, terminal, progress);
  const opened = await openCompactor(flags, terminal, { isReadOnly: true });
  const sessionId = flags.sessionId ?? (await nameSession(source, opened.archive));
  const plan = await planOrRefusal(() => opened.compactor.plan(sessionId, source.messages, requestOf(source)));
  const { count } = counterFor(resolveModel(opened.model));
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction);
  const facts = sharesByBudget(
    wholeLedger(source, (text) => redactor.text(text)),
    count,
  );
  // A tool's name is whatever the transcript says it is.
  const inspection: Inspection = redactor.json({ ...inspectMessages(source, opened.model), plan, facts });
  for (const { message } of source.notes) progress.warn(`Reading the session: ${message}.`);
  printResult(inspection, (colors) => renderInspection(inspection, source, terminal.stdout, colors), flags, terminal);
}

/** A conversation that cannot be compacted can still be looked at. */
async function planOrRefusal(makePlan: () => Promise<ConversationPlan>): Promise<InspectionPlan> {
  try {
    return summarizePlan(await makePlan());
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind === "InsufficientBudget")
      return { possible: false, reason: error.message };
    throw error;
  }
}

function summarizePlan(plan: ConversationPlan): InspectionPlan {
  const leaving = plan.messages.reduce((sum, { action, tokens }) => sum + (action === "summarize" ? tokens : 0), 0);
  const isActing = plan.triggered && (leaving > 0 || plan.messages.some(({ action }) => action === "shorten"));
  const expected = plan.tokens_before - leaving + plan.summary_max_tokens;
  return {
    possible: true,
    reason: plan.reason,
    budget: plan.budget,
    target: plan.target,
    kept: plan.kept,
    pruned_count: plan.pruned_count,
    summary_max_tokens: plan.summary_max_tokens,
    expected_tokens: isActing ? Math.min(expected, plan.tokens_before) : plan.tokens_before,
  };
}

// Counts a conversation by component, by role, by tool, and finds its largest messages. Pure; says what a message
// is, never what it says.

type InspectionPlan =
  | { readonly possible: false; readonly reason: string }
  | {
      readonly possible: true;
      readonly reason: string;
      readonly budget: number;
      readonly target: number;
      readonly kept: KeptCounts;
      readonly pruned_count: number;
      readonly summary_max_tokens: number;
      /** At most: the summary may be shorter, and large results may be shortened. */
      readonly expected_tokens: number;
    };

interface LargeMessage {
  /** 1-based. */
  readonly message: number;
  readonly role: string;
  readonly tokens: number;
  readonly what: string;
}

export interface Inspection {
  readonly format: string;
  readonly messages: number;
  readonly tokens: RequestTokens & { readonly total: number };
  readonly by_role: Readonly<Record<string, { readonly messages: number; readonly tokens: number }>>;
  readonly by_tool: Readonly<Record<string, { readonly calls: number; readonly tokens: number }>>;
  readonly largest: readonly LargeMessage[];
  readonly plan: InspectionPlan;
  /** How much of the whole ledger a summary of a given size holds. */
  readonly facts: readonly BudgetShare[];
}

const MOST_LARGE = 10;

function inspectMessages(source: ConversationSource, model: string | undefined): Omit<Inspection, "plan" | "facts"> {
  const { messages, format, readAs } = source;
  const views = messages.map((message) => format.view(message));
  const counter = createMessageCounter(counterFor(resolveModel(model)));
  const parts = countRequest({ messages, views, system: source.system, tools: source.tools }, counter);
  const tokens = counter.countEach(messages, views);
  const names = toolNames(views);
  return {
    format: readAs,
    messages: messages.length,
    tokens: { total: sumOfRequest(parts), ...parts },
    by_role: byRole(views, tokens),
    by_tool: byTool(views, names, counter.counter),
    largest: largestOf(views, tokens, names),
  };
}

function byRole(views: readonly MessageView[], tokens: readonly number[]): Inspection["by_role"] {
  const roles = new Map<string, { messages: number; tokens: number }>();
  for (const [index, { role }] of views.entries()) {
    const known = roles.get(role) ?? { messages: 0, tokens: 0 };
    roles.set(role, { messages: known.messages + 1, tokens: known.tokens + (tokens[index] ?? 0) });
  }
  return Object.fromEntries(roles);
}

/** Which tool each call id means at each result: ids repeat, so the latest call before the result counts. */
function toolNames(views: readonly MessageView[]): (part: MessagePart) => string {
  const latest = new Map<string, string>();
  const names = new Map<MessagePart, string>();
  for (const part of views.flatMap((view) => view.parts)) {
    if (part.kind === "call") latest.set(part.callId, part.name);
    if (part.kind === "result") names.set(part, latest.get(part.callId) ?? "(unknown)");
  }
  return (part) => (part.kind === "call" ? part.name : (names.get(part) ?? "(unknown)"));
}

function byTool(
  views: readonly MessageView[],
  nameOf: (part: MessagePart) => string,
  counter: TokenCounter,
): Inspection["by_tool"] {
  const tools = new Map<string, { calls: number; tokens: number }>();
  for (const view of views) {
    for (const part of view.parts) {
      if (part.kind !== "call" && part.kind !== "result") continue;
      const name = nameOf(part);
      const known = tools.get(name) ?? { calls: 0, tokens: 0 };
      const tokens = countView({ ...view, parts: [part] }, counter) - MESSAGE_OVERHEAD;
      tools.set(name, { calls: known.calls + (part.kind === "call" ? 1 : 0), tokens: known.tokens + tokens });
    }
  }
  return Object.fromEntries([...tools].sort(([, a], [, b]) => b.tokens - a.tokens));
}

function largestOf(
  views: readonly MessageView[],
  tokens: readonly number[],
  nameOf: (part: MessagePart) => string,
): readonly LargeMessage[] {
  const sorted = [...views.keys()].sort((a, b) => (tokens[b] ?? 0) - (tokens[a] ?? 0)).slice(0, MOST_LARGE);
  return sorted.flatMap((index) => {
    const view = views[index];
    return view === undefined
      ? []
      : [{ message: index + 1, role: view.role, tokens: tokens[index] ?? 0, what: describeParts(view, nameOf) }];
  });
}

/** `text, call of Read, 2 x result of Bash`. */
function describeParts({ parts }: MessageView, nameOf: (part: MessagePart) => string): string {
  const kinds = [...groupBy(parts, (part) => describePart(part, nameOf))];
  return kinds.map(([name, { length }]) => (length === 1 ? name : `${length} x ${name}`)).join(", ") || "empty";
}

function describePart(part: MessagePart, nameOf: (part: MessagePart) => string): string {
  switch (part.kind) {
    case "call":
      return `call of ${nameOf(part)}`;
    case "result":
      return `${part.isError ? "error" : "result"} of ${nameOf(part)}`;
    case "image":
      return `image ${part.mediaType}`;
    case "opaque":
      return part.type;
    default:
      return part.kind;
  }
}

const MOST_TOOLS = 12;

function renderInspection(
  inspection: Inspection,
  { label }: { readonly label: string },
  stream: OutputStream,
  colors: Colors,
): string {
  const { format, messages, tokens } = inspection;
  const barWidth = Math.max(10, Math.min(30, widthOf(stream) - 60));
  const sections = [
    `${colors.bold(label)} (${format}): ${plural(messages, "message")}, ${plural(tokens.total, "token")}`,
    section("By component", components(inspection, barWidth, colors), colors),
    section("By role", roles(inspection, colors), colors),
    ...(Object.keys(inspection.by_tool).length === 0
      ? []
      : [section("By tool", tools(inspection, barWidth, colors), colors)]),
    section("Largest messages", largest(inspection, colors), colors),
    section("A compaction now", planLines(inspection), colors),
    section("Facts that a summary holds, by its size", factShares(inspection, barWidth, colors), colors),
  ];
  return `${sections.join("\n\n")}\n`;
}

function section(title: string, body: string, colors: Colors): string {
  return `${colors.bold(title)}\n${body}`;
}

function components({ tokens }: Inspection, width: number, colors: Colors): string {
  const { total, ...parts } = tokens;
  const rows = Object.entries(parts).map(([name, count]) => [
    name.replaceAll("_", " "),
    count,
    share(count, total),
    bar(count, total, width),
  ]);
  return renderTable(["", right("tokens"), right("share"), ""], rows, colors);
}

function roles({ by_role, tokens }: Inspection, colors: Colors): string {
  const rows = Object.entries(by_role).map(([role, { messages, tokens: count }]) => [
    role,
    messages,
    count,
    share(count, tokens.total),
  ]);
  return renderTable(["role", right("messages"), right("tokens"), right("share")], rows, colors);
}

function tools({ by_tool, tokens }: Inspection, width: number, colors: Colors): string {
  const all = Object.entries(by_tool);
  const rows = all
    .slice(0, MOST_TOOLS)
    .map(([name, { calls, tokens: count }]) => [
      name,
      calls,
      count,
      share(count, tokens.total),
      bar(count, tokens.total, width),
    ]);
  const table = renderTable([atMost("tool", 40), right("calls"), right("tokens"), right("share"), ""], rows, colors);
  return all.length > MOST_TOOLS
    ? `${table}\n  and ${plural(all.length - MOST_TOOLS, "more tool")}: see --json`
    : table;
}

function largest(inspection: Inspection, colors: Colors): string {
  const rows = inspection.largest.map(({ message, role, tokens, what }) => [message, role, tokens, what]);
  return renderTable([right("#"), "role", right("tokens"), atMost("what", 60)], rows, colors);
}

function planLines({ plan, tokens }: Inspection): string {
  if (!plan.possible) return `  is not possible: ${plan.reason}`;
  if (plan.expected_tokens >= tokens.total)
    return `  would not make it smaller (budget ${figure(plan.budget)}, aim ${figure(plan.target)}).`;
  const { kept } = plan;
  return [
    `  keeps   ${figure(kept.pinned)} pinned, ${plural(kept.recent_turns, "recent turn")}, ${plural(kept.tool_pairs, "tool pair")}`,
    `  leaves  ${plural(plan.pruned_count, "message")} to a summary of at most ${plural(plan.summary_max_tokens, "token")}`,
    `  size    ${figure(tokens.total)} -> at most ${figure(plan.expected_tokens)} tokens (budget ${figure(plan.budget)}, aim ${figure(plan.target)})`,
  ].join("\n");
}

function factShares({ facts }: Inspection, width: number, colors: Colors): string {
  const rows = facts.map(({ tokens, kept, all }) => [
    tokens,
    `${figure(kept)} of ${figure(all)}`,
    bar(kept, Math.max(1, all), width),
  ]);
  return renderTable([right("tokens"), right("facts"), ""], rows, colors);
}

function share(part: number, total: number): string {
  return total === 0 ? "" : percent(part / total);
}
