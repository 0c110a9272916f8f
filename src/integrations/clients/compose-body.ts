// The options of one request, with another body. A promise of them is taken by all versions of the clients.
import { isObject, type JsonObject } from "../../formats/json-shape.ts";

/** The body to send for a body; the same one when nothing is to be done. */
export type ComposeBody = (body: JsonObject, signal: AbortSignal | undefined) => Promise<JsonObject>;

export function withBody(compose: ComposeBody): (options: unknown) => Promise<unknown> {
  return async (options) => {
    if (!isObject(options) || !isObject(options.body)) return options;
    const signal = options.signal instanceof AbortSignal ? options.signal : undefined;
    try {
      const body = await compose(options.body, signal);
      return body === options.body ? options : { ...options, body };
    } catch (error) {
      // The client has an error of its own for calls that were called off.
      if (signal?.aborted === true) return options;
      throw error;
    }
  };
}
