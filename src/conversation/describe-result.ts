// The report of a compaction, or of why there was none.
import { countFacts } from "../facts/ledger.ts";
import { figure } from "../text/figures.ts";
import { oneLine } from "../text/quote.ts";
import type { Assembled } from "./assemble.ts";
import { countKept, firstChanged, usageFields } from "./conversation-events.ts";
import type { ConversationParts } from "./conversation-parts.ts";
import type { DueCompaction, Layers, PreparedCompaction } from "./layers.ts";
import type { ReadConversation } from "./read-conversation.ts";
import {
  type CompactionCost,
  type ConversationReport,
  type ConversationResult,
  costOfCompaction,
  type ReportWarning,
} from "./report.ts";
import type { WrittenSummary } from "./write-summary.ts";

/** What an archive did not take that may fail. */
export interface NotSaved {
  readonly what: "transcript" | "summary" | "state";
  /** One sentence without its full stop, and without any content. */
  readonly message: string;
}

interface Done {
  readonly written: WrittenSummary | undefined;
  readonly assembled: Assembled;
  readonly transcript: string | null;
  readonly summary: string | null;
  /** What the archive did not take. */
  readonly lost: readonly NotSaved[];
}

/** Nothing was changed: the caller's list goes back; where compaction was due, healed if it was damaged. */
export function describeSkip(
  { input, measured: read, state, decision }: PreparedCompaction,
  parts: ConversationParts,
  reason: string,
  transcript: string | null = null,
): ConversationResult {
  const repairs = decision.triggered ? read.repairs : [];
  const report: ConversationReport = {
    status: "skipped",
    reason,
    ...commonOf(input.sessionId, read.format.name, parts),
    tokens_before: read.total,
    tokens_after: read.total,
    reduction: 0,
    kept: { pinned: 0, recent_turns: 0, tool_pairs: 0 },
    pruned_count: 0,
    summary: { version: null, strategy: parts.policy.strategy, tokens: 0, source: "none" },
    facts: countFacts(state.ledger),
    cost: null,
    archive: { transcript, summary: null },
    repairs,
    warnings: standingWarnings(parts),
  };
  return { messages: repairs.length === 0 ? input.messages : read.messages, report };
}

export function describeDone(
  { input, read, layers }: DueCompaction,
  parts: ConversationParts,
  done: Done,
): ConversationResult {
  const { written, assembled } = done;
  const report: ConversationReport = {
    status: written?.source === "none" ? "pruned_only" : "compacted",
    ...commonOf(input.sessionId, read.format.name, parts),
    tokens_before: read.total,
    tokens_after: assembled.tokens,
    reduction: Math.round((1 - assembled.tokens / Math.max(1, read.total)) * 10_000) / 10_000,
    kept: countKept(read, layers),
    pruned_count: layers.removed.length,
    summary: {
      version: written?.version ?? null,
      strategy: written?.strategy ?? parts.policy.strategy,
      tokens: assembled.summaryTokens,
      source: written?.source ?? "none",
      ...(written?.usage === undefined ? {} : { usage: usageFields(written.usage) }),
    },
    facts: countFacts(layers.ledger),
    cost: describeCost(input.messages, read, assembled, written, parts),
    archive: { transcript: done.transcript, summary: done.summary },
    repairs: read.repairs,
    warnings: [
      ...lossWarnings(done),
      ...targetWarnings(layers, assembled),
      ...failureWarnings(written),
      ...cutWarnings(written),
      ...factWarnings(done),
      ...doubtWarnings(written, parts),
      ...standingWarnings(parts),
    ],
  };
  return { messages: assembled.placed.messages, report };
}

function describeCost(
  before: readonly unknown[],
  read: ReadConversation,
  { placed, tokens }: Assembled,
  written: WrittenSummary | undefined,
  { counter }: ConversationParts,
): CompactionCost {
  const first = firstChanged(before, placed.messages);
  const prefixTokens = placed.messages
    .slice(0, first)
    .reduce<number>((sum, message) => sum + counter.countMessage(message, read.format.view(message)), read.fixedTokens);
  return costOfCompaction({
    tokensBefore: read.total,
    tokensAfter: tokens,
    firstChangedIndex: first,
    prefixTokens,
    usage: written?.usage,
  });
}

