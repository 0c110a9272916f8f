// The preflight for lists of `ai`: results that a compaction made anew stand in one tool message again, as providers that
// answer all calls of a step at once ask for.
import type { CompactManager } from "../../conversation.ts";
import { isObject } from "../../text/json-values.ts";
import { resolveModel } from "../../tokens/models.ts";
import { createHostPreflight, type HostPreflight, type SessionChoice } from "../adapter/host-preflight.ts";
import type { Translation } from "../adapter/translation.ts";
import { type AiListKind, type AiMessage, partsOf, toHost, toNative } from "./messages.ts";

export function aiTranslation(kind: AiListKind): Translation<AiMessage> {
  return {
    format: "openai-chat",
    toNative: (message) => toNative(message, kind),
    toHost: (native, source) => toHost(native, source, kind),
  };
}

export function createAiPreflight(
  manager: CompactManager,
  kind: AiListKind,
  choice: SessionChoice,
): HostPreflight<AiMessage> {
  const preflight = createHostPreflight(manager, aiTranslation(kind), choice);
  return async (messages, beside) => {
    const sent = await preflight(messages, beside);
    return sent === messages ? messages : joinResults(sent, new Set(messages));
  };
}

/** Messages of the host's own stay apart where they came apart. */
function joinResults(sent: readonly AiMessage[], own: ReadonlySet<AiMessage>): readonly AiMessage[] {
  const runs: [AiMessage, ...AiMessage[]][] = [];
  let isOwn = true;
  for (const message of sent) {
    const run = runs.at(-1);
    const joins = message.role === "tool" && run?.[0].role === "tool" && !(isOwn && own.has(message));
    if (joins) run.push(message);
    else runs.push([message]);
    isOwn = own.has(message);
  }
  return runs.map((run) => {
    if (run.length === 1) return run[0];
    return Object.assign({}, ...run, { content: run.flatMap(partsOf) });
  });
}

/** False where a provider's own count tells more than ours. */
export function countsExactly(model: unknown): boolean {
  return resolveModel(nameOf(model)).isExact;
}

/** Decides window and encoding. A model is an object, or a name for a gateway. */
export function nameOf(model: unknown): string | undefined {
  const name = isObject(model) ? model.modelId : model;
  return typeof name === "string" ? name : undefined;
}
