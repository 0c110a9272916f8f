// Options for providers, on messages and on their parts: signatures, encrypted reasoning, cache marks. They are sent, so
// they are counted; nothing in them is ever changed but the ids that belong to reasoning which went.
import { isObject, type JsonObject } from "../../formats/json-shape.ts";

const SEALED = /signature|encrypted|redacted/i;
/** Our own key among the providers': the one mark that reaches a model's prompt. */
const OWN = "agent-compact";
/** Read by no provider, and with each new copy of a message another: a framework's own notes. */
const NEVER_SENT: ReadonlySet<string> = new Set([OWN, "mastra"]);

/** Fields of a native message that stand for the options of `carriers`. No field when there are none. */
export function nativeOptions(carriers: readonly object[]): JsonObject {
  const all = carriers.flatMap((carrier) => {
    const sent = Object.entries(optionsOf(carrier)).filter(([provider]) => !NEVER_SENT.has(provider));
    return sent.length === 0 ? [] : [seal(Object.fromEntries(sent))];
  });
  const isProtected = carriers.some((carrier) => {
    const own = optionsOf(carrier)[OWN];
    return isObject(own) && own.protected === true;
  });
  return {
    ...(all.length === 0 ? {} : { provider_options: all }),
    // `providerOptions: {"agent-compact": {protected: true}}` says it where a mark on the object cannot.
    ...(isProtected ? { meta: { protected: true } } : {}),
  };
}

function optionsOf({ providerOptions: options }: { readonly providerOptions?: unknown }): JsonObject {
  return isObject(options) ? options : {};
}

/** What only a provider can read is sized, not counted as text: it stands under a name that says so. */
function seal(options: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => {
      if (isObject(value)) return [key, seal(value)];
      return typeof value === "string" && SEALED.test(key) ? [key, { encrypted_content: value }] : [key, value];
    }),
  );
}

/** A part whose reasoning went, without the id by which its provider would ask for it. */
export function withoutItemId<Part extends JsonObject>(part: Part): Part {
  const { providerOptions: options } = part;
  if (!isObject(options)) return part;
  const kept = Object.entries(options).map(([provider, own]) => {
    if (!isObject(own) || !("itemId" in own)) return [provider, own];
    const { itemId: _, ...rest } = own;
    return [provider, rest];
  });
  return { ...part, providerOptions: Object.fromEntries(kept) };
}
