// The played session as the body of a request to OpenAI's chat endpoint.
import { LETTERS_AND_DIGITS, type Random } from "../random.ts";
import type { PlayedStep } from "./play.ts";
import type { Call } from "./steps.ts";

export const systemPrompt = `You are a coding assistant in the repository of invoice-service, a TypeScript program that issues invoices and credit notes.

You work with four tools: read_file, edit_file, search and run_command. All paths are relative to the root of the repository. Calls that do not depend on each other may be made in one step.

How you work:
- Read a file before you edit it. Edit with the smallest replacement that is unique in the file.
- Follow CONTRIBUTING.md. What the developer says in this session goes before it.
- Show what a command printed before you draw conclusions from it. A red test is a result, not an accident: say what it shows.
- Ask when a decision belongs to the developer: public signatures, what customers read, anything that was already sent.
- Never push, never run anything against the production database.
- Answer briefly. Name files with their paths, amounts in cents or with their currency.`;

/** `{model, messages}`; it ends with the results of the last calls. */
export function chatSession(steps: readonly PlayedStep[], random: Random): { model: string; messages: unknown[] } {
  const messages = steps.flatMap((step): unknown[] => {
    if (step.who === "user") return [{ role: "user", content: step.text }];
    if (step.calls.length === 0) return [{ role: "assistant", content: step.text }];
    const calls = step.calls.map((played) => ({ ...played, id: `call_${random.text(24, LETTERS_AND_DIGITS)}` }));
    return [
      {
        role: "assistant",
        content: step.text === "" ? null : step.text,
        tool_calls: calls.map(({ id, call }) => ({
          id,
          type: "function",
          function: { name: call.tool, arguments: JSON.stringify(chatArguments(call)) },
        })),
      },
      ...calls.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output })),
    ];
  });
  return { model: "gpt-4o", messages: [{ role: "system", content: systemPrompt }, ...messages] };
}

function chatArguments(call: Call): unknown {
  switch (call.tool) {
    case "read_file":
      return { path: call.path };
    case "edit_file":
      return { path: call.path, old_text: call.oldText, new_text: call.newText };
    case "search":
      return { query: call.query, path: call.path };
    case "run_command":
      return { command: call.command };
  }
}
