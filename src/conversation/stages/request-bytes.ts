// Bytes of the request body, where the policy sets a ceiling for them. Measured like tokens: a call costs what is new.
import { jsonBytes } from "../../formats/attachments/json-bytes.ts";
import type { ConversationInput } from "../conversation-parts.ts";
import type { ConversationPolicy } from "../policy.ts";

export interface RequestBytes {
  /** JSON of each message, with the comma behind it. */
  readonly each: readonly number[];
  /** System prompt, tools, and the body's own fields. */
  readonly fixed: number;
  readonly total: number;
}

/** Model, sampling options, the names of the fields. */
const BODY_BYTES = 512;

/** `known` are the sizes of the messages before `from`. */
export function measureBytes(
  { system, tools }: Pick<ConversationInput, "system" | "tools">,
  messages: readonly unknown[],
  from: number,
  known: readonly number[] = [],
): RequestBytes {
  const fresh = messages.slice(from).map((message) => jsonBytes(message) + 1);
  const each = from === 0 ? fresh : known.slice(0, from).concat(fresh);
  const fixed = BODY_BYTES + jsonBytes(system) + jsonBytes(tools);
  return { each, fixed, total: each.reduce((sum, bytes) => sum + bytes, fixed) };
}

/** Bytes above the ceiling; not above 0 when all is well, or when there is no ceiling. */
export function bytesOverCeiling(
  { bytes }: { readonly bytes: RequestBytes | undefined },
  { maxRequestBytes }: Pick<ConversationPolicy, "maxRequestBytes">,
): number {
  return bytes === undefined || maxRequestBytes === undefined ? 0 : bytes.total - maxRequestBytes;
}
