// Reads a Claude Code session file into the Anthropic messages of its live branch. The host's own compactions
// are undone: the whole transcript before them is in the file. What was left out is said in notes.
import { markHostWritten } from "../providers/message-marks.ts";
import { isFramed } from "../providers/place.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { type FoundCompaction, placeCompactions, tokensOf } from "./host-compactions.ts";
import {
  assembleMessages,
  firstCopies,
  isPrompt,
  type SessionMessage,
  type Thread,
  walkThread,
} from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import {
  type Counts,
  isWindow,
  readLineValues,
  type SessionValue,
  sessionNotes,
  withoutDocument,
} from "./session-values.ts";

// Decides which lines of a Claude Code session belong to the conversation: the chain of parents from the last
// message, the conversations of other sessions that stand in the same file, and the lines that hang beside the
// chain but were part of it (parallel calls, their results).

interface Choice {
  readonly taken: Set<SessionLine>;
  /** Lines of an earlier session whose answers stand in a later one again. */
  readonly copies: Set<SessionLine>;
  /** Places where the line before was not in the file and the one physically before was taken. */
  gaps: number;
  /** Conversations that were joined, each with a beginning of its own. */
  sessions: number;
}

/**
 * From the end of the file: the last thread is alive. An earlier one with a beginning of its own belongs to the
 * conversation when it is another session's; when it is the same session's, somebody went back to the start.
 */
function chooseThreads(threads: readonly Thread<SessionLine>[]): Choice {
  const choice: Choice = { taken: new Set(), copies: new Set(), gaps: 0, sessions: 0 };
  const answers = new Set<string>();
  const sessions = new Set<string>();
  for (const thread of threads) {
    const { lines } = thread;
    const copied = copiedLines(thread, choice, answers);
    for (const line of copied) choice.copies.add(line);
    const isOthers = thread.branchesFrom === undefined && !sessions.has(lines[0]?.session ?? "");
    if (!isOthers || copied.length > 0) continue;
    choice.sessions += 1;
    choice.gaps += thread.gaps;
    for (const line of lines) {
      choice.taken.add(line);
      sessions.add(line.session);
      if (answerId(line) !== "") answers.add(answerId(line));
    }
  }
  return choice;
}

/** Of a thread that was copied into a later one, the lines up to the last answer that is in both. */
function copiedLines(
  { lines, branchesFrom }: Thread<SessionLine>,
  { copies }: Choice,
  answers: ReadonlySet<string>,
): readonly SessionLine[] {
  if (branchesFrom !== undefined) return copies.has(branchesFrom) ? lines : [];
  return lines.slice(0, lines.findLastIndex((line) => answers.has(answerId(line))) + 1);
}

function answerId({ message }: SessionLine): string {
  return message?.role === "assistant" ? message.id : "";
}

/** Of the lines of an answer that say the same, the first stays. Gives the number of those that went. */
function dropRepeatedAnswers(lines: readonly SessionLine[], taken: Set<SessionLine>): number {
  const known = new Set<string>();
  let repeated = 0;
  for (const line of lines) {
    if (line.message?.role !== "assistant" || !taken.has(line)) continue;
    if (known.has(keyOfAnswer(line))) {
      taken.delete(line);
      repeated += 1;
    }
    known.add(keyOfAnswer(line));
  }
  return repeated;
}

/** A line that nobody can follow by name goes with the line before it. */
function takeNameless(lines: readonly SessionLine[], taken: Set<SessionLine>): void {
  let before: SessionLine | undefined;
  for (const line of lines) {
    if (line.message === undefined) continue;
    if (line.isNameless && before !== undefined && taken.has(before)) taken.add(line);
    before = line;
  }
}

/** Takes every line of an answer that was taken, and the results of its calls that stand beside it. */
function addSiblings(lines: readonly SessionLine[], taken: Set<SessionLine>): void {
  const answers = new Set([...taken].map(answerId).filter((id) => id !== ""));
  const known = new Set([...taken].map(keyOfAnswer));
  for (const line of lines) {
    if (!answers.has(answerId(line)) || known.has(keyOfAnswer(line))) continue;
    known.add(keyOfAnswer(line));
    taken.add(line);
  }
  const waiting = new Set([...taken].flatMap(callIds));
  for (const line of taken) for (const callId of resultIds(line)) waiting.delete(callId);
  for (const line of lines) {
    const ids = taken.has(line) ? [] : resultIds(line);
    if (!ids.some((callId) => waiting.has(callId))) continue;
    taken.add(line);
    for (const callId of ids) waiting.delete(callId);
  }
}

function callIds({ message }: SessionLine): readonly string[] {
  if (message?.role !== "assistant") return [];
  return message.blocks.flatMap((block) => (block.type === "tool_use" ? [asText(block.id)] : []));
}

function resultIds({ message }: SessionLine): readonly string[] {
  if (message?.role !== "user") return [];
  return message.blocks.flatMap((block) => (block.type === "tool_result" ? [asText(block.tool_use_id)] : []));
}

// Follows the parents of a Claude Code session's lines: from each last message back to where its conversation
// began, or to a line that another thread already holds. Each line is walked once.

