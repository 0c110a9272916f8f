// Calls `hook` as a host does, in a folder with a session's file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { call, newFolder } from "../command-line.ts";
import { sessionLines } from "../conversations.ts";

export const EXAMPLE = fileURLToPath(
  new URL("../../../examples/transcripts/coding-session.claude-code.jsonl", import.meta.url),
);
export const ARCHIVE = ".compact/archive";

interface Given {
  readonly cwd: string;
  readonly [field: string]: unknown;
}

export const event = (name: string, { cwd, ...fields }: Given) =>
  JSON.stringify({
    session_id: "s1",
    transcript_path: join(cwd, "session.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: name,
    ...fields,
  });

export const compacting = (given: Given, env: Readonly<Record<string, string>> = {}) =>
  call(["hook"], { cwd: newFolder(), stdin: event("PreCompact", { trigger: "auto", ...given }), env });
export const started = (given: Given, env: Readonly<Record<string, string>> = {}) =>
  call(["hook"], { cwd: newFolder(), stdin: event("SessionStart", { source: "compact", ...given }), env });

export function contextOf(stdout: string): string {
  const { hookSpecificOutput } = JSON.parse(stdout);
  expect(hookSpecificOutput.hookEventName).toBe("SessionStart");
  return hookSpecificOutput.additionalContext;
}

export function folderWith(transcript: string | Buffer = sessionLines(40)): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "session.jsonl"), transcript);
  return cwd;
}

/** Lines of a Codex session: `said` by user or assistant, `ran` by its shell. */
export const codex = {
  line: (type: string, payload: object) => JSON.stringify({ timestamp: "2030-01-01T00:00:00Z", type, payload }),
  head: () => codex.line("session_meta", { id: "s1", cwd: "/home/me/shop", instructions: "Be brief." }),
  said: (role: "user" | "assistant", text: string) =>
    codex.line("response_item", {
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    }),
  ran: (call_id: string, command: string, output: string) => [
    codex.line("response_item", {
      type: "function_call",
      name: "shell",
      arguments: JSON.stringify({ command: ["bash", "-lc", command] }),
      call_id,
    }),
    codex.line("response_item", { type: "function_call_output", call_id, output }),
  ],
};

export const archived = (cwd: string, name: string) => readFileSync(join(cwd, ARCHIVE, "s1", name), "utf8");
export const stepsIn = (cwd: string) =>
  readdirSync(join(cwd, ARCHIVE, "s1")).filter((name) => name.startsWith("transcript-pre-compact"));
export const showing = (text: string) => ({
  code: 0,
  stdout: `{"systemMessage":"agent-compact: ${text}"}\n`,
  stderr: "",
});
/** Claude Code's summarizer is given the text as it is: what was done, then what is to be kept. */
export const saying = (text: string) => ({
  code: 0,
  stdout: expect.stringMatching(new RegExp(`^agent-compact: ${text}\\n(?:Your summary has to keep |$)`)),
  stderr: "",
});
