// The task that every integration must survive: 60 steps of two or three parallel tool calls, some 45,000 tokens, in a
// window of 16,000; and a manager that is watched meanwhile.
import { CompactManager, createCallbackSink, createMemoryArchive } from "../../src/index.ts";

export const STEPS = 60;
export const WINDOW = 16_000;
export const TASK = "Read every module and tell which of them still call the old parser. Never edit a file.";
export const SYSTEM = "You review code. The port of the review server is 8443.";
export const ANSWER = "All modules are read: module 7 still calls the old parser.";

/** What the tool `read_file` gives back: some 300 tokens that differ by path. */
export function readFile(path: string): string {
  const seed = [...path].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 99_991, 7);
  const lines = Array.from({ length: 16 }, (_, line) => {
    const number = (seed * (line + 3)) % 9_973;
    return `export const value${number} = compute(${number}, "${path}#${line}"); // checked on row ${line}`;
  });
  return [`// ${path}`, ...lines].join("\n");
}

export interface WatchedManager {
  readonly manager: CompactManager;
  /** Compactions that ended with a summary. */
  readonly rounds: () => number;
  /** Calls of the model that writes summaries. */
  readonly modelCalls: () => number;
  readonly sessions: () => readonly string[];
  readonly errors: () => readonly string[];
}

/** In the window of the task. `withModel`: summaries by a scripted model, else by code. */
export function watchedManager({ withModel = false, maxContextTokens = WINDOW } = {}): WatchedManager {
  let rounds = 0;
  let modelCalls = 0;
  const sessions = new Set<string>();
  const errors: string[] = [];
  const trace = createCallbackSink((event) => {
    sessions.add(event.session_id);
    if (event.event === "compact.pruned_messages") rounds += 1;
    if (event.event === "compact.error") errors.push(event.message);
  });
  const model = async () => {
    modelCalls += 1;
    return "## Goals\n- Read every module and tell which still call the old parser.\n## Progress\n- Modules are being read.";
  };
  const manager = new CompactManager({
    maxContextTokens,
    archive: createMemoryArchive(),
    trace: [trace],
    ...(withModel ? { summarizer: { model } } : {}),
  });
  return {
    manager,
    rounds: () => rounds,
    modelCalls: () => modelCalls,
    sessions: () => [...sessions],
    errors: () => errors,
  };
}
