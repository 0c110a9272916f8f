// Sessions of several hosts, each as messages that facts are found in: wider than what the product reads, so that the
// rules are judged on more manners of speaking than those of one host.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { anthropicFormat } from "../../src/formats/anthropic-format.ts";
import { detectInput } from "../../src/formats/detect-format.ts";
import type { MessagePart, MessageRole, MessageView } from "../../src/formats/format.ts";
import { openaiChatFormat } from "../../src/formats/openai-chat-format.ts";
import { readClaudeCodeSession } from "../../src/formats/readers/claude-code-reader.ts";
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";

/* biome-ignore lint/suspicious/noExplicitAny: foreign JSON as it comes. */
type Foreign = any;

export interface SpokenSession {
  readonly name: string;
  readonly views: readonly MessageView[];
}

/** Other texts than sessions, each as what one author said: files of a folder, named `user-...` or `assistant-...`. */
export function noteSessions(folder: string): readonly SpokenSession[] {
  return readdirSync(folder).map((name) => {
    const role: MessageRole = name.startsWith("user") ? "user" : "assistant";
    return { name, views: [view(role, [{ kind: "text", text: readText(join(folder, name)) }])] };
  });
}

/** Sessions that are in the corpus twice, in another format, are read once. */
export function spokenSessions(): readonly SpokenSession[] {
  const files = corpusFiles("transcripts", /\.(?:jsonl|json|md)(?:\.gz)?$/).filter((file) => !file.includes(".meta."));
  return files.flatMap((file) => {
    const name = basename(file).replace(/\.gz$/, "");
    return readLists(name, readText(file)).map((views, at) => ({ name: `${name}#${at}`, views }));
  });
}

function readLists(name: string, text: string): readonly (readonly MessageView[])[] {
  if (name.endsWith(".md")) return chatLogs(text);
  if (name.startsWith("claude-code")) return [knownViews(readClaudeCodeSession(text).messages)];
  if (name.startsWith("pi-")) return [lines(text).flatMap(({ message }) => (message ? [piView(message)] : []))];
  if (name.startsWith("swe-agent-llm")) {
    const requests = lines(text).filter(({ type }) => type === "request");
    return [knownViews(requests.at(-1)?.request_params.messages ?? [])];
  }
  const value = JSON.parse(text);
  if (Array.isArray(value.history)) return [knownViews(value.history)];
  if (Array.isArray(value) && value[0]?.traj) return value.map(({ traj }) => knownViews(traj));
  if (value.projectHash) return [value.messages.map(geminiView)];
  return [];
}

function knownViews(messages: readonly unknown[]): readonly MessageView[] {
  const found = detectInput(messages, [openaiChatFormat, anthropicFormat]);
  return found === undefined ? [] : messages.map((message) => found.format.view(message));
}

function lines(text: string): readonly Foreign[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

const view = (role: MessageRole, parts: readonly MessagePart[]): MessageView => ({
  role,
  parts,
  isProtected: false,
  isIrreplaceable: false,
  joinsNext: false,
});

function piView({ role, content, toolCallId }: Foreign): MessageView {
  const blocks: readonly Foreign[] = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  const text = blocks.map((block) => block.text ?? "").join("\n");
  if (role !== "user" && role !== "assistant")
    return view("tool", [{ kind: "result", callId: toolCallId ?? "", text, isError: false, images: 0 }]);
  const calls = blocks
    .filter(({ type }) => type === "toolCall")
    .map(({ id, name, arguments: input }) => callOf(id, name, input));
  return view(role, [{ kind: "text", text }, ...calls]);
}

function geminiView({ type, content, toolCalls = [] }: Foreign): MessageView {
  const calls = toolCalls.map(({ id, name, args }: Foreign) => callOf(id, name, args));
  return view(type === "user" ? "user" : "assistant", [{ kind: "text", text: content ?? "" }, ...calls]);
}

function callOf(callId: string, name: string, input: unknown): MessagePart {
  return { kind: "call", callId, name, arguments: JSON.stringify(input ?? {}) };
}

/** A chat in Markdown: users' lines stand as headings of the fourth level, tools' as quotes. */
function chatLogs(text: string): readonly (readonly MessageView[])[] {
  return text.split(/^# aider chat started.*$/m).map((log) => {
    const views: MessageView[] = [];
    let words: string[] = [];
    let role: MessageRole = "assistant";
    const close = () => {
      if (words.join("").trim() !== "") views.push(view(role, [{ kind: "text", text: words.join("\n") }]));
      words = [];
    };
    for (const line of log.split("\n")) {
      const next: MessageRole | undefined = line.startsWith("####")
        ? "user"
        : line.startsWith(">")
          ? undefined
          : "assistant";
      if (next === undefined) continue;
      if (next !== role) close();
      role = next;
      words.push(next === "user" ? line.replace(/^#### ?/, "").trimEnd() : line.trimEnd());
    }
    close();
    return views;
  });
}