function commonOf(sessionId: string, format: string, { budget }: ConversationParts) {
  return { session_id: sessionId, format, budget };
}

function targetWarnings(
  layers: Layers,
  { tokens, recentTokens, pinnedTokens, summaryTokens }: Assembled,
): readonly ReportWarning[] {
  if (tokens <= layers.target) return [];
  const message = `Target ${figure(layers.target)} tokens, got ${figure(tokens)}. What stays: recent layer ${recentTokens}, pinned ${pinnedTokens}, summary ${summaryTokens}.`;
  return [{ code: "target_not_reached", message }];
}

const LOSSES: Readonly<Record<NotSaved["what"], string>> = {
  transcript: "The messages that left the conversation, and what was shortened in others, cannot be brought back",
  summary: "A later process may not know of this compaction",
  state: "A later process may not know of this compaction",
};

function lossWarnings({ lost }: Done): readonly ReportWarning[] {
  return lost.map(({ what, message }) => ({ code: "not_archived", message: `${message}. ${LOSSES[what]}.` }));
}

function factWarnings({ written, transcript }: Done): readonly ReportWarning[] {
  if (written === undefined) return [];
  const { shortened, messages, files } = written.left;
  const named = [
    [shortened, "of the users' messages stand there in part"],
    [messages, "of the users' messages not at all"],
    [files, "changed files are not named"],
  ] as const;
  const told = named.filter(([count]) => count > 0).map(([count, what]) => `${figure(count)} ${what}`);
  if (told.length === 0) return [];
  const where = transcript === null ? "they were not archived" : "all of them are in the archive";
  return [{ code: "facts_left_out", message: `The summary had no room for everything: ${told.join(", ")}; ${where}.` }];
}

function failureWarnings(written: WrittenSummary | undefined): readonly ReportWarning[] {
  if (written?.failure === undefined) return [];
  const { code, hint } = written.failure;
  const instead =
    written.source === "none" ? "a notice with the carried facts stands for it" : "code wrote the summary instead";
  const message = `The summarizer gave no summary (${code}); ${instead}. ${hint ?? "The events say what was tried."}`;
  return [{ code: "summary_failed", message }];
}

function cutWarnings(written: WrittenSummary | undefined): readonly ReportWarning[] {
  if (written?.usage?.isCut !== true) return [];
  const message =
    "The summarizing server reports far fewer tokens read than were sent: it may cut long prompts without a word. Set summarizer.max_context_tokens to the window it was started with.";
  return [{ code: "summary_input_cut", message }];
}

const DOUBTS = [
  ["name", "invented_identifiers", "named by the model and not by the conversation"],
  ["claim", "doubtful_claims", "of the model's text marked or left out"],
] as const;
const MOST_TOLD = 5;
const TOLD_LENGTH = 80;

/** What of a model's text was marked or left out, and why: a few of each kind. */
function doubtWarnings(written: WrittenSummary | undefined, { redactor }: ConversationParts): readonly ReportWarning[] {
  return DOUBTS.flatMap(([wanted, code, what]) => {
    const doubts = written?.doubts.filter(({ kind }) => kind === wanted) ?? [];
    if (doubts.length === 0) return [];
    const told = doubts.slice(0, MOST_TOLD).map(({ text, why }) => `"${oneLine(text, TOLD_LENGTH)}" (${why})`);
    const rest = doubts.length - told.length;
    const message = `${doubts.length} ${what}: ${told.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}.`;
    return [{ code, message: redactor.text(message) }];
  });
}

function standingWarnings({ redactor, archive, counter }: ConversationParts): readonly ReportWarning[] {
  const warnings: ReportWarning[] = [];
  if (!redactor.isEnabled)
    warnings.push({
      code: "redaction_disabled",
      message: "Redaction is switched off: secrets in the conversation go into the archive as they are.",
    });
  if (archive === undefined)
    warnings.push({ code: "no_archive", message: "No archive is set: what left the conversation cannot be restored." });
  if (!counter.isExact) warnings.push({ code: "estimated_counts", message: describeEstimates(counter.margin) });
  return warnings;
}

function describeEstimates(margin: number): string {
  const within = margin === 0 ? "" : `, within about ${Math.round(margin * 100)} %`;
  return `The model's tokenizer is not public: token counts are estimates${within}.`;
}
