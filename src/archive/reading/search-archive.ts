// Plain-text search in transcripts and summaries: no index, one linear pass over the archive. A message that stayed in
// the live list is archived again with every step; it is reported once, where it first stands.
import { CompactError } from "../../errors.ts";
import type { Archive } from "../archive.ts";
import { knownSessions, readSummaryOrSkip, readTranscriptOrSkip } from "./known-sessions.ts";
import { messageRole, messageText } from "./message-text.ts";
import { type SnippetRange, snippetAround } from "./snippet.ts";

export interface SearchArchiveOptions {
  /** Search this session alone; an unknown one is `NotFound`. */
  readonly sessionId?: string;
  /** Most hits to give back; 20 by default. */
  readonly limit?: number;
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
  if (!(limit >= 1)) throw invalidLimit(limit);
  const hits: ArchiveHit[] = [];
  for (const sessionId of await knownSessions(archive, options.sessionId)) {
    for await (const hit of hitsIn(archive, sessionId, terms)) {
      hits.push(hit);
      if (hits.length >= limit) return hits;
    }
  }
  return hits;
}

async function* hitsIn(archive: Archive, sessionId: string, terms: readonly string[]): AsyncGenerator<ArchiveHit> {
  const seen = new Set<string>();
  const find = (raw: string): string | undefined => {
    const text = raw.normalize("NFC");
    const range = firstMatch(text, terms);
    if (range === undefined || seen.has(raw)) return undefined;
    seen.add(raw);
    return snippetAround(text, range);
  };
  for (const { step } of await archive.steps(sessionId)) {
    const messages = await readTranscriptOrSkip(archive, sessionId, step);
    for (const [index, message] of messages.entries()) {
      const snippet = find(messageText(message));
      if (snippet === undefined) continue;
      const role = messageRole(message);
      const place = { session_id: sessionId, step, found_in: "transcript" as const, message: index + 1 };
      yield { ...place, ...(role === undefined ? {} : { role }), snippet, ref: `${step}.${index + 1}` };
    }
    const record = await readSummaryOrSkip(archive, sessionId, step);
    const snippet = record === undefined ? undefined : find(record.text);
    if (snippet !== undefined) yield { session_id: sessionId, step, found_in: "summary", snippet, ref: String(step) };
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

function invalidLimit(limit: number): CompactError {
  return new CompactError("InvalidInput", `limit must be at least 1, not ${limit}`, {
    code: "INVALID_LIMIT",
    hint: "Leave it out for the default of 20.",
  });
}

/** Lower case of the same length, so that offsets hold: the few characters that would grow stay as they are. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  const folded = lower.length === text.length ? lower : Array.from(text, foldCharacter).join("");
  return folded.replaceAll("ς", "σ");
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
