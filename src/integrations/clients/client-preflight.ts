// The preflight of a provider's client, whose messages are native. Marks for the provider's cache are no content: a caller
// moves them along its list from call to call, which makes no other conversation of it, and they go out where it has them now.
import { CompactError } from "../../errors.ts";
import { isObject, type JsonObject } from "../../formats/json-shape.ts";
import { copyWith } from "../../formats/protected.ts";
import type { CompactManager } from "../../from-config/conversation.ts";
import { createHostPreflight, type HostPreflight, type SessionChoice } from "../seam/host-preflight.ts";
import type { Translation } from "../seam/translation.ts";
import { alignWith } from "./align-with.ts";

const MARKS: readonly string[] = ["cache_control", "prompt_cache_breakpoint"];

/** As `createHostPreflight`. An unknown model's error says how to name its window. */
export function createClientPreflight(
  manager: CompactManager,
  format: Translation<JsonObject>["format"],
  choice: SessionChoice = {},
): HostPreflight<JsonObject> {
  const translation = { format, toNative: (message: JsonObject) => [withoutMarks(message)], toHost: asItIs };
  const preflight = createHostPreflight(manager, translation, choice);
  return async (messages, beside) => {
    try {
      return alignWith(messages, await preflight(messages, beside), withoutMarks);
    } catch (error) {
      throw withAdvice(error);
    }
  };
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

/** The error with what to do about it where it is a host that names the model; any other error as it is. */
export function withAdvice(error: unknown): unknown {
  if (!CompactError.isInstance(error) || error.code !== "UNKNOWN_MODEL") return error;
  return new CompactError(error.kind, error.message, {
    code: error.code,
    hint: 'Pass a manager that knows its window: new CompactManager({ maxContextTokens: 32_000 }), or for this model alone new CompactManager({ models: { "its name": { maxContextTokens: 32_000 } } }).',
    data: error.data,
    cause: error,
  });
}