/** All threads; the first is the one that ends with the last message of the file. */
function walkThreads(lines: readonly SessionLine[]): readonly Thread<SessionLine>[] {
  const byId = new Map(lines.map((line) => [line.uuid, line]));
  const before = nearestMessageBefore(lines);
  const walked = new Set<SessionLine>();
  const threads: Thread<SessionLine>[] = [];
  for (const line of lines.toReversed()) {
    if (line.message === undefined || walked.has(line)) continue;
    threads.push(walkThread(line, { byId, before, walked }));
  }
  return threads;
}

function nearestMessageBefore(lines: readonly SessionLine[]): ReadonlyMap<SessionLine, SessionLine> {
  const before = new Map<SessionLine, SessionLine>();
  let last: SessionLine | undefined;
  for (const line of lines) {
    if (last !== undefined) before.set(line, last);
    if (line.message !== undefined) last = line;
  }
  return before;
}

// One line of a Claude Code session file, reduced to what matters: who it comes from, what it follows, and
// whether the model saw it.

interface SessionLine {
  /** Position among the values of the file. */
  readonly at: number;
  /** 1-based line in the file. */
  readonly line: number;
  readonly uuid: string;
  /** "" where the line names none. */
  readonly session: string;
  /** It cannot be followed by name: it goes with the line before it. */
  readonly isNameless: boolean;
  /** The line it follows; across the host's own compaction, the last line before it. "" when none is named. */
  readonly parent: string;
  readonly isBoundary: boolean;
  readonly message: SessionMessage | undefined;
}

/** Openings of texts in the user's place that no person typed: what a command printed, what is open in an editor, reminders, what other agents sent. */
const HOST_OPENING =
  /^\s{0,8}<(?:local-command-(?:caveat|stdout|stderr)|bash-(?:stdout|stderr)|ide_(?:opened_file|selection|diagnostics)|system-reminder|task-notification|teammate-message|user-prompt-submit-hook)\b/;

/** The lines with a place in the thread of messages. A file of nothing but a subagent's lines is its own thread. */
function readSessionLines(values: readonly SessionValue[]): readonly SessionLine[] {
  const isMain = values.some(({ value }) => isMessageLine(value) && !isSubagents(value));
  let before: SessionLine | undefined;
  return values.flatMap(({ value, line }, at) => {
    if (!isObject(value) || (isMain && isSubagents(value))) return [];
    const read = readLine(value, { at, line }, before);
    if (read?.message !== undefined) before = read;
    return read ?? [];
  });
}

/** True for a line that holds what a person, a tool or the model said. */
export function isMessageLine(value: unknown): value is JsonObject {
  return isObject(value) && (value.type === "user" || value.type === "assistant") && isObject(value.message);
}

export function isSubagents(value: JsonObject): boolean {
  return value.isSidechain === true || isFilledText(value.parent_tool_use_id);
}

function readLine(
  value: JsonObject,
  place: Pick<SessionLine, "at" | "line">,
  before: SessionLine | undefined,
): SessionLine | undefined {
  const isNameless = !isFilledText(value.uuid);
  if (isNameless && !isMessageLine(value)) return undefined;
  return {
    ...place,
    uuid: asText(value.uuid) || `line ${place.at}`,
    session: asText(value.sessionId) || asText(value.session_id) || (before?.session ?? ""),
    isNameless,
    parent: isNameless || saysNoParent(value) ? (before?.uuid ?? "") : parentOf(value),
    isBoundary: value.type === "system" && value.subtype === "compact_boundary",
    message: readMessage(value, place.at),
  };
}

/** What the host streams has names and no parents; in its session files the first line follows `null`. */
function saysNoParent(value: JsonObject): boolean {
  return value.parentUuid === undefined && value.logicalParentUuid === undefined && isMessageLine(value);
}

function parentOf({ parentUuid, logicalParentUuid }: JsonObject): string {
  return asText(parentUuid) || asText(logicalParentUuid);
}

function readMessage(value: JsonObject, at: number): SessionMessage | undefined {
  if (value.type === "attachment") return readQueuedPrompt(value);
  if (!isMessageLine(value)) return undefined;
  const message = value.message as JsonObject;
  const role = value.type === "user" ? "user" : "assistant";
  const isOnlyShown = value.isVisibleInTranscriptOnly === true && value.isCompactSummary !== true;
  if (value.isApiErrorMessage === true || isOnlyShown) return undefined;
  const blocks = readBlocks(message.content);
  if (role === "user") for (const block of blocks) if (opensAsHost(block)) markHostWritten(block);
  const isHostWritten = value.isMeta === true || value.isCompactSummary === true;
  return {
    role,
    id: asText(message.id) || asText(value.uuid) || `line ${at}`,
    blocks,
    isHostWritten: role === "user" && isHostWritten,
    model: asText(message.model),
  };
}

