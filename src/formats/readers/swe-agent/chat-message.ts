// One entry of a SWE-agent history as the OpenAI chat message that was sent: the bookkeeping beside it (agent, thought,
// action, cache marks) goes, what is told in the host's own fields (call ids, thinking) moves to the provider's.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject, toJson } from "../../json-shape.ts";
import { markHostWritten } from "../../protected.ts";
import { asChatEntry } from "./responses-entry.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"]);

/**
 * The messages of a history; for each entry a list, since results of parallel calls share one and some say nothing. Nobody
 * types while the agent works: after its first answer, what stands in the user's place is the host's.
 */
export function toChatMessages(history: readonly unknown[]): readonly (readonly JsonObject[])[] {
  let hasAnswered = false;
  return history.map((given) => {
    if (!isObject(given)) return [];
    const entry = asChatEntry(given);
    if (entry.role === "assistant") hasAnswered = true;
    return toMessages(entry, hasAnswered);
  });
}

function toMessages(entry: JsonObject, hasAnswered: boolean): readonly JsonObject[] {
  switch (entry.role) {
    case "assistant":
      return [answerOf(entry)];
    case "tool":
      return resultsOf(entry);
    case "user": {
      const message = { role: "user", content: contentOf(entry.content) };
      return [hasAnswered || entry.is_demo === true ? markHostWritten(message) : message];
    }
    default: {
      const isKnown = ROLES.has(entry.role);
      if (!isKnown && !isFilledText(entry.content)) return [];
      const message = { role: isKnown ? entry.role : "user", content: contentOf(entry.content) };
      return [isKnown ? message : markHostWritten(message)];
    }
  }
}

function answerOf(entry: JsonObject): JsonObject {
  const calls = asArray(entry.tool_calls).filter(isObject).map(callOf);
  const thinking = thinkingOf(entry);
  const said = contentOf(entry.content);
  const content = said === "" || said === null ? thoughtAndAction(entry, calls.length > 0) : said;
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Kept beside the answer by every version; a call says itself what was done. */
export function thoughtAndAction({ thought, action }: JsonObject, isCalled: boolean): string {
  return [thought, isCalled ? "" : action].filter(isFilledText).join("\n");
}

function callOf(call: JsonObject): JsonObject {
  const target = isObject(call.function) ? call.function : {};
  const given = target.arguments ?? "{}";
  return {
    id: call.id,
    type: "function",
    function: { name: target.name, arguments: typeof given === "string" ? given : toJson(given) },
  };
}

function thinkingOf({ thinking_blocks: blocks, reasoning_content: reasoning }: JsonObject): string {
  if (isFilledText(reasoning)) return reasoning;
  const texts = asArray(blocks).flatMap((block) => (isObject(block) ? asText(block.thinking) : []));
  return texts.filter((text) => text !== "").join("\n\n");
}

/** An observation answers all calls of its step at once: its text stands with the first. */
function resultsOf(entry: JsonObject): readonly JsonObject[] {
  const ids = asArray(entry.tool_call_ids).filter(isFilledText);
  const [first = asText(entry.tool_call_id), ...others] = ids;
  return [
    { role: "tool", tool_call_id: first, content: contentOf(entry.content) ?? "" },
    ...others.map((id) => ({ role: "tool", tool_call_id: id, content: "[See the result before.]" })),
  ];
}

function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null;
  return content.map((part: unknown) => {
    if (!isObject(part) || !("cache_control" in part)) return part;
    const { cache_control: _mark, ...rest } = part;
    return rest;
  });
}
