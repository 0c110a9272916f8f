// One kind of request that carries a list of messages: which field holds it, and what stands beside it in the prompt.
import { isObject, type JsonObject } from "../../formats/json-shape.ts";
import type { HostPreflight } from "../seam/host-preflight.ts";
import type { ComposeBody } from "./compose-body.ts";

export interface ListRequest {
  readonly list: "messages" | "input";
  /** The field of the system prompt, where it stands beside the list. */
  readonly system?: "system" | "instructions";
  /** True when the provider holds the conversation: the list is only what is new, and its beginning is not ours to cut. */
  readonly isHeldElsewhere?: (body: JsonObject) => boolean;
}

/** A body whose list is no list of objects (a prompt in one string, say) is nothing to compact: it goes out as it is. */
export function composeWith(preflight: HostPreflight<JsonObject>, request: ListRequest): ComposeBody {
  return async (body, signal) => {
    const { [request.list]: messages, model, tools } = body;
    if (!Array.isArray(messages) || !messages.every(isObject) || request.isHeldElsewhere?.(body) === true) return body;
    const system = request.system === undefined ? undefined : body[request.system];
    const sent = await preflight(messages, {
      ...(system === undefined || system === null ? {} : { system }),
      ...(Array.isArray(tools) ? { tools } : {}),
      ...(typeof model === "string" ? { model } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    return sent === messages ? body : { ...body, [request.list]: sent };
  };
}
