// One entry of a pi session file, reduced to what matters: what it follows and what it put before the model. Files of
// the first version are plain lists; later ones name the entry that each follows.
import type { JsonObject } from "../json-shape.ts";
import { asText, isFilledText, isObject } from "../json-shape.ts";
import type { SessionValue } from "./parts/session-values.ts";
import { answerBlocks, resultBlock, textAndImages, textBlocks, userBlocks } from "./pi-blocks.ts";
import type { SessionMessage } from "./session-messages.ts";

export interface PiEntry {
  /** As it stands in the file. */
  readonly value: JsonObject;
  /** 1-based line in the file. */
  readonly line: number;
  readonly id: string;
  /** The entry it follows; "" for one that begins a conversation. */
  readonly parent: string;
  readonly isCompaction: boolean;
  readonly message: SessionMessage | undefined;
  /** Passages of reasoning that the message could not hold. */
  readonly unsigned: number;
}

/** A header and what stands behind it. */
export interface PiSession {
  readonly id: string | undefined;
  readonly entries: readonly PiEntry[];
}

type Said = Pick<PiEntry, "message" | "unsigned">;

const SAYS_NOTHING: Said = { message: undefined, unsigned: 0 };

export function isPiHeader(value: unknown): value is JsonObject {
  return isObject(value) && value.type === "session" && typeof value.cwd === "string";
}

/** Told apart where the head of a file is missing: other hosts that wrap messages so name no interface, or write results as blocks. */
export function isPiAnswer(value: unknown): boolean {
  if (!isObject(value) || value.type !== "message" || !isObject(value.message)) return false;
  const { role, content, stopReason, toolCallId } = value.message;
  if (role === "toolResult") return isFilledText(toolCallId);
  return role === "assistant" && isFilledText(stopReason) && Array.isArray(content);
}

/** The sessions of a file, in order: one, unless files were joined. */
export function readPiSessions(values: readonly SessionValue[]): readonly PiSession[] {
  const sessions: { id: string | undefined; entries: PiEntry[] }[] = [];
  for (const [at, { value, line }] of values.entries()) {
    if (isPiHeader(value)) sessions.push({ id: isFilledText(value.id) ? value.id : undefined, entries: [] });
    else if (isObject(value) && isFilledText(value.type)) {
      if (sessions.length === 0) sessions.push({ id: undefined, entries: [] });
      const { entries } = sessions.at(-1) as { entries: PiEntry[] };
      entries.push(readEntry(value, { at, line }, entries.at(-1)));
    }
  }
  return sessions;
}

function readEntry(
  value: JsonObject,
  { at, line }: { readonly at: number; readonly line: number },
  before: PiEntry | undefined,
): PiEntry {
  const isNameless = !isFilledText(value.id);
  return {
    value,
    line,
    id: isFilledText(value.id) ? value.id : `entry ${at}`,
    parent: isNameless ? (before?.id ?? "") : asText(value.parentId),
    isCompaction: value.type === "compaction",
    ...readSaid(value, `entry ${at}`),
  };
}

function readSaid(value: JsonObject, key: string): Said {
  switch (value.type) {
    case "message":
      return isObject(value.message) ? readMessage(value.message, key) : SAYS_NOTHING;
    case "custom_message":
      return fromHost(textAndImages(value.content), key);
    case "compaction":
      return fromHost(summaryBlocks("the conversation so far", value.summary), key);
    case "branch_summary":
      return fromHost(summaryBlocks("a branch that was left", value.summary), key);
    default:
      return SAYS_NOTHING;
  }
}

function readMessage(message: JsonObject, key: string): Said {
  switch (message.role) {
    case "user":
      return { message: userMessage(userBlocks(message), key, false), unsigned: 0 };
    case "assistant": {
      const { blocks, unsigned } = answerBlocks(message);
      return {
        message: { role: "assistant", id: key, blocks, isHostWritten: false, model: asText(message.model) },
        unsigned,
      };
    }
    case "toolResult":
      return { message: userMessage([resultBlock(message)], key, false), unsigned: 0 };
    case "bashExecution":
      return message.excludeFromContext === true ? SAYS_NOTHING : fromHost(textBlocks(textOfCommand(message)), key);
    case "compactionSummary":
      return fromHost(summaryBlocks("the conversation so far", message.summary), key);
    case "branchSummary":
      return fromHost(summaryBlocks("a branch that was left", message.summary), key);
    default:
      // Extensions put in messages of their own.
      return fromHost(textAndImages(message.content), key);
  }
}

function fromHost(blocks: readonly JsonObject[], key: string): Said {
  return { message: userMessage(blocks, key, true), unsigned: 0 };
}

function userMessage(blocks: readonly JsonObject[], id: string, isHostWritten: boolean): SessionMessage {
  return { role: "user", id, blocks, isHostWritten, model: "" };
}

function summaryBlocks(of: string, summary: unknown): readonly JsonObject[] {
  return isFilledText(summary) ? [{ type: "text", text: `[The host's summary of ${of}]\n${summary}` }] : [];
}

/** A command that the user ran beside the conversation, and what it printed. */
function textOfCommand({ command, output, exitCode, cancelled, fullOutputPath }: JsonObject): string {
  const failed = typeof exitCode === "number" && exitCode !== 0 ? `exit code ${exitCode}` : "";
  const end = cancelled === true ? "cancelled" : failed;
  return [
    `[The user ran: ${asText(command)}]`,
    asText(output) || "[no output]",
    ...(end === "" ? [] : [`[${end}]`]),
    ...(isFilledText(fullOutputPath) ? [`[whole output: ${fullOutputPath}]`] : []),
  ].join("\n");
}
