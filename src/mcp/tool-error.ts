// What a client gets when a call fails: an answer marked as an error, never a protocol error, so that the model reads what
// to do. An error of ours says so itself; of any other only the log learns more.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { CompactError } from "../errors.ts";
import type { Tool } from "./tool.ts";

/** Where a program finds kind, code, message and hint: not in the structured part, which clients check against the tool's schema. */
const ERROR_KEY = "agent-compact/error";

export type Log = (line: string) => void;

export function errorAnswer(error: unknown, toolName: string, log: Log): CallToolResult {
  if (!CompactError.isInstance(error)) return unexpectedAnswer(error, toolName, log);
  const { kind, code, message, hint } = error;
  if (error.cause !== undefined) log(`${toolName}: ${code}: ${traceOf(error.cause)}`);
  return answerOf({ kind, code, message, ...(hint === undefined ? {} : { hint }) });
}

/** For a call that the server can wait for no longer. The work may yet come to its end, so nothing is promised. */
export function unfinishedAnswer({ name, hints }: Tool): CallToolResult {
  const said = `${name} was not finished when the server had to end`;
  const [message, hint] = hints.isReadOnly
    ? [`${said}.`, "Call it again."]
    : [
        `${said}: it is not known whether it was carried out.`,
        "Look for what it should have changed before you call it again.",
      ];
  return answerOf({ kind: "Unfinished", code: "UNFINISHED", message, hint });
}

/** For a call that names no tool. */
export function unnamedAnswer(names: readonly string[]): CallToolResult {
  const message = "The call names no tool, nothing was carried out.";
  const hint = `Send the name and the arguments: {"name": "${names[0] ?? "tool"}", "arguments": {}}. Tools: ${names.join(", ")}.`;
  return answerOf({ kind: "InvalidInput", code: "INVALID_ARGUMENTS", message, hint });
}

function unexpectedAnswer(error: unknown, toolName: string, log: Log): CallToolResult {
  log(`${toolName} failed unexpectedly: ${traceOf(error)}`);
  const message = `${toolName} failed unexpectedly.`;
  const hint = "The server's log (stderr) says where. Other calls still work.";
  return answerOf({ kind: "Unexpected", code: "UNEXPECTED", message, hint });
}

interface ErrorParts {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

function answerOf(error: ErrorParts): CallToolResult {
  const { message, hint } = error;
  return {
    content: [{ type: "text", text: hint === undefined ? message : `${message}\n${hint}` }],
    isError: true,
    _meta: { [ERROR_KEY]: error },
  };
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
