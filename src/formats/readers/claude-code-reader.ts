// Reads a Claude Code session file into the Anthropic messages of its live branch. The host's own compactions
// are undone: the whole transcript before them is in the file. What was left out is said in notes.
import { isObject } from "../json-shape.ts";
import { type Branch, findBranch } from "./claude-code-branch.ts";
import { isMessageLine, readSessionLines, type SessionLine } from "./claude-code-line.ts";
import { readLineValues, withoutDocument } from "./parts/session-values.ts";
import { noteCompactions, noteFaults, noteGaps, noteJoined, noteRepeated, noteRewound } from "./read-notes.ts";
import type { ReadNote, SessionRead, SessionReader } from "./reader.ts";
import { assembleMessages } from "./session-messages.ts";

/** True when the values of a JSON Lines file are those of a Claude Code session. */
export function isClaudeCodeSession(values: readonly unknown[]): boolean {
  return values.some(isMessageLine);
}

/** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
export function readClaudeCodeSession(text: string): SessionRead {
  const { values, faults } = readLineValues(text);
  const lines = readSessionLines(values);
  const branch = findBranch(lines);
  const { messages, sources } = assembleMessages(branch.lines);
  const model = branch.lines.findLast((line) => isModelName(line.message?.model))?.message?.model;
  return {
    sessionId: findSessionId(values.map(({ value }) => value)),
    messages,
    notes: [...noteFaults(faults), ...noteBranch(branch), ...noteCompactions(countBoundaries(lines))],
    sources: withoutDocument(sources),
    ...(model ? { model } : {}),
  };
}

function noteBranch({ rewoundPrompts, gaps, sessions, repeatedLines }: Branch): readonly ReadNote[] {
  return [...noteJoined(sessions), ...noteRepeated(repeatedLines), ...noteRewound(rewoundPrompts), ...noteGaps(gaps)];
}

function countBoundaries(lines: readonly SessionLine[]): number {
  return new Set(lines.filter((line) => line.isBoundary).map(({ uuid }) => uuid)).size;
}

/** Answers that the host made up carry a name in angle brackets. */
function isModelName(model: string | undefined): boolean {
  return model !== undefined && model !== "" && !model.startsWith("<");
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