/** What was typed while the model worked is put into the running turn, and stands on no user line. */
function readQueuedPrompt({ attachment, uuid }: JsonObject): SessionMessage | undefined {
  if (!isObject(attachment) || attachment.type !== "queued_command") return undefined;
  const isTyped = attachment.commandMode === undefined || attachment.commandMode === "prompt";
  const isHuman = !isObject(attachment.origin) || attachment.origin.kind === "human";
  const isHostWritten = attachment.isMeta === true || !isTyped || !isHuman;
  return { role: "user", id: asText(uuid), blocks: readBlocks(attachment.prompt), isHostWritten, model: "" };
}

/** Content as blocks, without the empty texts that the provider would refuse. */
function readBlocks(content: unknown): readonly JsonObject[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
  return blocks.filter((block) => block.type !== "text" || asText(block.text).trim() !== "");
}

function opensAsHost({ type, text }: JsonObject): boolean {
  return type === "text" && HOST_OPENING.test(asText(text).slice(0, 100));
}

/** True when the values of a JSON Lines file are those of a Claude Code session. */
export function isClaudeCodeSession(values: readonly unknown[]): boolean {
  return values.some(isMessageLine);
}

/** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
export function readClaudeCodeSession(from: SessionText): SessionRead {
  const { values, faults } = readLineValues(from);
  const { branch, counts } = readBranch(values);
  const { messages, sources } = assembleMessages(branch);
  const model = branch.findLast((line) => isModelName(line.message?.model))?.message?.model;
  return {
    sessionId: findSessionId(values.map(({ value }) => value)),
    messages,
    notes: sessionNotes(faults, counts),
    sources: withoutDocument(sources),
    ...placeCompactions(findCompactions(values, branch), messages),
    ...(model ? { model } : {}),
    ...findWindow(values.map(({ value }) => value)),
  };
}

/** The lines that stand before the model, in order, and what was left out on the way to them. */
export function readBranch(values: readonly SessionValue[]): {
  readonly branch: readonly SessionLine[];
  readonly counts: Counts;
} {
  const all = readSessionLines(values);
  const lines = firstCopies(all, ({ uuid }) => uuid);
  const { taken, copies, gaps, sessions } = chooseThreads(walkThreads(lines));
  takeNameless(lines, taken);
  const others = lines.filter((line) => !copies.has(line));
  addSiblings(others, taken);
  const repeated = dropRepeatedAnswers(lines, taken);
  const counts = {
    sessions,
    repeated: all.length - lines.length + copies.size + repeated,
    rewound: others.filter((line) => isPrompt(line.message) && !taken.has(line)).length,
    gaps,
    compactions: new Set(all.filter((line) => line.isBoundary).map(({ uuid }) => uuid)).size,
  };
  return { branch: lines.filter((line) => line.message !== undefined && taken.has(line)), counts };
}

/** A boundary says what left; the summary is the next that stands in the file. */
function findCompactions(values: readonly SessionValue[], branch: readonly SessionLine[]): readonly FoundCompaction[] {
  const blocksAt = new Map(branch.map(({ at, message }) => [at, message?.blocks]));
  const blocksOf = new Map(branch.map(({ uuid, message }) => [uuid, message?.blocks]));
  let boundary: JsonObject = {};
  return values.flatMap(({ value }, at): readonly FoundCompaction[] => {
    if (!isObject(value)) return [];
    if (value.subtype === "compact_boundary") boundary = isObject(value.compactMetadata) ? value.compactMetadata : {};
    const [block] = (value.isCompactSummary === true && blocksAt.get(at)) || [];
    const summary = asText(block?.text);
    if (block === undefined || isFramed(summary)) return [];
    const { preTokens, postTokens, preservedSegment: kept } = boundary;
    boundary = {};
    const stays = isObject(kept) ? blocksOf.get(asText(kept.headUuid))?.[0] : undefined;
    return [{ block, stays, summary, ...tokensOf({ before: preTokens, after: postTokens }) }];
  });
}

/** Answers that the host made up carry a name in angle brackets. */
function isModelName(model: string | undefined): boolean {
  return model !== undefined && model !== "" && !model.startsWith("<");
}

/** A printed session ends with it, by model; beside the one that works stand smaller ones. */
function findWindow(values: readonly unknown[]): { readonly window?: number } {
  const usages = values.flatMap((value) => (isObject(value) && isObject(value.modelUsage) ? [value.modelUsage] : []));
  const windows = Object.values(usages.at(-1) ?? {}).map((usage) => isObject(usage) && usage.contextWindow);
  const window = Math.max(...windows.filter(isWindow));
  return Number.isFinite(window) ? { window } : {};
}

function findSessionId(values: readonly unknown[]): string | undefined {
  const last = values.findLast((value) => isObject(value) && typeof value.sessionId === "string");
  return isObject(last) ? String(last.sessionId) : undefined;
}

export const claudeCodeReader: SessionReader = {
  name: "claude-code",
  title: "Claude Code session",
  matches: isClaudeCodeSession,
  read: readClaudeCodeSession,
};

/** Equal for lines of one answer that say the same; the line's own uuid for any other. */
function keyOfAnswer({ message, uuid }: SessionLine): string {
  return message?.role === "assistant" ? `${message.id} ${toJson(message.blocks)}` : uuid;
}
