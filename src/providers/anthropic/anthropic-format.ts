// Anthropic messages: user and assistant only, results in user messages, signed thinking. Decides where a
// summary stands there; reading and validating, repair and conversion stand beside it.
import { asArray, asText, isObject, type JsonObject } from "../../text/json-values.ts";
import { type ContentPlace, contentMappers, mapParts } from "../content-parts.ts";
import { looksLikeAnthropic } from "../detect-format.ts";
import type { Format, Layers, Placed } from "../format.ts";
import { copyWith, withField } from "../message-marks.ts";
import {
  anthropicFiller,
  gapFiller,
  isAnthropicFiller,
  isResult,
  isThinking,
  onlyText,
  validateAnthropic,
  viewAnthropicMessage,
} from "./messages.ts";
import { repairAnthropic } from "./repair.ts";

/** The format of Anthropic's messages endpoint. */
export const anthropicFormat: Format = {
  name: "anthropic",
  matches: looksLikeAnthropic,
  view: viewAnthropicMessage,
  validate: validateAnthropic,
  heal: repairAnthropic,
  place: placeAnthropic,
  summaryText: onlyText,
  isFiller: isAnthropicFiller,
  ...contentMappers(mapContents),
  withoutReasoning: (messages) => messages.flatMap(dropThinking),
};

function placeAnthropic({ pinned, summary, recent, gaps }: Layers): Placed {
  const made = summary === undefined ? [] : summaryMessages(summary, pinned, recent);
  const placed = gaps === undefined ? [...pinned, ...made, ...recent] : joinLayers([pinned, made, recent], gaps);
  const messages = needsOpener(placed) ? [anthropicFiller(), ...placed] : placed;
  const summaryIndex = summary === undefined ? -1 : messages.indexOf(made.at(-1));
  return { messages, summaryIndex };
}

/** Alternating roles, and never an assistant's message at the end that the caller did not send. The summary is last. */
function summaryMessages(summary: string, pinned: readonly unknown[], recent: readonly unknown[]): readonly unknown[] {
  const content = [{ type: "text", text: summary }];
  if (recent.length === 0 || roleOf(recent[0]) === "assistant") return [{ role: "user", content }];
  const opener = roleOf(pinned.at(-1)) === "user" ? [] : [anthropicFiller()];
  return [...opener, { role: "assistant", content }];
}

/**
 * The layers in order, with a filler where two neighbours have one role because something left between them: at a
 * layer's border, or at a gap. Neighbours of one role that the caller sent so stay so.
 */
function joinLayers(layers: readonly (readonly unknown[])[], gaps: ReadonlySet<number>): readonly unknown[] {
  const joined: unknown[] = [];
  for (const [number, layer] of layers.entries()) {
    const isRecent = number === layers.length - 1;
    for (const [position, message] of layer.entries()) {
      const isBroken = position === 0 || (isRecent && gaps.has(position));
      const role = roleOf(message);
      if (isBroken && joined.length > 0 && roleOf(joined.at(-1)) === role) {
        joined.push(gapFiller(role === "user" ? "assistant" : "user"));
      }
      joined.push(message);
    }
  }
  return joined;
}

function roleOf(message: unknown): unknown {
  return isObject(message) ? message.role : undefined;
}

/** A compaction block may open the list: the provider ignores what stands before one. */
function needsOpener(messages: readonly unknown[]): boolean {
  const first = messages[0];
  if (!isObject(first) || first.role !== "assistant") return false;
  const block = asArray(first.content)[0];
  return !(isObject(block) && block.type === "compaction");
}

function mapContents(message: JsonObject, map: (content: unknown, place: ContentPlace) => unknown): unknown {
  const inResults = mapParts(message.role === "user" ? message.content : undefined, (block) =>
    isResult(block)
      ? withField(block, "content", map(block.content, { resultOf: asText(block.tool_use_id), textType: "text" }))
      : block,
  );
  const content = map(inResults ?? message.content, { resultOf: undefined, textType: "text" });
  return withField(message, "content", content);
}

function dropThinking(message: unknown): readonly unknown[] {
  if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return [message];
  if (!message.content.some(isThinking)) return [message];
  const content = message.content.filter((block: unknown) => !isThinking(block));
  return content.length === 0 ? [] : [copyWith(message, { content })];
}
