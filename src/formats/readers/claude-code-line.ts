// One line of a Claude Code session file, reduced to what matters: who it comes from, what it follows, and
// whether the model saw it.

import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../json-shape.ts";
import { markHostWritten } from "../protected.ts";
import type { SessionValue } from "./parts/session-values.ts";
import type { SessionMessage } from "./session-messages.ts";

export interface SessionLine {
  /** Position among the values of the file. */
  readonly at: number;
  /** 1-based line in the file. */
  readonly line: number;
  readonly uuid: string;
  /** "" where the line names none. */
  readonly session: string;
  /** It cannot be followed by name: it goes with the line before it. */
  readonly isNameless: boolean;
  /** The line it follows; across the host's own compaction, the last line before it. "" when none is named. */
  readonly parent: string;
  readonly isBoundary: boolean;
  readonly message: SessionMessage | undefined;
}

/** Openings of texts in the user's place that no person typed: what a command printed, what is open in an editor, reminders, what other agents sent. */
const HOST_OPENING =
  /^\s{0,8}<(?:local-command-(?:caveat|stdout|stderr)|bash-(?:stdout|stderr)|ide_(?:opened_file|selection|diagnostics)|system-reminder|task-notification|teammate-message|user-prompt-submit-hook)\b/;

/** The lines with a place in the thread of messages. A file of nothing but a subagent's lines is its own thread. */
export function readSessionLines(values: readonly SessionValue[]): readonly SessionLine[] {
  const isMain = values.some(({ value }) => isMessageLine(value) && !isSubagents(value));
  let before: SessionLine | undefined;
  return values.flatMap(({ value, line }, at) => {
    if (!isObject(value) || (isMain && isSubagents(value))) return [];
    const read = readLine(value, { at, line }, before);
    if (read?.message !== undefined) before = read;
    return read ?? [];
  });
}

/** True for a line that holds what a person, a tool or the model said. */
export function isMessageLine(value: unknown): value is JsonObject {
  return isObject(value) && (value.type === "user" || value.type === "assistant") && isObject(value.message);
}

function isSubagents(value: JsonObject): boolean {
  return value.isSidechain === true || isFilledText(value.parent_tool_use_id);
}

function readLine(
  value: JsonObject,
  place: Pick<SessionLine, "at" | "line">,
  before: SessionLine | undefined,
): SessionLine | undefined {
  const isNameless = !isFilledText(value.uuid);
  if (isNameless && !isMessageLine(value)) return undefined;
  return {
    ...place,
    uuid: asText(value.uuid) || `line ${place.at}`,
    session: asText(value.sessionId) || asText(value.session_id) || (before?.session ?? ""),
    isNameless,
    parent: isNameless || saysNoParent(value) ? (before?.uuid ?? "") : parentOf(value),
    isBoundary: value.type === "system" && value.subtype === "compact_boundary",
    message: readMessage(value, place.at),
  };
}

/** What the host streams has names and no parents; in its session files the first line follows `null`. */
function saysNoParent(value: JsonObject): boolean {
  return value.parentUuid === undefined && value.logicalParentUuid === undefined && isMessageLine(value);
}

function parentOf({ parentUuid, logicalParentUuid }: JsonObject): string {
  return asText(parentUuid) || asText(logicalParentUuid);
}

function readMessage(value: JsonObject, at: number): SessionMessage | undefined {
  if (value.type === "attachment") return readQueuedPrompt(value);
  if (!isMessageLine(value)) return undefined;
  const message = value.message as JsonObject;
  const role = value.type === "user" ? "user" : "assistant";
  const isOnlyShown = value.isVisibleInTranscriptOnly === true && value.isCompactSummary !== true;
  if (value.isApiErrorMessage === true || isOnlyShown) return undefined;
  const blocks = readBlocks(message.content);
  if (role === "user") for (const block of blocks) if (opensAsHost(block)) markHostWritten(block);
  const isHostWritten = value.isMeta === true || value.isCompactSummary === true;
  return {
    role,
    id: asText(message.id) || asText(value.uuid) || `line ${at}`,
    blocks,
    isHostWritten: role === "user" && isHostWritten,
    model: asText(message.model),
  };
}

/** What was typed while the model worked is put into the running turn, and stands on no user line. */
function readQueuedPrompt({ attachment, uuid }: JsonObject): SessionMessage | undefined {
  if (!isObject(attachment) || attachment.type !== "queued_command") return undefined;
  const isTyped = attachment.commandMode === undefined || attachment.commandMode === "prompt";
  const isHuman = !isObject(attachment.origin) || attachment.origin.kind === "human";
  const isHostWritten = attachment.isMeta === true || !isTyped || !isHuman;
  return { role: "user", id: asText(uuid), blocks: readBlocks(attachment.prompt), isHostWritten, model: "" };
}

/** Content as blocks, without the empty texts that the provider would refuse. */
function readBlocks(content: unknown): readonly JsonObject[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
  return blocks.filter((block) => block.type !== "text" || asText(block.text).trim() !== "");
}

function opensAsHost({ type, text }: JsonObject): boolean {
  return type === "text" && HOST_OPENING.test(asText(text).slice(0, 100));
}
