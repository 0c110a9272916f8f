// Plain-text search in transcripts and summaries: one linear pass over what is stored, but for sessions of which it is known
// that they have not all of the words. A message that several steps hold is reported once, where it first stands.
import { CompactError } from "../errors.ts";
import { parseJson } from "../text/parse-json.ts";
import { tokensAsWritten } from "../text/words.ts";
import type { Archive, SessionWords, StoredText } from "./archive.ts";
import { knownSessions, readSummaryOrSkip, readTranscriptOrSkip } from "./read-archive.ts";

interface SearchArchiveOptions {
  /** Search this session alone; an unknown one is `NotFound`. */
  readonly sessionId?: string;
  /** Most hits to give back; 20 by default. */
  readonly limit?: number;
  /** Told for each session that had to be read as a whole, since its words were not kept yet: how many so far. */
  readonly onRead?: (sessions: number) => void;
}

export interface ArchiveHit {
  readonly session_id: string;
  readonly step: number;
  readonly found_in: "transcript" | "summary";
  /** 1-based; absent for a summary. */
  readonly message?: number;
  readonly role?: string;
  /** One line around the first word found. */
  readonly snippet: string;
  /** For `expandReference`: `1.12`, or `1` for a summary. */
  readonly ref: string;
}

/**
 * Case-insensitive; all words must occur in the message, a quoted phrase as a whole, also inside other words (so Chinese
 * and Japanese are found). Sessions in order, steps in order. Throws `InvalidInput` for a query without words,
 * `NotFound` for an unknown session.
 */
export async function searchArchive(
  archive: Archive,
  query: string,
  options: SearchArchiveOptions = {},
): Promise<readonly ArchiveHit[]> {
  const terms = searchTerms(query);
  const limit = options.limit ?? 20;
  if (!(limit >= 1)) {
    throw new CompactError("InvalidInput", `limit must be at least 1, not ${limit}`, {
      code: "INVALID_LIMIT",
      hint: "Leave it out for the default of 20.",
    });
  }
  const hits: ArchiveHit[] = [];
  const sessions =
    options.sessionId === undefined
      ? sessionsWith(archive, terms, options.onRead)
      : knownSessions(archive, options.sessionId);
  for await (const sessionId of await sessions) {
    for await (const hit of hitsIn(archive, sessionId, terms)) {
      hits.push(hit);
      if (hits.length >= limit) return hits;
    }
  }
  return hits;
}

/** Looks at the words of so many sessions in a row; then others have their turn. */
const IN_A_ROW = 64;

/** Those that may hold all terms, in order. What a session is read for here is kept for the next search. */
async function* sessionsWith(
  archive: Archive,
  terms: readonly string[],
  onRead: SearchArchiveOptions["onRead"] = () => undefined,
): AsyncGenerator<string> {
  const wanted = terms.flatMap(tokensAsWritten);
  const sessions = await archive.words?.();
  if (sessions === undefined || wanted.length === 0) return yield* await archive.sessions();
  let read = 0;
  for (const [index, session] of sessions.entries()) {
    if (index % IN_A_ROW === IN_A_ROW - 1) await new Promise((resolve) => setTimeout(resolve));
    const kept = session.read();
    if (kept === undefined) onRead(++read);
    const words =
      kept === undefined
        ? await collectWords(archive, session)
        : Buffer.from(kept.buffer, kept.byteOffset, kept.length);
    if (words === undefined || wanted.every((word) => words.includes(word))) yield session.session_id;
  }
}

/** Undefined where something is damaged: it may be there again without a file being another. */
async function collectWords(archive: Archive, session: SessionWords): Promise<Buffer | undefined> {
  const found = new Set<string>();
  for await (const { value } of await textsOf(archive, session.session_id, [])) {
    if (value === undefined || value === null) return undefined;
    for (const word of tokensAsWritten(foldCase(searchedText(value)))) found.add(word);
  }
  const words = Buffer.from([...found].join("\n"));
  await session.keep(words);
  return words;
}

function searchedText(value: unknown): string {
  return (typeof value === "string" ? value : messageText(value)).normalize("NFC");
}

async function* hitsIn(archive: Archive, sessionId: string, terms: readonly string[]): AsyncGenerator<ArchiveHit> {
  const seen = new Set<string>();
  const find = (text: string): string | undefined => {
    const range = firstMatch(text, terms);
    if (range === undefined || seen.has(text)) return undefined;
    seen.add(text);
    return snippetAround(text, range);
  };
  for await (const { step, message, value } of await textsOf(archive, sessionId, terms)) {
    const snippet = find(searchedText(value));
    if (snippet === undefined) continue;
    if (message === undefined) {
      yield { session_id: sessionId, step, found_in: "summary", snippet, ref: String(step) };
      continue;
    }
    const role = messageRole(value);
    const place = { session_id: sessionId, step, found_in: "transcript" as const, message };
    yield { ...place, ...(role === undefined ? {} : { role }), snippet, ref: `${step}.${message}` };
  }
}

/** In the order of steps, each one's messages before its summary. */
async function textsOf(
  archive: Archive,
  sessionId: string,
  terms: readonly string[],
): Promise<AsyncIterable<StoredText>> {
  const fragments = terms.flatMap(fragmentOf);
  const mayHold = (bytes: Uint8Array): boolean => {
    if (fragments.length === 0 || typeof Buffer === "undefined") return true;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").toLowerCase();
    return fragments.every((fragment) => text.includes(fragment));
  };
  return (await archive.stored?.(sessionId, mayHold)) ?? stepByStep(archive, sessionId);
}

