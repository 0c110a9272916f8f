// One call of a tool: arguments read, tool run, answer checked against the schema that clients check it against too.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { readArguments } from "./arguments/read-arguments.ts";
import type { Tool, ToolAnswer, ToolContext } from "./tool.ts";
import { errorAnswer, type Log } from "./tool-error.ts";

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
function answerOf(tool: Tool, { text, structured }: ToolAnswer, log: Log): CallToolResult {
  const checked = tool.output.safeParse(structured);
  if (checked.success) return { content: [{ type: "text", text }], structuredContent: checked.data };
  const faults = checked.error.issues.map(({ path, message }) => `${path.join(".") || "answer"}: ${message}`);
  log(`${tool.name} gave an answer that breaks its output schema: ${faults.slice(0, 5).join("; ")}`);
  const note = `(${tool.name} was carried out, do not repeat it. Only the structured form of this answer is missing.)`;
  return { content: [{ type: "text", text: `${text}\n\n${note}` }], isError: true };
}
