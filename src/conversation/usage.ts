// Sizes up a list before anything is decided: our count, corrected for the model's family by what was reported before,
// and anchored at the provider's report for the last call where there is one.
import type { MessagePart, MessageView } from "../providers/format.ts";
import { type Calibration, calibrate, UNCALIBRATED } from "../tokens/budget.ts";
import type { ConversationInput, ConversationParts, MessageCounter } from "./conversation-parts.ts";
import { type MeasuredConversation, measureConversation } from "./measure-conversation.ts";
import type { SessionState } from "./session-state.ts";
import { SUMMARY_PREFIX } from "./summary-frame.ts";

/** What earlier looks at a session's list found. */
export interface EarlierSizes {
  /** As counted, uncorrected. */
  readonly counted?: MeasuredConversation | undefined;
  readonly calibration?: Calibration;
  readonly lastCall?: CallSize | undefined;
  /** Length of the list that the last compaction of this process gave. */
  readonly compactedLength?: number;
}

export interface SizedUp {
  /** Corrected and anchored; its total is what the next call takes. */
  readonly measured: MeasuredConversation;
  /** With a counter that is corrected likewise. */
  readonly parts: ConversationParts;
  readonly isReported: boolean;
  readonly isImplausible: boolean;
  readonly next: Required<Pick<EarlierSizes, "counted" | "calibration">> & Pick<EarlierSizes, "lastCall">;
}

/** Unseen tokens count as immovable up to this share of the budget; beyond it the report is doubted, not the list. */
const MOST_UNSEEN = 0.5;
/** Share of our own count below which a report is doubted: no two tokenizers lie so far apart. */
const LEAST_REPORTED = 0.4;

export async function sizeUp(
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
  earlier: EarlierSizes,
): Promise<SizedUp> {
  const counted = await measureConversation(input, parts, earlier.counted);
  const found =
    counted.repairs.length > 0 ? undefined : findReport(counted, freshFrom(counted, state, earlier), input.usage);
  const before = earlier.calibration ?? UNCALIBRATED;
  const foundCall = found === undefined ? undefined : callSize(counted, found);
  const isImplausible =
    found !== undefined &&
    foundCall !== undefined &&
    !(isPlausible(found, parts.maxContextTokens) && isWholePrompt(foundCall, before));
  const report = isImplausible ? undefined : found;
  const call = isImplausible ? undefined : foundCall;
  const calibration = call === undefined || parts.counter.isExact ? before : learn(before, earlier.lastCall, call);
  const ratio = parts.counter.isExact ? 1 : calibration.ratio;
  const scaled = scaleMeasured(counted, ratio);
  const { total, unseen, isReported } = occupy(scaled, report, parts.counter.isExact);
  return {
    measured: anchorAt(scaled, total, unseen, Math.floor(parts.budget * MOST_UNSEEN)),
    parts: ratio === 1 ? parts : { ...parts, counter: scaleCounter(parts.counter, ratio) },
    isReported,
    isImplausible,
    next: { counted, calibration, ...(call === undefined ? { lastCall: earlier.lastCall } : { lastCall: call }) },
  };
}

/** A report far below what we count is that of another list, or leaves cached tokens out: trusted, the window would overflow. */
function isWholePrompt({ estimated, reported }: CallSize, { ratio }: Calibration): boolean {
  return reported >= LEAST_REPORTED * Math.min(1, ratio) * estimated;
}

/** Messages before this index stood in the list when it was last compacted. */
function freshFrom({ messages, format }: MeasuredConversation, state: SessionState, earlier: EarlierSizes): number {
  const inProcess = earlier.compactedLength ?? 0;
  const stored = state.list_length ?? 0;
  const isOurs = (message: unknown) => format.summaryText(message)?.startsWith(SUMMARY_PREFIX) === true;
  return messages.slice(0, stored).some(isOurs) ? Math.max(stored, inProcess) : inProcess;
}

