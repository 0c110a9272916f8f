// One call of a tool: arguments read, tool run, answer checked against the schema that clients check it against too.
import type { CallToolResult, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { CompactError } from "../errors.ts";
import { printable } from "../text/printable.ts";
import { readArguments } from "./read-arguments.ts";
import type { Tool, ToolAnswer, ToolContext } from "./tool.ts";

/** Never throws. */
export async function callTool(tool: Tool, given: unknown, context: ToolContext, log: Log): Promise<CallToolResult> {
  try {
    const { input, notes } = readArguments(tool, given);
    const note = notes.length === 0 ? "" : `\n\n${notes.join("\n")}`;
    const narrowed = note === "" ? undefined : withRoomFor(note, input, context);
    if (narrowed === undefined) return answerOf(tool, await tool.run(input, context), log);
    const { text, structured } = await tool.run(...narrowed);
    return answerOf(tool, { text: text.trimEnd() + note, structured }, log);
  } catch (error) {
    return errorAnswer(error, tool.name, log);
  }
}

/**
 * The tool is given less, so that its answer and the note together stay under what was asked for. Undefined where that
 * leaves too little for an answer: the limit counts for more than the note.
 */
function withRoomFor(
  note: string,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): [Record<string, unknown>, ToolContext] | undefined {
  const taken = context.count(note) + 1;
  const asked = typeof input.max_tokens === "number" ? input.max_tokens : context.maxTokens;
  if (asked <= 2 * taken) return undefined;
  const narrowed = "max_tokens" in input ? { ...input, max_tokens: asked - taken } : input;
  return [narrowed, { ...context, maxTokens: context.maxTokens - taken }];
}

/**
 * An answer that breaks its own schema is our fault. Clients refuse it as a whole unless it is marked as an error, and
 * then the model would not learn that the call was carried out.
 */
function answerOf(tool: Tool, { text: built, structured }: ToolAnswer, log: Log): CallToolResult {
  const text = printable(built);
  const checked = tool.result.safeParse(structured);
  if (checked.success) return { content: [{ type: "text", text }], structuredContent: checked.data };
  const faults = checked.error.issues.map(({ path, message }) => `${path.join(".") || "answer"}: ${message}`);
  log(`${tool.name} gave an answer that breaks its output schema: ${faults.slice(0, 5).join("; ")}`);
  const note = `(${tool.name} was carried out, do not repeat it. Only the structured form of this answer is missing.)`;
  return { content: [{ type: "text", text: `${text}\n\n${note}` }], isError: true };
}

// What a client reads about a tool's arguments and answers: JSON Schema, made once for each tool. The SDK is told to let
// everything through, because arguments are read and refused by ours (read-arguments.ts), in words that a model can act on.

/** Without `$schema`: its absence means the same draft, and some validators do not know the draft by its address. */
export function listedSchema(schema: z.ZodObject, direction: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, { io: direction, override: withoutSafeBounds });
  return { type: "object", ...listed };
}

/** Every whole number carries the bounds of what JSON can hold exactly: sixteen digits that say nothing to a model. */
function withoutSafeBounds({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

export function acceptingSchema(listed: Record<string, unknown>): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "agent-compact",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => listed, output: () => listed },
    },
  };
}

// What a client gets when a call fails: an answer marked as an error, never a protocol error, so that the model reads what
// to do. An error of ours says so itself; of any other only the log learns more.

/** Where a program finds kind, code, message and hint: not in the structured part, which clients check against the tool's schema. */
const ERROR_KEY = "agent-compact/error";

export type Log = (line: string) => void;

function errorAnswer(error: unknown, toolName: string, log: Log): CallToolResult {
  if (!CompactError.isInstance(error)) return unexpectedAnswer(error, toolName, log);
  const { kind, code, message, hint } = error;
  if (error.cause !== undefined) log(`${toolName}: ${code}: ${traceOf(error.cause)}`);
  return errorResult({ kind, code, message, ...(hint === undefined ? {} : { hint }) });
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
  return errorResult({ kind: "Unfinished", code: "UNFINISHED", message, hint });
}

/** For a call that names no tool. */
export function unnamedAnswer(names: readonly string[]): CallToolResult {
  const message = "The call names no tool, nothing was carried out.";
  const hint = `Send the name and the arguments: {"name": "${names[0] ?? "tool"}", "arguments": {}}. Tools: ${names.join(", ")}.`;
  return errorResult({ kind: "InvalidInput", code: "INVALID_ARGUMENTS", message, hint });
}

function unexpectedAnswer(error: unknown, toolName: string, log: Log): CallToolResult {
  log(`${toolName} failed unexpectedly: ${traceOf(error)}`);
  const message = `${toolName} failed unexpectedly.`;
  const hint = "The server's log (stderr) says where. Other calls still work.";
  return errorResult({ kind: "Unexpected", code: "UNEXPECTED", message, hint });
}

interface ErrorDetails {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

function errorResult(error: ErrorDetails): CallToolResult {
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
