// Reads a Claude Code session file into the Anthropic messages of its live branch. The host's own compactions
// are undone: the whole transcript before them is in the file. What was left out is said in notes.
import { readJsonValues } from "../../text/jsonl.ts";
import { isObject } from "../json-shape.ts";
import { findBranch } from "./claude-code-branch.ts";
import { readSessionLine } from "./claude-code-line.ts";
import { assembleMessages } from "./claude-code-messages.ts";

export interface ReadNote {
  readonly code: "torn_line" | "unreadable_lines" | "rewound_prompts" | "missing_parents" | "host_compactions";
  readonly message: string;
}

export interface SessionRead {
  readonly sessionId: string | undefined;
  /** The model of the last answer. */
  readonly model?: string;
  /** Anthropic messages; calls that never got a result are left open, for `heal`. */
  readonly messages: readonly unknown[];
  readonly notes: readonly ReadNote[];
  /** For each message the 1-based lines of the file it was made from. */
  readonly sources: readonly (readonly number[])[];
}

/** True when the values of a JSON Lines file are those of a Claude Code session. */
export function isClaudeCodeSession(values: readonly unknown[]): boolean {
  return values.some((value) => {
    if (!isObject(value) || (value.type !== "user" && value.type !== "assistant")) return false;
    return isObject(value.message) && typeof value.uuid === "string" && typeof value.sessionId === "string";
  });
}

/** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
export function readClaudeCodeSession(text: string): SessionRead {
  const { values, faults } = readJsonValues(text);
  const lines = values.flatMap((value, at) => readSessionLine(value, at) ?? []);
  const branch = findBranch(lines);
  const { messages, sources } = assembleMessages(branch.lines);
  const model = branch.lines.findLast((line) => isModelName(line.message?.model))?.message?.model;
  const notes: ReadNote[] = [];
  const torn = faults.filter((fault) => fault.reason === "torn");
  const unreadable = faults.length - torn.length;
  const boundaries = lines.filter((line) => line.isBoundary).length;
  if (torn.length > 0) notes.push({ code: "torn_line", message: `line ${torn[0]?.line} is cut off and was left out` });
  if (unreadable > 0)
    notes.push({ code: "unreadable_lines", message: `${count(unreadable, "line")} could not be read` });
  if (branch.rewoundPrompts > 0) {
    const message = `${count(branch.rewoundPrompts, "prompt")} of a branch that was gone back from ${branch.rewoundPrompts === 1 ? "was" : "were"} left out`;
    notes.push({ code: "rewound_prompts", message });
  }
  if (branch.gaps > 0) {
    const message = `${count(branch.gaps, "time")} the message before was not in the file, and the nearest one was taken`;
    notes.push({ code: "missing_parents", message });
  }
  if (boundaries > 0) {
    const message = `${count(boundaries, "compaction")} of the host undone: the messages before are in the file`;
    notes.push({ code: "host_compactions", message });
  }
  return {
    sessionId: findSessionId(values.map(({ value }) => value)),
    messages,
    notes,
    sources,
    ...(model ? { model } : {}),
  };
}

/** Answers that the host made up carry a name in angle brackets. */
function isModelName(model: string | undefined): boolean {
  return model !== undefined && model !== "" && !model.startsWith("<");
}

function findSessionId(values: readonly unknown[]): string | undefined {
  const last = values.findLast((value) => isObject(value) && typeof value.sessionId === "string");
  return isObject(last) ? String(last.sessionId) : undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