/** The prompt of the call that was reported: everything before its answer. */
function callSize({ tokens, views, fixedTokens }: MeasuredConversation, report: Report): CallSize {
  let end = report.covers;
  while (end > 0 && views[end - 1]?.role === "assistant") end--;
  const estimated = tokens.slice(0, end).reduce((sum, size) => sum + size, fixedTokens);
  return { estimated, reported: report.input };
}

function anchorAt(
  measured: MeasuredConversation,
  total: number,
  unseen: number,
  mostUnseen: number,
): MeasuredConversation {
  const difference = total - measured.total;
  if (difference === 0) return measured;
  const { breakdown } = measured;
  const adjusted =
    difference > 0
      ? { ...breakdown, tools_schema: breakdown.tools_schema + difference }
      : { ...breakdown, messages: Math.max(0, breakdown.messages + difference) };
  const sum = adjusted.system + adjusted.developer + adjusted.tools_schema + adjusted.messages;
  const believed = Math.min(unseen, mostUnseen);
  const fixedTokens = measured.fixedTokens + believed;
  return { ...measured, breakdown: adjusted, total: sum, fixedTokens, doubted: unseen - believed };
}

// How full the window is: our estimate, held against what the provider reported for the last call. A report covers the
// list up to the answer it came with; what was added since is estimated. Reports from before a compaction are void.

interface Report extends OccupiedTokens {
  /** Messages of the list that it covers, the answer it came with included. */
  readonly covers: number;
}

/**
 * The newest report that speaks of this list: what the caller passed for its last call, else the `usage` field of an
 * answer in the list. Messages before `freshFrom` were there before the last compaction: what they report is void.
 */
function findReport(
  { messages, views }: Pick<MeasuredConversation, "messages" | "views">,
  freshFrom: number,
  passed: unknown,
): Report | undefined {
  for (let index = views.length - 1; index >= freshFrom; index--) {
    if (views[index]?.role !== "assistant") continue;
    const usage = readUsage(passed) ?? readUsage((messages[index] as { readonly usage?: unknown }).usage);
    if (usage !== undefined) return { ...usage, covers: endOfAnswer(views, index) };
    if (passed !== undefined) return undefined;
  }
  return undefined;
}

/** An answer may be several items in a row. */
function endOfAnswer(views: readonly MessageView[], index: number): number {
  let end = index + 1;
  while (views[end]?.role === "assistant") end++;
  return end;
}

/** A report above the window is a sum over calls or a bill, never one prompt. */
function isPlausible({ input, output }: OccupiedTokens, maxContextTokens: number): boolean {
  return input > 0 && input + output <= maxContextTokens;
}

/**
 * `total`: tokens of everything that would be sent next. `unseen`: those beside what we can see (a system prompt or tools we
 * were not given), which compaction cannot win.
 */
function occupy(measured: MeasuredConversation, report: Report | undefined, isExact: boolean) {
  const { total, tokens } = measured;
  if (report === undefined) return { total, unseen: 0, isReported: false };
  const later = tokens.slice(report.covers).reduce((sum, size) => sum + size, 0);
  const occupied = report.input + report.output + later;
  // Then the report is that of another list.
  if (isExact && certainTokens(measured) > occupied) return { total, unseen: 0, isReported: false };
  return { total: occupied, unseen: Math.max(0, occupied - total), isReported: true };
}

/** What an exact count is sure of: the texts. Pictures, documents and sealed reasoning are sized, and a report knows more of them. */
function certainTokens({ views, tokens, fixedTokens }: MeasuredConversation): number {
  return tokens.reduce(
    (sum, size, index) => sum + (views[index]?.parts.every(isPlain) === true ? size : 0),
    fixedTokens,
  );
}

function isPlain(part: MessagePart): boolean {
  if (part.kind === "result") return part.images === 0 && part.sealedLength === undefined;
  return part.kind === "text" || part.kind === "call";
}

// Reads how many tokens a model call took, as its provider reports it, in whichever of the usual spellings.

interface OccupiedTokens {
  /** The whole prompt, cached or not. */
  readonly input: number;
  /** The answer, which is part of the next prompt. */
  readonly output: number;
}