/** What stands in the bytes of a file wherever a term occurs in its text: letters and digits of ASCII are never escaped. */
function fragmentOf(term: string): readonly string[] {
  const runs = term.match(/[a-z0-9]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest === "" ? [] : [longest];
}

async function* stepByStep(archive: Archive, sessionId: string): AsyncGenerator<StoredText> {
  const together = {};
  for (const { step, summary } of await archive.steps(sessionId)) {
    const messages = await readTranscriptOrSkip(archive, sessionId, step, together);
    for (const [index, value] of messages.entries()) yield { step, message: index + 1, value };
    if (summary !== undefined)
      yield { step, value: (await readSummaryOrSkip(archive, sessionId, step, together))?.text };
  }
}

/** Where the first term stands, provided that all of them occur. */
function firstMatch(text: string, terms: readonly string[]): SnippetRange | undefined {
  const folded = foldCase(text);
  let first: SnippetRange | undefined;
  for (const term of terms) {
    const start = folded.indexOf(term);
    if (start < 0) return undefined;
    if (first === undefined || start < first.start) first = { start, end: start + term.length };
  }
  return first;
}

/** Words, and phrases in straight or curly double quotes. An unclosed quote is part of a word. */
function searchTerms(query: string): readonly string[] {
  const terms: string[] = [];
  for (const [, phrase, word] of query.matchAll(/["“”]([^"“”]+)["“”]|(\S+)/g)) {
    const term = foldCase((phrase ?? word ?? "").normalize("NFC").trim());
    if (term !== "" && !/^["“”]+$/.test(term)) terms.push(term);
  }
  if (terms.length > 0) return terms;
  throw new CompactError("InvalidInput", "the search query has no words", {
    code: "EMPTY_QUERY",
    hint: 'Give words, or a phrase in quotes: "rate limit".',
  });
}

/** Lower case of the same length, so that offsets hold: the few characters that would grow stay as they are. */
function foldCase(text: string): string {
  const lowerIfSame = (part: string) => (part.toLowerCase().length === part.length ? part.toLowerCase() : part);
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : Array.from(text, lowerIfSame).join("")).replaceAll("ς", "σ");
}

// The readable text of a native message of any format: what a person would search for. Ids, roles, signatures and
// encoded binaries are left out. Linear, and safe for any depth.

/** Names of the wire format, not of the conversation. Inside a tool's arguments every name is the user's own. */
const NOT_TEXT = new Set(
  (
    "id uuid role type status model object signature encrypted_content media_type mime_type mimeType detail format " +
    "finish_reason stop_reason created_at timestamp phase thoughtSignature cache_control meta"
  ).split(" "),
);
/** Their values are a tool's or the user's, so all strings in them count. */
const FREE_FORM = new Set(["input", "arguments", "args", "parameters"]);
/** Ids, and what a host or an SDK notes about a message. */
const IS_BESIDE = /(?:_id|_ids|Id)$|metadata/i;

interface Pending {
  readonly value: unknown;
  readonly isFree: boolean;
}

/** All strings of the message in document order, one per line. */
export function messageText(message: unknown): string {
  const texts: string[] = [];
  const stack: Pending[] = [{ value: message, isFree: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, isFree } = next;
    if (typeof value === "string") {
      if (value !== "" && !isBinary(value)) texts.push(value);
    } else if (typeof value === "object" && value !== null) {
      for (const child of children(value, isFree).reverse()) stack.push(child);
    }
  }
  return texts.join("\n");
}

/** The role a native message names, under whichever key. */
export function messageRole(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { role, type } = message as { role?: unknown; type?: unknown };
  if (typeof role === "string") return role;
  return typeof type === "string" ? type : undefined;
}

function children(value: object, isFree: boolean): Pending[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ value: item, isFree }));
  const isBase64 = (value as { type?: unknown }).type === "base64";
  const found: Pending[] = [];
  for (const [key, child] of Object.entries(value)) {
    if (!isFree && (NOT_TEXT.has(key) || IS_BESIDE.test(key) || (isBase64 && key === "data"))) continue;
    if (!isFree && FREE_FORM.has(key)) found.push({ value: decoded(child), isFree: true });
    else found.push({ value: child, isFree });
  }
  return found;
}

/** Call arguments are often JSON in a string, with text escaped as `\u4f60`: search must see the text. */
function decoded(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s{0,20}[{[]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

function isBinary(text: string): boolean {
  return text.startsWith("data:") && text.slice(0, 100).includes(";base64,");
}

// Cuts a piece of text around a place, for a person to read: on one line, never inside a grapheme.

const ELLIPSIS = "…";
/** Room to get back in step with grapheme boundaries when starting in the middle of a long text. */
const RUN_UP = 64;

interface SnippetRange {
  /** UTF-16 offsets of what must be inside. */
  readonly start: number;
  readonly end: number;
}

/** At most `around` units before and after the range; costs the same on a text of any length. */
export function snippetAround(text: string, range: SnippetRange, around = 80): string {
  const lowest = Math.max(0, range.start - around);
  const highest = Math.min(text.length, range.end + around);
  const windowStart = Math.max(0, lowest - RUN_UP);
  const window = text.slice(windowStart, Math.min(text.length, highest + RUN_UP));
  let start: number | undefined;
  let end = range.end;
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(window)) {
    const from = windowStart + index;
    const to = from + segment.length;
    if (start === undefined && (from >= lowest || to > range.start)) start = from;
    // A grapheme that begins inside the range is never cut, even when it ends beyond the limit.
    if (to <= highest || from < range.end) end = to;
    else break;
  }
  const piece = text
    .slice(start ?? range.start, end)
    .replace(/\s+/g, " ")
    .trim();
  return `${(start ?? 0) > 0 ? ELLIPSIS : ""}${piece}${end < text.length ? ELLIPSIS : ""}`;
}
