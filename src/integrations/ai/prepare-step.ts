// Before each step of `generateText`, `streamText` and the agent classes. What `prepareStep` gives back counts for that
// step only, the next one is handed the whole list again: the session answers it with the same compacted prefix.
import { isObject } from "../../formats/json-shape.ts";
import type { CompactManager } from "../../from-config/conversation.ts";
import type { SessionChoice } from "../seam/host-preflight.ts";
import { type AiMessage, partsOf } from "./message.ts";
import { countsExactly, createAiPreflight, namedModel } from "./preflight.ts";
import { describeTools } from "./tool-schemas.ts";

export interface PrepareStepOptions extends SessionChoice {
  /** `system` or `instructions` as the call is given them: `prepareStep` does not see them, so they are counted from here. */
  readonly system?: string | object | readonly object[] | undefined;
  /** The tools of the call, likewise. */
  readonly tools?: Readonly<Record<string, unknown>> | undefined;
}

/** What is read of what `prepareStep` is called with. */
export interface PreparedStep<Message> {
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
    const sent = await preflight(messages, { ...prompt, tools: await schemas, ...namedModel(model), ...usage });
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
