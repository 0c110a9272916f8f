// `agent-compact status-line`: what Claude Code shows below its prompt. It is called after every answer, so what was said since
// the last compaction is all that is read, and tokens are those that the host counted. Whatever is wrong shows as nothing.
import { open } from "node:fs/promises";
import { anthropicFormat } from "../../providers/anthropic/anthropic-format.ts";
import { claudeCodeReader } from "../../session-files/claude-code.ts";
import { plural, sum } from "../../text/figures.ts";
import { asText, isObject, toJson } from "../../text/json-values.ts";
import type { CommonFlags } from "../flags.ts";
import { KEPT_TURNS, turnStarts } from "../sessions/measure.ts";
import type { Terminal } from "../terminal.ts";

/** Of a session's file, from its end. */
const MOST_READ = 64_000_000;
/** Of what follows the last compaction. */
const MOST_PARSED = 8_000_000;
/** Calls with their results that stay by default. */
const KEPT_PAIRS = 4;
/** Of a picture in a message: its tokens are few. */
const MOST_OF_DATA = 6_000;
/** Of what a summary takes the place of, about what it takes itself. */
const SUMMARY_SHARE = 0.2;
const CHARACTERS_OF_TOKEN = 4;

/** Never throws. */
export async function printStatusLine(_flags: CommonFlags, terminal: Terminal): Promise<void> {
  const line = await statusLine(terminal).catch(() => "");
  if (line !== "") terminal.stdout.write(`${line}\n`);
}

async function statusLine({ stdin }: Terminal): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const status: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (!isObject(status)) return "";
  const { used, window } = usageOf(status.context_window);
  const session = await readSession(asText(status.transcript_path)).catch(() => undefined);
  const saved = session === undefined ? 0 : savedBy(session.recent, used);
  return [
    ...(window > 0 ? [`${Math.round((used / window) * 100)} % of ${short(window)}`] : []),
    ...(session === undefined || session.compactions === 0 ? [] : [plural(session.compactions, "compaction")]),
    ...(saved > 0 ? [`the next saves ~${short(saved)}`] : []),
  ].join(", ");
}

function usageOf(found: unknown): { readonly used: number; readonly window: number } {
  const { current_usage: usage, context_window_size: size } = isObject(found) ? found : {};
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = isObject(usage) ? usage : {};
  const parts = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens];
  const used = parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
  return { used, window: typeof size === "number" ? size : 0 };
}

/** `1.2M`, `74k`. */
function short(tokens: number): string {
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${Number((tokens / 1_000_000).toFixed(1))}M`;
}

const BOUNDARY = '"subtype":"compact_boundary"';

interface SessionEnd {
  readonly compactions: number;
  /** What follows the last of them. */
  readonly recent: string;
}

async function readSession(path: string): Promise<SessionEnd> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, MOST_READ);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    let [compactions, last] = [0, -1];
    for (let at = buffer.indexOf(BOUNDARY); at >= 0; at = buffer.indexOf(BOUNDARY, at + 1))
      [compactions, last] = [compactions + 1, at];
    const from = Math.max(last, length - MOST_PARSED);
    const start = from <= 0 ? 0 : buffer.indexOf("\n", from) + 1;
    return { compactions, recent: buffer.toString("utf8", start) };
  } finally {
    await file.close();
  }
}

/** Tokens: of what a compaction lets go, less the summary of it. */
function savedBy(text: string, used: number): number {
  const { messages } = claudeCodeReader.read(text);
  const start = turnStarts({ format: anthropicFormat, messages }).at(-KEPT_TURNS) ?? 0;
  const isTool = messages.map((message) =>
    anthropicFormat.view(message).parts.some(({ kind }) => kind === "call" || kind === "result"),
  );
  const pairs = isTool.flatMap((is, index) => (is && index >= start ? [index] : [])).slice(-2 * KEPT_PAIRS);
  const sizes = messages.map((message) => toJson(message, cutData).length);
  const left = sum(sizes.filter((_, index) => index < start || (isTool[index] === true && !pairs.includes(index))));
  // The host counts its own instructions and tools too, which stay.
  const tokens = Math.min((used * left) / Math.max(1, sum(sizes)), left / CHARACTERS_OF_TOKEN);
  return tokens * (1 - SUMMARY_SHARE);
}

function cutData(key: string, value: unknown): unknown {
  return key === "data" && typeof value === "string" ? value.slice(0, MOST_OF_DATA) : value;
}
