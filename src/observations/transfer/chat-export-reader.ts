// Reads the data exports of ChatGPT and Claude: each conversation becomes a session, what its user wrote the session's
// prompts. What the assistant answered is no memory of the user's and stays in the export.
import { asArray, isObject, type JsonObject } from "../../text/json-values.ts";
import { withoutPrivate } from "../saving/stored-text.ts";
import {
  createImportLog,
  type ImportedPrompt,
  type ImportedSession,
  type ImportLog,
  type RowReader,
} from "./imported-rows.ts";
import { filledText, LONGEST_CONTENT, own, TOO_LONG, textOf, timeOf } from "./table-rows.ts";

export const chatExportReader: RowReader = {
  name: "chat-export",
  title: "data export of ChatGPT or Claude",
  matches: ({ values }) => values.some(({ value }) => isConversation(value)),
  read({ values, faults }) {
    const log = createImportLog();
    for (const { reason, position } of faults) log.skip(reason, position);
    const sessions: ImportedSession[] = [];
    const prompts: ImportedPrompt[] = [];
    for (const { value, position } of values) {
      const id = isObject(value) ? filledText(value, ["conversation_id", "id", "uuid"]) : undefined;
      if (!isConversation(value) || id === undefined) {
        log.skip("no conversation", position);
        continue;
      }
      sessions.push({ position, row: sessionOf(value, id) });
      for (const said of userMessages(value)) {
        const prompt = promptOf(said, id, position, log);
        if (prompt !== undefined) prompts.push(prompt);
      }
    }
    return { format: chatExportReader.name, sessions, observations: [], prompts, relations: [], ...log.read() };
  },
};

function isConversation(value: unknown): value is JsonObject {
  return isObject(value) && (isObject(own(value, "mapping")) || Array.isArray(own(value, "chat_messages")));
}

function sessionOf(item: JsonObject, id: string): ImportedSession["row"] {
  const title = filledText(item, ["title", "name"]) ?? null;
  return {
    id,
    project: "",
    directory: "",
    started_at: timeOf(own(item, "create_time") ?? own(item, "created_at")),
    ended_at: timeOf(own(item, "update_time") ?? own(item, "updated_at")) ?? null,
    summary: title,
  };
}

interface UserMessage {
  readonly content: string;
  readonly at: unknown;
}

function userMessages(item: JsonObject): readonly UserMessage[] {
  if (Array.isArray(own(item, "chat_messages"))) {
    const human = asArray(own(item, "chat_messages")).filter((one) => isObject(one) && own(one, "sender") === "human");
    return human.filter(isObject).map((one) => ({ content: claudeText(one), at: own(one, "created_at") }));
  }
  return shownNodes(item).flatMap((message) => {
    const author = own(message, "author");
    const content = own(message, "content");
    const about = own(message, "metadata");
    const isHidden = isObject(about) && own(about, "is_visually_hidden_from_conversation") === true;
    if (!isObject(author) || own(author, "role") !== "user" || !isObject(content) || isHidden) return [];
    return [{ content: texts(asArray(own(content, "parts"))), at: own(message, "create_time") }];
  });
}

function claudeText(message: JsonObject): string {
  const parts = asArray(own(message, "content")).filter(isObject);
  return textOf(own(message, "text"))?.trim() || texts(parts.map((part) => own(part, "text")));
}

function texts(parts: readonly unknown[]): string {
  return parts.flatMap((part) => textOf(part) ?? []).join("\n");
}

/** The messages of the branch that was left standing, first to last: what was written otherwise before is another branch. */
function shownNodes(item: JsonObject): readonly JsonObject[] {
  const mapping = own(item, "mapping");
  if (!isObject(mapping)) return [];
  const messages: JsonObject[] = [];
  const seen = new Set<string>();
  const last = textOf(own(item, "current_node")) ?? Object.keys(mapping).at(-1);
  for (let id = last; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const node = own(mapping, id);
    if (!isObject(node)) break;
    const message = own(node, "message");
    if (isObject(message)) messages.push(message);
    id = textOf(own(node, "parent"));
  }
  return messages.reverse();
}

function promptOf(
  { content: written, at }: UserMessage,
  session_id: string,
  position: string,
  log: ImportLog,
): ImportedPrompt | undefined {
  const content = /<private>/iu.test(written) ? withoutPrivate(written) : written.trim();
  if (content === "") return undefined;
  if (content.length > LONGEST_CONTENT) {
    log.skip(TOO_LONG, position);
    return undefined;
  }
  const row = { session_id, content, project: null, namespace: null, created_at: timeOf(at) };
  return { position, id: undefined, row };
}
