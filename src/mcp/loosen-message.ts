// Forms of a call that clients send and the SDK refuses as protocol errors, which a model never sees: arguments that are
// null, or an object written as text.

export function loosenMessage(message: unknown): unknown {
  if (!isRecord(message) || message.method !== "tools/call" || !isRecord(message.params)) return message;
  const { arguments: given, ...params } = message.params;
  if (given === null) return { ...message, params };
  if (typeof given !== "string") return message;
  const parsed = parseObject(given);
  return parsed === undefined ? message : { ...message, params: { ...params, arguments: parsed } };
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
