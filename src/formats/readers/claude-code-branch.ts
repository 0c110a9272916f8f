// Decides which lines of a Claude Code session belong to the branch that is alive: the chain of parents from
// the last message, and the lines that hang beside the chain but were part of it (parallel calls, their results).
import { asText } from "../json-shape.ts";
import type { SessionLine } from "./claude-code-line.ts";

export interface Branch {
  /** Lines with a message, in the order of the file. */
  readonly lines: readonly SessionLine[];
  /** Prompts of branches that were given up by going back. */
  readonly rewoundPrompts: number;
  /** Places where the line before was not in the file and the one physically before was taken. */
  readonly gaps: number;
}

/** The live branch of all lines of a session. */
export function findBranch(lines: readonly SessionLine[]): Branch {
  const { chain, gaps } = followParents(lines);
  const taken = new Set(chain);
  addSiblings(lines, taken);
  const messages = lines.filter((line) => line.message !== undefined);
  const left = messages.filter((line) => !taken.has(line));
  return { lines: messages.filter((line) => taken.has(line)), rewoundPrompts: left.filter(isPrompt).length, gaps };
}

function followParents(lines: readonly SessionLine[]): {
  readonly chain: ReadonlySet<SessionLine>;
  readonly gaps: number;
} {
  const byUuid = new Map<string, SessionLine>();
  for (const line of lines) if (!byUuid.has(line.uuid)) byUuid.set(line.uuid, line);
  const before = nearestMessageBefore(lines);
  const chain = new Set<SessionLine>();
  let gaps = 0;
  let current = lines.findLast((line) => line.message !== undefined);
  while (current !== undefined && !chain.has(current)) {
    chain.add(current);
    const parent = byUuid.get(current.parent);
    const isGap = parent === undefined && (current.parent !== "" || current.isBoundary);
    const previous: SessionLine | undefined = isGap ? before.get(current) : undefined;
    if (previous !== undefined) gaps += 1;
    current = parent ?? previous;
  }
  return { chain, gaps };
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

/** Takes every line of an answer that is on the chain, and the results of its calls that stand beside it. */
function addSiblings(lines: readonly SessionLine[], taken: Set<SessionLine>): void {
  const answers = new Set([...taken].flatMap(({ message }) => (message?.role === "assistant" ? [message.id] : [])));
  const isTaken = (line: SessionLine) => line.message?.role === "assistant" && answers.has(line.message.id);
  const answerLines = lines.filter(isTaken);
  for (const line of answerLines) taken.add(line);
  const waiting = new Set(answerLines.flatMap(callIds));
  for (const line of taken) for (const callId of resultIds(line)) waiting.delete(callId);
  for (const line of lines) {
    const ids = taken.has(line) ? [] : resultIds(line);
    if (!ids.some((callId) => waiting.has(callId))) continue;
    taken.add(line);
    for (const callId of ids) waiting.delete(callId);
  }
}

function callIds(line: SessionLine): readonly string[] {
  const blocks = line.message?.blocks ?? [];
  return blocks.flatMap((block) => (block.type === "tool_use" ? [asText(block.id)] : []));
}

function resultIds(line: SessionLine): readonly string[] {
  if (line.message?.role !== "user") return [];
  return line.message.blocks.flatMap((block) => (block.type === "tool_result" ? [asText(block.tool_use_id)] : []));
}

/** Something a person asked, as opposed to results and what the host put in. */
function isPrompt(line: SessionLine): boolean {
  const { message } = line;
  return (
    message?.role === "user" && !message.isHostWritten && message.blocks.length > 0 && resultIds(line).length === 0
  );
}
