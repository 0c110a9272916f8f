// The preflight of a provider's client, whose messages are native. Marks for the provider's cache are no content: a caller
// moves them along its list from call to call, which makes no other conversation of it, and they go out where it has them now.
import { isObject, type JsonObject } from "../../formats/json-shape.ts";
import { copyWith } from "../../formats/protected.ts";
import type { CompactManager } from "../../from-config/conversation.ts";
import { createHostPreflight, type HostPreflight, type SessionChoice } from "../seam/host-preflight.ts";
import type { Translation } from "../seam/translation.ts";
import { alignWith } from "./align-with.ts";

const MARKS: readonly string[] = ["cache_control", "prompt_cache_breakpoint"];

export function createClientPreflight(
  manager: CompactManager,
  format: Translation<JsonObject>["format"],
  choice: SessionChoice = {},
): HostPreflight<JsonObject> {
  const translation = { format, toNative: (message: JsonObject) => [withoutMarks(message)], toHost: asItIs };
  const preflight = createHostPreflight(manager, translation, choice);
  return async (messages, beside) => alignWith(messages, await preflight(messages, beside), withoutMarks);
}

function asItIs(native: JsonObject): JsonObject {
  return native;
}

/** The message without marks on its blocks, or on those of the results in it; the same object if it has none. */
export function withoutMarks(message: JsonObject): JsonObject {
  let bare = message;
  for (const mark of MARKS) {
    if (!(mark in bare)) continue;
    const { [mark]: _, ...rest } = bare;
    bare = rest;
  }
  for (const field of ["content", "output"]) {
    const blocks = bare[field];
    if (!Array.isArray(blocks)) continue;
    const without = blocks.map((block: unknown) => (isObject(block) ? withoutMarks(block) : block));
    if (without.some((block, at) => block !== blocks[at])) bare = copyWith(bare, { [field]: without });
  }
  return bare;
}