type Figures = Readonly<Record<string, unknown>>;

/** Spellings of the whole prompt: what was cached is a part of it, also where a proxy puts it beside once more. */
const WHOLE_PROMPT = ["prompt_tokens", "promptTokens", "promptTokenCount", "prompt_token_count"];
const INPUT = ["input_tokens", "inputTokens", "input"];
const OUTPUT = [
  "output_tokens",
  "completion_tokens",
  "outputTokens",
  "completionTokens",
  "candidatesTokenCount",
  "candidates_token_count",
  "output",
];
/** Anthropic and its relatives report cached tokens beside the input; elsewhere they are a part of it (`…_details`). */
const CACHE_READ = ["cache_read_input_tokens", "cacheReadInputTokens", "cache_read", "cacheRead"];
const CACHE_WRITTEN = [
  "cache_creation_input_tokens",
  "cacheCreationInputTokens",
  "cacheWriteInputTokens",
  "cache_creation",
  "cache_write",
  "cacheWrite",
];

/** Undefined when there are no figures, or figures that no call has. */
function readUsage(usage: unknown): OccupiedTokens | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const figures = usage as Figures;
  const input = readInput(figures);
  return input === undefined ? undefined : { input, output: first(figures, OUTPUT) ?? 0 };
}

function readInput(figures: Figures): number | undefined {
  const whole = first(figures, WHOLE_PROMPT);
  const input = first(figures, INPUT);
  // Proxies fill in both, and one of them with nothing.
  if (input === undefined || (whole ?? 0) > 0) return whole;
  return input + (first(figures, CACHE_READ) ?? 0) + (first(figures, CACHE_WRITTEN) ?? 0);
}

/** The first that is more than nothing. */
function first(figures: Figures, names: readonly string[]): number | undefined {
  const found = names.map((name) => totalOf(figures[name])).filter(isCount);
  return found.find((figure) => figure > 0) ?? found[0];
}

function isCount(figure: unknown): figure is number {
  return typeof figure === "number" && Number.isFinite(figure) && figure >= 0;
}

/** The models of `ai` break their figures down, with the sum beside. */
function totalOf(figure: unknown): unknown {
  return typeof figure === "object" && figure !== null && "total" in figure ? figure.total : figure;
}

// Estimates of a family without a public tokenizer, corrected by what its provider reported. The correction is learned
// from what the prompt grew by between two calls, so that a system prompt we never saw does not pass for it.

/** One call: what we estimated (uncorrected) and what was reported, for the same list. */
export interface CallSize {
  readonly estimated: number;
  readonly reported: number;
}

function learn(calibration: Calibration, before: CallSize | undefined, now: CallSize): Calibration {
  if (before === undefined) return calibration;
  return calibrate(calibration, now.estimated - before.estimated, now.reported - before.reported);
}

function scaleCounter(counter: MessageCounter, ratio: number): MessageCounter {
  if (ratio === 1) return counter;
  const scale = (tokens: number) => Math.ceil(tokens * ratio);
  return {
    isExact: counter.isExact,
    margin: counter.margin,
    countText: (text) => scale(counter.countText(text)),
    countMessage: (message, view) => scale(counter.countMessage(message, view)),
    countSystem: (system) => scale(counter.countSystem(system)),
    countTools: (tools) => scale(counter.countTools(tools)),
  };
}

/** The same list in corrected tokens; the breakdown still adds up. */
function scaleMeasured(measured: MeasuredConversation, ratio: number): MeasuredConversation {
  if (ratio === 1) return measured;
  const scale = (tokens: number) => Math.ceil(tokens * ratio);
  const { system, developer, tools_schema, messages } = measured.breakdown;
  const breakdown = {
    system: scale(system),
    developer: scale(developer),
    tools_schema: scale(tools_schema),
    messages: scale(messages),
  };
  return {
    ...measured,
    tokens: measured.tokens.map(scale),
    breakdown,
    fixedTokens: scale(measured.fixedTokens),
    total: breakdown.system + breakdown.developer + breakdown.tools_schema + breakdown.messages,
  };
}
