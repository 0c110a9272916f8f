// Where a host's own compactions stand among the messages of its session, and how many messages left with each.
import { asArray, isObject, type JsonObject } from "../text/json-values.ts";
import type { HostCompaction, SessionRead } from "./session-reader.ts";

/** As a reader meets it, before the messages are put together. */
export interface FoundCompaction extends Omit<HostCompaction, "at" | "left" | "start"> {
  /** The content block that has the summary; where none does, the first block behind it. Undefined: nothing is behind it. */
  readonly block: JsonObject | undefined;
  /** The first block that stayed. Undefined where nothing before the summary did. */
  readonly stays?: JsonObject | undefined;
  /** Where the host says it; else those before the first that stayed, without those that left before. */
  readonly left?: number;
}

/** In order; `messages` hold the very blocks that were met. */
export function placeCompactions(
  found: readonly FoundCompaction[],
  messages: readonly unknown[],
): Pick<SessionRead, "compactions"> {
  if (found.length === 0) return {};
  const places = new Map(
    messages.flatMap((message, index) =>
      isObject(message) ? asArray(message.content).map((block) => [block, index] as const) : [],
    ),
  );
  let start = 0;
  const compactions = found.map(({ block, stays, left, ...rest }) => {
    const at = places.get(block) ?? messages.length;
    const before = start;
    start = Math.max(before, Math.min(at, places.get(stays) ?? at));
    return { ...rest, at, start, left: left ?? start - before };
  });
  return { compactions };
}

/** As far as the host gives them as numbers. */
export function tokensOf({ before, after }: { readonly before: unknown; readonly after?: unknown }) {
  return {
    ...(typeof before === "number" ? { tokensBefore: before } : {}),
    ...(typeof after === "number" ? { tokensAfter: after } : {}),
  };
}
