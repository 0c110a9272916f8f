// Reads a Claude Code session file into the Anthropic messages of its live branch. The host's own compactions
// are undone: the whole transcript before them is in the file. What was left out is said in notes.
import { type JsonLineFault, readJsonValues } from "../../text/jsonl.ts";
import { isObject } from "../json-shape.ts";
import { type Branch, findBranch } from "./claude-code-branch.ts";
import { isMessageLine, readSessionLines, type SessionLine } from "./claude-code-line.ts";
import { assembleMessages } from "./claude-code-messages.ts";

export interface ReadNote {
  readonly code:
    | "torn_line"
    | "unreadable_lines"
    /** Several conversations stand in the file, one after another. */
    | "joined_sessions"
    /** Lines that a resumed session copied. */
    | "repeated_lines"
    | "rewound_prompts"
    | "missing_parents"
    | "host_compactions";
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
  return values.some(isMessageLine);
}

/** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
export function readClaudeCodeSession(text: string): SessionRead {
  const { values, faults } = readJsonValues(text);
  const lines = readSessionLines(values);
  const branch = findBranch(lines);
  const { messages, sources } = assembleMessages(branch.lines);
  const model = branch.lines.findLast((line) => isModelName(line.message?.model))?.message?.model;
  return {
    sessionId: findSessionId(values.map(({ value }) => value)),
    messages,
    notes: [...noteFaults(faults), ...noteBranch(branch), ...noteBoundaries(lines)],
    sources,
    ...(model ? { model } : {}),
  };
}

function noteFaults(faults: readonly JsonLineFault[]): readonly ReadNote[] {
  const [torn] = faults.filter(({ reason }) => reason === "torn");
  const unreadable = faults.filter(({ reason }) => reason !== "torn").length;
  return [
    ...(torn === undefined ? [] : [note("torn_line", `line ${torn.line} is cut off and was left out`)]),
    ...(unreadable === 0 ? [] : [note("unreadable_lines", `${count(unreadable, "line")} could not be read`)]),
  ];
}

function noteBranch({ rewoundPrompts, gaps, sessions, repeatedLines }: Branch): readonly ReadNote[] {
  const [thatWas, were] = rewoundPrompts === 1 ? ["that was", "was"] : ["that were", "were"];
  const rewound = `${count(rewoundPrompts, "prompt")} ${thatWas} taken back ${were} left out`;
  const missing = `${count(gaps, "time")} the message before was not in the file, and the nearest one was taken`;
  const repeated = `${count(repeatedLines, "line")} that ${repeatedLines === 1 ? "repeats" : "repeat"} an earlier one left out`;
  return [
    ...(sessions < 2
      ? []
      : [note("joined_sessions", `${sessions} sessions in the file were joined, one after another`)]),
    ...(repeatedLines === 0 ? [] : [note("repeated_lines", repeated)]),
    ...(rewoundPrompts === 0 ? [] : [note("rewound_prompts", rewound)]),
    ...(gaps === 0 ? [] : [note("missing_parents", missing)]),
  ];
}

function noteBoundaries(lines: readonly SessionLine[]): readonly ReadNote[] {
  const boundaries = new Set(lines.filter((line) => line.isBoundary).map(({ uuid }) => uuid)).size;
  if (boundaries === 0) return [];
  return [
    note(
      "host_compactions",
      `${count(boundaries, "compaction")} of the host undone: the messages before are in the file`,
    ),
  ];
}

function note(code: ReadNote["code"], message: string): ReadNote {
  return { code, message };
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
