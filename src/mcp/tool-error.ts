// What a client gets when a call fails: an answer marked as an error, never a protocol error, so that the model reads what
// to do. An error of ours says so itself; of any other only the log learns more.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { CompactError } from "../errors.ts";

/** Where a program finds kind, code, message and hint: not in the structured part, which clients check against the tool's schema. */
const ERROR_KEY = "agent-compact/error";

export type Log = (line: string) => void;

export function errorAnswer(error: unknown, toolName: string, log: Log): CallToolResult {
  if (!CompactError.isInstance(error)) return unexpectedAnswer(error, toolName, log);
  const { kind, code, message, hint } = error;
  if (error.cause !== undefined) log(`${toolName}: ${code}: ${traceOf(error.cause)}`);
  return {
    content: [{ type: "text", text: hint === undefined ? message : `${message}\n${hint}` }],
    isError: true,
    _meta: { [ERROR_KEY]: { kind, code, message, ...(hint === undefined ? {} : { hint }) } },
  };
}

function unexpectedAnswer(error: unknown, toolName: string, log: Log): CallToolResult {
  log(`${toolName} failed unexpectedly: ${traceOf(error)}`);
  const message = `${toolName} failed unexpectedly.`;
  const hint = "The server's log (stderr) says where. Other calls still work.";
  return {
    content: [{ type: "text", text: `${message}\n${hint}` }],
    isError: true,
    _meta: { [ERROR_KEY]: { kind: "Unexpected", code: "UNEXPECTED", message, hint } },
  };
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
