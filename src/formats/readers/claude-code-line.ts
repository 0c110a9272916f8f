// One line of a Claude Code session file, reduced to what matters: who it comes from, what it follows, and
// whether the model saw it.

import type { JsonLineValue } from "../../text/jsonl.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isObject } from "../json-shape.ts";

export interface SessionLine {
  /** Position among the values of the file. */
  readonly at: number;
  /** 1-based line in the file. */
  readonly line: number;
  readonly uuid: string;
  /** The line it follows; across the host's own compaction, the last line before it. "" when none is named. */
  readonly parent: string;
  readonly isBoundary: boolean;
  readonly message: SessionMessage | undefined;
}

/** What a line put before the model. */
export interface SessionMessage {
  readonly role: "user" | "assistant";
  /** Lines of one model answer share it. */
  readonly id: string;
  readonly blocks: readonly JsonObject[];
  /** No person wrote it, though it stands in the user's place. */
  readonly isHostWritten: boolean;
  readonly model: string;
}

/** Openings of user lines that record what a command of the host printed. */
const HOST_OPENINGS = ["<local-command-caveat>", "<local-command-stdout>", "<local-command-stderr>"] as const;

/** Reads one value of the file; undefined for what has no place in the thread of messages. */
export function readSessionLine({ value, line }: JsonLineValue, at: number): SessionLine | undefined {
  if (!isObject(value) || value.isSidechain === true || typeof value.uuid !== "string") return undefined;
  const isBoundary = value.type === "system" && value.subtype === "compact_boundary";
  const parent = asText(value.parentUuid) || asText(value.logicalParentUuid);
  return { at, line, uuid: value.uuid, parent, isBoundary, message: readMessage(value) };
}

function readMessage(value: JsonObject): SessionMessage | undefined {
  if (value.type === "attachment") return readQueuedPrompt(value);
  const { message, type: role } = value;
  if ((role !== "user" && role !== "assistant") || !isObject(message)) return undefined;
  const isOnlyShown = value.isVisibleInTranscriptOnly === true && value.isCompactSummary !== true;
  if (value.isApiErrorMessage === true || isOnlyShown) return undefined;
  const blocks = readBlocks(message.content);
  const isHostWritten = value.isMeta === true || value.isCompactSummary === true || opensAsHost(blocks[0]);
  return {
    role,
    id: asText(message.id) || asText(value.uuid),
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

function opensAsHost(block: JsonObject | undefined): boolean {
  const text = asText(block?.text);
  return HOST_OPENINGS.some((opening) => text.startsWith(opening));
}
