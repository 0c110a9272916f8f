// Forms of a call that clients send and the SDK refuses as protocol errors, which a model never sees: arguments that are
// null, an object written as text, or no object at all; no name, no parameters. What cannot be meant is passed on in a
// form that ours refuse, in words that a model can act on.

/** The key under which arguments arrive that are no object. */
export const NO_OBJECT = "agent-compact/no-object";

export function loosenMessage(message: unknown): unknown {
  if (!isRecord(message) || message.method !== "tools/call") return message;
  const params = isRecord(message.params) ? message.params : {};
  const { arguments: given, ...others } = params;
  const name = typeof params.name === "string" ? params.name : "";
  return { ...message, params: { ...others, name, ...readGiven(given) } };
}

function readGiven(given: unknown): { readonly arguments?: unknown } {
  if (given === undefined || given === null) return {};
  if (isRecord(given)) return { arguments: given };
  return { arguments: (typeof given === "string" ? parseObject(given) : undefined) ?? { [NO_OBJECT]: given } };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
