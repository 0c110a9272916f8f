// Every session of a corpus that the product can read, as OpenAI chat. Where it is is said by AGENT_CORPUS; a clone has
// none. What is too small to compact, or no conversation, is named with the reason.
import { basename } from "node:path";
import { FORMATS } from "../../../src/factories/formats.ts";
import { READERS } from "../../../src/factories/readers.ts";
import { convertConversation, type ProviderFormat } from "../../../src/providers/conversion/convert-conversation.ts";
import { detectInput } from "../../../src/providers/detect-format.ts";
import { readJsonValues } from "../../../src/text/json.ts";
import { corpusFiles, readText } from "../../../test/corpus/corpus.ts";
import { isPiSession, wordsOfUsers } from "../../cost/held.ts";
import { readProbes } from "../../probes/probes.ts";
import { probedSessions } from "../../probes/sessions.ts";
import { type ChatSession, chatSession } from "./chat-session.ts";

const LEAST_TOKENS = 1_500;
const LEAST_ANSWERS = 2;
/** Of a session that is asked about: 5 % are 4,000 tokens at least. */
const LEAST_PROBED = 80_000;
const NO_SESSIONS = /\.meta\.json$|^claude-compactions|^token-golden/;

export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

export interface Sessions {
  readonly sessions: readonly ChatSession[];
  readonly leftOut: readonly LeftOut[];
}

export function readSessions(pattern: RegExp): Sessions {
  const sessions: ChatSession[] = [];
  const leftOut: LeftOut[] = [];
  const labels = createLabels();
  const files = [...corpusFiles("derived", /./), ...corpusFiles("transcripts", /./)];
  for (const file of files.filter((one) => !NO_SESSIONS.test(basename(one)) && pattern.test(basename(one)))) {
    const name = labels(file);
    try {
      const session = readSession(file, name);
      const small = smallness(session);
      if (small === undefined) sessions.push(session);
      else leftOut.push({ name, reason: small });
    } catch (error) {
      leftOut.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { sessions: [...sessions, ...probed(pattern)], leftOut };
}

/** Sessions cut before their last fifth, with the questions that the fifth needed. */
function probed(pattern: RegExp): readonly ChatSession[] {
  return probedSessions().flatMap(({ name, format, before }) => {
    const probes = readProbes(name);
    if (probes === undefined || !pattern.test(name)) return [];
    const { messages } = convertConversation({ format: format as ProviderFormat, messages: before }, "openai-chat");
    return [{ ...chatSession(`Questions on ${name}`, messages), probes, leastTokens: LEAST_PROBED }];
  });
}

function readSession(file: string, name: string): ChatSession {
  const text = readText(file);
  const found = asSession(text) ?? asRequest(text);
  if (found === undefined) throw new Error("no conversation in a format that is read");
  const { messages } = convertConversation(found, "openai-chat");
  return chatSession(name, messages, tellsPersons(file) ? wordsOfUsers(file) : undefined);
}

function tellsPersons(file: string): boolean {
  return basename(file).startsWith("claude-code-") || isPiSession(file);
}

/** Too small says more about the session than about who compacts it. */
function smallness({ tokens, messages }: ChatSession): string | undefined {
  const answers = messages.filter(({ role }) => role === "assistant").length;
  if (answers < LEAST_ANSWERS) return "one response";
  return tokens < LEAST_TOKENS ? `${tokens} tokens` : undefined;
}

type Found = Parameters<typeof convertConversation>[0];

function asSession(text: string): Found | undefined {
  const values = valuesOf(text);
  // A Markdown log may quote lines of JSON.
  const reader =
    (values === undefined ? undefined : READERS.find((one) => one.matches(values))) ??
    (documentOf(text) === undefined ? READERS.find((one) => one.matchesText?.(text) === true) : undefined);
  if (reader === undefined) return undefined;
  const { format = "anthropic", messages, system, tools } = reader.read(text);
  return { format, messages, ...(system === undefined ? {} : { system }), ...(tools === undefined ? {} : { tools }) };
}

function asRequest(text: string): Found | undefined {
  const value = documentOf(text) ?? valuesOf(text);
  const found = value === undefined ? undefined : detectInput(value, FORMATS);
  if (found === undefined) return undefined;
  const { format, messages, system } = found;
  return { format: format.name as ProviderFormat, messages, ...(system === undefined ? {} : { system }) };
}

/** Undefined for a text that is no JSON at all. */
function valuesOf(text: string): readonly unknown[] | undefined {
  const document = documentOf(text);
  if (document !== undefined) return Array.isArray(document) ? document : [document];
  const { values } = readJsonValues(text);
  return values.length === 0 ? undefined : values.map(({ value }) => value);
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^claude-code-([0-9a-f]+)-/, "Claude Code session"],
  [/^openai-chat-([0-9a-f]+)-/, "OpenAI chat"],
  [/^openai-responses-([0-9a-f]+)-/, "OpenAI Responses"],
  [/^pi-/, "pi session"],
  [/^gemini-cli-/, "Gemini CLI session"],
  [/^swe-agent-llm-/, "SWE-agent log"],
  [/^swe-agent-/, "SWE-agent trajectory"],
  [/^tau-bench-/, "tau-bench conversations"],
  [/^aider-/, "aider history"],
];

/** The kind, and the first characters of the name or a number tell which it is. */
function createLabels(): (file: string) => string {
  const numbers = new Map<string, number>();
  return (file) => {
    const name = basename(file);
    const [pattern, kind] = KINDS.find(([known]) => known.test(name)) ?? [/^/, "provider response"];
    const code = pattern.exec(name)?.[1];
    if (code !== undefined) return `${kind} ${code}`;
    numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
    return `${kind} ${numbers.get(kind)}`;
  };
}
