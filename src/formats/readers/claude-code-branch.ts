// Decides which lines of a Claude Code session belong to the conversation: the chain of parents from the last
// message, the conversations of other sessions that stand in the same file, and the lines that hang beside the
// chain but were part of it (parallel calls, their results).
import { asText } from "../json-shape.ts";
import { firstCopies, keyOfAnswer } from "./claude-code-copies.ts";
import type { SessionLine } from "./claude-code-line.ts";
import { type Thread, walkThreads } from "./claude-code-threads.ts";

export interface Branch {
  /** Lines with a message, in the order of the file. */
  readonly lines: readonly SessionLine[];
  /** Prompts that were given up by going back. */
  readonly rewoundPrompts: number;
  /** Places where the line before was not in the file and the one physically before was taken. */
  readonly gaps: number;
  /** Conversations that were joined, each with a beginning of its own. */
  readonly sessions: number;
  /** Lines left out because they stand in the file once more. */
  readonly repeatedLines: number;
}

/** The conversation in all lines of a session file. */
export function findBranch(all: readonly SessionLine[]): Branch {
  const lines = firstCopies(all);
  const choice = chooseThreads(walkThreads(lines));
  const { taken, copies } = choice;
  takeNameless(lines, taken);
  const others = lines.filter((line) => !copies.has(line));
  addSiblings(others, taken);
  const repeated = dropRepeatedAnswers(lines, taken);
  const left = others.filter((line) => line.message !== undefined && !taken.has(line));
  const kept = lines.filter((line) => line.message !== undefined && taken.has(line));
  return {
    lines: kept,
    rewoundPrompts: left.filter(isPrompt).length,
    gaps: choice.gaps,
    sessions: choice.sessions,
    repeatedLines: all.length - lines.length + copies.size + repeated,
  };
}

interface Choice {
  readonly taken: Set<SessionLine>;
  /** Lines of an earlier session whose answers stand in a later one again. */
  readonly copies: Set<SessionLine>;
  gaps: number;
  sessions: number;
}

/**
 * From the end of the file: the last thread is alive. An earlier one with a beginning of its own belongs to the
 * conversation when it is another session's; when it is the same session's, somebody went back to the start.
 */
function chooseThreads(threads: readonly Thread[]): Choice {
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
  { lines, branchesFrom }: Thread,
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

/** Something a person asked, as opposed to results and what the host put in. */
function isPrompt(line: SessionLine): boolean {
  const { message } = line;
  return (
    message?.role === "user" && !message.isHostWritten && message.blocks.length > 0 && resultIds(line).length === 0
  );
}
