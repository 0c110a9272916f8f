// What two lists say, read by the views of their formats, for tests that nothing went missing between them.
import type { Format } from "../../../src/providers/format.ts";

export interface Said {
  readonly texts: readonly string[];
  readonly calls: readonly { readonly name: string; readonly input: unknown; readonly result: string | undefined }[];
  readonly images: number;
}

export function readSaid(format: Format, messages: readonly unknown[]): Said {
  const texts: string[] = [];
  const calls: { name: string; input: unknown; result: string | undefined }[] = [];
  const open = new Map<string, { result: string | undefined }[]>();
  let images = 0;
  for (const part of messages.flatMap((message) => format.view(message).parts)) {
    if (part.kind === "text") texts.push(part.text);
    if (part.kind === "image") images += 1;
    if (part.kind === "call") {
      const call = { name: part.name, input: asInput(part.arguments), result: undefined };
      calls.push(call);
      open.set(part.callId, [...(open.get(part.callId) ?? []), call]);
    }
    if (part.kind === "result") {
      images += part.images;
      const call = open.get(part.callId)?.pop();
      if (call !== undefined) call.result = part.text;
    }
  }
  return { texts, calls, images };
}

/** Free text is the one field of an object where a provider knows no other input. */
function asInput(written: string): unknown {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // free text
  }
  return { input: written };
}

/** The list with each call id replaced by the number of the call: ids may change, what they pair may not. */
export function withNumberedCalls(messages: readonly unknown[]): unknown {
  let number = 0;
  const ids = new Map<string, string>();
  return JSON.parse(JSON.stringify(messages), function revive(this: Record<string, unknown>, key, value: unknown) {
    if (key === "tool_calls" && Array.isArray(value)) {
      return value.map((call: { id: string }) => {
        number += 1;
        ids.set(call.id, `call ${number}`);
        return { ...call, id: `call ${number}` };
      });
    }
    return key === "tool_call_id" ? ids.get(String(value)) : value;
  });
}
