// The words in which the coding session is written: what the developer says, what the assistant says and calls.
// Reads, edits and searches carry no output: play.ts works it out on a copy of the project.

export type Call =
  | { readonly tool: "read_file"; readonly path: string }
  | { readonly tool: "edit_file"; readonly path: string; readonly oldText: string; readonly newText: string }
  | { readonly tool: "search"; readonly query: string; readonly path: string }
  | { readonly tool: "run_command"; readonly command: string; readonly output: string; readonly exitCode: number };

export interface UserStep {
  readonly who: "user";
  readonly text: string;
}

export interface AssistantStep {
  readonly who: "assistant";
  readonly text: string;
  /** Only session files show it. */
  readonly thinking?: string;
  readonly calls: readonly Call[];
}

export type Step = UserStep | AssistantStep;

export function user(text: string): UserStep {
  return { who: "user", text };
}

export function say(text: string, ...calls: readonly Call[]): AssistantStep {
  return { who: "assistant", text, calls };
}

export function think(thinking: string, text: string, ...calls: readonly Call[]): AssistantStep {
  return { who: "assistant", thinking, text, calls };
}

export function read(path: string): Call {
  return { tool: "read_file", path };
}

/** An empty `oldText` makes a new file. */
export function edit(path: string, oldText: string, newText: string): Call {
  return { tool: "edit_file", path, oldText, newText };
}

export function search(query: string, path: string): Call {
  return { tool: "search", query, path };
}

/** `{ms}` and `{hash:name}` in the output are filled in by the generator. */
export function run(command: string, output: string, exitCode = 0): Call {
  return { tool: "run_command", command, output, exitCode };
}
