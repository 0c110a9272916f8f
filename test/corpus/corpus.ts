// Where real sessions are, and an own, deliberately plain reading of them: the oracle must not share code with
// the readers it checks.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export const CORPUS = process.env.AGENT_CORPUS;

export interface RawSession {
  readonly users: readonly string[];
  readonly written: readonly string[];
  readonly systems: readonly string[];
}

/** Files of a corpus folder that match; none without a corpus. */
export function corpusFiles(folder: string, pattern: RegExp): readonly string[] {
  if (CORPUS === undefined || !existsSync(join(CORPUS, folder))) return [];
  return readdirSync(join(CORPUS, folder))
    .filter((name) => pattern.test(name))
    .map((name) => join(CORPUS, folder, name));
}

export function readText(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

const WRITING = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/* biome-ignore lint/suspicious/noExplicitAny: the oracle reads foreign JSON as it comes. */
type Foreign = any;

export function readRaw(file: string): RawSession {
  const text = readText(file);
  return file.includes("claude-code") ? rawLines(text) : rawRequest(JSON.parse(text));
}

function rawLines(text: string): RawSession {
  const users: string[] = [];
  const written: string[] = [];
  for (const entry of text.split("\n").flatMap(valuesOf)) {
    if (!["user", "assistant"].includes(entry.type) || entry.isSidechain) continue;
    const blocks = blocksOf(entry.message.content);
    // What the host put in the user's place (instructions, its own summary) is nobody's words.
    const isHosts = entry.isMeta === true || entry.isCompactSummary === true;
    if (entry.type === "user" && !isHosts) users.push(textOfBlocks(blocks));
    for (const block of blocks) if (block.type === "tool_use") collectWritten(block.name, block.input, written);
  }
  return { users: users.filter((words) => words.trim() !== ""), written, systems: [] };
}

function blocksOf(content: Foreign): readonly Foreign[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function textOfBlocks(blocks: readonly Foreign[]): string {
  const texts = blocks.filter((block) => block.type === "text");
  return texts.map((block) => block.text).join("\n");
}

/** A line may hold two values; they are split where one object ends and the next begins. */
function valuesOf(line: string): readonly Foreign[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line)];
  } catch {
    const cut = line.indexOf("}{");
    for (let at = cut; at >= 0; at = line.indexOf("}{", at + 1)) {
      try {
        return [JSON.parse(line.slice(0, at + 1)), JSON.parse(line.slice(at + 1))];
      } catch {}
    }
    return [];
  }
}

function rawRequest(request: Foreign): RawSession {
  const users: string[] = [];
  const written: string[] = [];
  const systems: string[] = [];
  for (const message of request.messages ?? request.input) {
    const words =
      typeof message.content === "string"
        ? message.content
        : (message.content ?? []).map((part: Foreign) => part.text ?? "").join("\n");
    if (message.role === "user") users.push(words);
    if (message.role === "system" || message.role === "developer") systems.push(words);
    for (const call of message.tool_calls ?? [])
      collectWritten(call.function.name, JSON.parse(call.function.arguments), written);
    if (message.type === "function_call") collectWritten(message.name, JSON.parse(message.arguments), written);
  }
  return { users, written, systems };
}

function collectWritten(tool: string, input: Foreign, written: string[]): void {
  const path = input.file_path ?? input.notebook_path;
  if (WRITING.has(tool) && path !== undefined) written.push(path);
}

/** All strings of the messages, JSON in call arguments decoded. */
export function allText(messages: readonly unknown[]): string {
  const strings: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") strings.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  for (const message of messages as readonly Foreign[]) {
    walk(message);
    for (const text of [
      message.arguments,
      ...(message.tool_calls ?? []).map((call: Foreign) => call.function.arguments),
    ]) {
      if (typeof text === "string") walk(JSON.parse(text));
    }
  }
  return strings.join("\n");
}
