// Around a language model: compacts whatever prompt it is about to be sent, by `generateText`, `streamText`, an agent or a
// framework built on `ai`.
import type { CompactManager } from "../../from-config/conversation.ts";
import type { SessionChoice } from "../seam/host-preflight.ts";
import type { AiMessage } from "./message.ts";
import { createAiPreflight, namedModel } from "./preflight.ts";

/** What is read of a call to a model. */
export interface ModelCall<Message> {
  readonly prompt: Message[];
  readonly tools?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

export interface CompactMiddleware {
  readonly specificationVersion: "v3";
  transformParams<Message extends AiMessage, Call extends ModelCall<Message>>(call: {
    readonly params: Call & ModelCall<Message>;
    readonly model?: unknown;
  }): Promise<Call>;
}

/**
 * Middleware for `wrapLanguageModel`. In version 5 of `ai` a middleware is of another version of the interface; it takes
 * this one too. Messages are marked with `providerOptions: {"agent-compact": {protected: true}}`, as `ai` makes new objects
 * for a prompt. Throws what `CompactManager.preflight` throws.
 *
 *     const model = wrapLanguageModel({ model: openai("gpt-4o"), middleware: compactMiddleware(new CompactManager()) });
 */
export function compactMiddleware(manager: CompactManager, choice: SessionChoice = {}): CompactMiddleware {
  const preflight = createAiPreflight(manager, "prompt", choice);
  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      const { prompt, tools, abortSignal } = params;
      const beside = {
        ...namedModel(model),
        ...(tools === undefined ? {} : { tools }),
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      };
      const sent = await preflight(prompt, beside);
      return sent === prompt ? params : { ...params, prompt: [...sent] as typeof prompt };
    },
  };
}
