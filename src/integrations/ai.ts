// For agents built with the `ai` package, version 5 or 6. Compaction happens either before each step (`prepareStep`) or
// around the model (middleware): one of the two, never both.
import type { CompactManager } from "../conversation.ts";
import { asText, isObject, withoutUndefined } from "../text/json-values.ts";
import type { SessionChoice } from "./adapter/host-preflight.ts";
import { type AiMessage, partsOf } from "./ai/messages.ts";
import { countsExactly, createAiPreflight, nameOf } from "./ai/preflight.ts";

export type { AiMessage } from "./ai/messages.ts";

// Before each step of `generateText`, `streamText` and the agent classes. What `prepareStep` gives back counts for that
// step only, the next one is handed the whole list again: the session answers it with the same compacted prefix.

export interface PrepareStepOptions extends SessionChoice {
  /** `system` or `instructions` as the call is given them: `prepareStep` does not see them, so they are counted from here. */
  readonly system?: string | object | readonly object[] | undefined;
  /** The tools of the call, likewise. */
  readonly tools?: Readonly<Record<string, unknown>> | undefined;
}

/** What is read of what `prepareStep` is called with. */
interface PreparedStep<Message> {
  readonly messages: Message[];
  readonly model?: unknown;
  readonly steps?: readonly { readonly usage?: unknown }[];
}

/**
 * A `prepareStep` that compacts: `{messages}` when something was compacted, else undefined. Its model's limits count where
 * they are known, the manager's own else. Throws what `CompactManager.preflight` throws.
 *
 *     const manager = new CompactManager();
 *     await generateText({ model, tools, prompt, stopWhen, prepareStep: compactPrepareStep(manager, { tools }) });
 */
export function compactPrepareStep(
  manager: CompactManager,
  { sessionId, system, tools }: PrepareStepOptions = {},
): <Message extends AiMessage>(step: PreparedStep<Message>) => Promise<{ messages: Message[] } | undefined> {
  const preflight = createAiPreflight(manager, "model-messages", { sessionId });
  const isTold = system !== undefined || tools !== undefined;
  const prompt = system === undefined ? {} : { system: textsOf(system) };
  let schemas: Promise<readonly unknown[]> | undefined;
  return async <Message extends AiMessage>({ messages, model, steps }: PreparedStep<Message>) => {
    schemas ??= describeTools(tools ?? {});
    // Where everything is counted exactly, a report could only be wrong: some servers guess.
    const usage = isTold && countsExactly(model) ? {} : reported(steps?.at(-1)?.usage);
    const beside = withoutUndefined({ ...prompt, tools: await schemas, model: nameOf(model), ...usage });
    const sent = await preflight(messages, beside);
    return sent === messages ? undefined : { messages: [...sent] as Message[] };
  };
}

function textsOf(system: string | object | readonly object[]): readonly string[] {
  if (typeof system === "string") return [system];
  return (Array.isArray(system) ? system : [system]).flatMap((message: AiMessage) =>
    partsOf(message).map(({ text }) => String(text)),
  );
}

/** From version 6 on the input is the whole prompt with every provider; before, some left out what was cached. */
function reported(usage: unknown): { readonly usage?: unknown } {
  return isObject(usage) && isObject(usage.inputTokenDetails) && usage.inputTokens !== undefined ? { usage } : {};
}

// The tools of an agent as its provider is sent them, so that they are counted.

/** By name, as `generateText` takes them. `ai` itself turns what stands for a schema into one. */
async function describeTools(tools: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const { asSchema } = await import("ai");
  const described = Object.entries(tools).map(async ([name, tool]) => {
    const { description, inputSchema } = isObject(tool) ? tool : {};
    const schema = await asSchema(inputSchema as Parameters<typeof asSchema>[0]).jsonSchema;
    return { type: "function", function: { name, description: asText(description), parameters: schema } };
  });
  return Promise.all(described);
}

// Around a language model: compacts whatever prompt it is about to be sent, by `generateText`, `streamText`, an agent or a
// framework built on `ai`.

/** What is read of a call to a model. */
interface ModelCall<Message> {
  readonly prompt: Message[];
  readonly tools?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

interface CompactMiddleware {
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
      const sent = await preflight(prompt, withoutUndefined({ model: nameOf(model), tools, signal: abortSignal }));
      return sent === prompt ? params : { ...params, prompt: [...sent] as typeof prompt };
    },
  };
}
