// For agents built with Mastra (Node 22 and later).
import type { CompactManager } from "../conversation.ts";
import { isFilledText, isObject, withoutUndefined } from "../text/json-values.ts";
import type { SessionChoice } from "./adapter/host-preflight.ts";
import type { AiMessage } from "./ai/messages.ts";
import { createAiPreflight, nameOf } from "./ai/preflight.ts";

// Before each call that a Mastra agent makes to its model: what is stored in its memory stays whole, what is sent is
// compacted.

interface RequestState {
  /** Ours alone; lives as long as the request. */
  readonly state: Record<string, unknown>;
}

/** What is read of a call to a model. */
interface MastraRequest<Message> extends RequestState {
  readonly prompt: Message[];
  readonly model?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: { get(key: string): unknown } | undefined;
}

export interface CompactInput {
  readonly id: "agent-compact";
  /** Remembers the tools of the step, which the prompt does not tell. */
  processInputStep(step: RequestState & { readonly tools?: Readonly<Record<string, unknown>> | undefined }): undefined;
  processLLMRequest<Message extends AiMessage>(
    request: MastraRequest<Message>,
  ): Promise<{ prompt: Message[] } | undefined>;
}

/**
 * For an agent's `inputProcessors`; the last of them, so that it sees what is sent. The session is the memory's thread
 * where there is one. Throws what `CompactManager.preflight` throws.
 *
 *     new Agent({ id, name, instructions, model, tools, inputProcessors: [compactInput(new CompactManager())] });
 */
export function compactInput(manager: CompactManager, { sessionId }: SessionChoice = {}): CompactInput {
  const preflight = createAiPreflight(manager, "prompt", {});
  return {
    id: "agent-compact",
    processInputStep({ tools = {}, state }) {
      state.tools = Object.entries(tools).map(([name, tool]) => describeTool(name, tool));
      return undefined;
    },
    async processLLMRequest({ prompt, model, abortSignal, requestContext, state }) {
      const beside = {
        model: nameOf(model),
        tools: Array.isArray(state.tools) ? state.tools : undefined,
        signal: abortSignal,
      };
      const session = sessionId ?? threadOf(requestContext?.get("MastraMemory"));
      const sent = await preflight(prompt, { sessionId: session, ...withoutUndefined(beside) });
      return sent === prompt ? undefined : { prompt: [...sent] as typeof prompt };
    },
  };
}

function describeTool(name: string, tool: unknown): object {
  const { description, parameters, inputSchema } = isObject(tool) ? tool : {};
  const schema = parameters ?? inputSchema;
  const json = isObject(schema) && "jsonSchema" in schema ? schema.jsonSchema : schema;
  return { type: "function", name, description, inputSchema: json };
}

function threadOf(memory: unknown): string | undefined {
  const thread = isObject(memory) ? memory.thread : undefined;
  return isObject(thread) && isFilledText(thread.id) ? thread.id : undefined;
}
