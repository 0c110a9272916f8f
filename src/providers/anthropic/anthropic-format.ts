// Anthropic messages: user and assistant only, results in user messages, signed thinking. Decides where a
// summary stands there; reading and validating, repair and conversion stand beside it.
import { asArray, asText, isObject, type JsonObject } from "../../text/json-values.ts";
import { mapAttachedParts, mapParts, type ReplaceAttachment } from "../attachments.ts";
import { mapResultContent } from "../content-parts.ts";
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
  mapResults: mapAnthropicResults,
  mapTexts: mapAnthropicTexts,
  mapAttachments: mapAnthropicAttachments,
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

function mapAnthropicResults(message: unknown, shorten: (text: string, callId: string) => string): unknown {
  return mapResultBlocks(message, (block) =>
    mapResultContent(block.content, (text) => shorten(text, asText(block.tool_use_id))),
  );
}

function mapAnthropicTexts(message: unknown, shorten: (text: string) => string): unknown {
  if (!isObject(message)) return message;
  return withField(message, "content", mapResultContent(message.content, shorten));
}

function mapAnthropicAttachments(message: unknown, replace: ReplaceAttachment): unknown {
  if (!isObject(message)) return message;
  const inResults = mapResultBlocks(message, (block) => mapAttachedParts(block.content, "text", true, replace));
  return isObject(inResults)
    ? withField(inResults, "content", mapAttachedParts(inResults.content, "text", false, replace))
    : inResults;
}

/** A copy with the content of each tool result replaced; the same object when all came back the same. */
function mapResultBlocks(message: unknown, map: (block: JsonObject) => unknown): unknown {
  if (!isObject(message) || message.role !== "user") return message;
  return withField(
    message,
    "content",
    mapParts(message.content, (block) => (isResult(block) ? withField(block, "content", map(block)) : block)),
  );
}

function dropThinking(message: unknown): readonly unknown[] {
  if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return [message];
  if (!message.content.some(isThinking)) return [message];
  const content = message.content.filter((block: unknown) => !isThinking(block));
  return content.length === 0 ? [] : [copyWith(message, { content })];
}
