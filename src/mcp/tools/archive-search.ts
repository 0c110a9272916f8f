// The tool `archive_search`: finds words in what compactions took out of conversations.
import * as z from "zod";
import { type ArchiveHit, searchArchive } from "../../archive/search-archive.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import { answerLimit, fitPage } from "../answer.ts";
import { nextOffset, offsetOf, pageSize } from "../cursor.ts";
import { cursorFooter } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { namedSession, sessionParameter } from "./archive-session.ts";
import { nameOf } from "./row-view.ts";

const DEFAULT_LIMIT = 20;
const MOST_HITS = 50;

const searchInput = z.object({
  query: z.string().describe('Words that must all occur in a message; a "phrase in quotes" as a whole'),
  session_id: sessionParameter.optional(),
  limit: z.number().optional().describe("Places a page: 20 by default, 50 at most"),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const searchOutput = z.object({
  offset: z.int(),
  hits: z.array(
    z.object({
      session_id: z.string(),
      ref: z.string().describe("For archive_expand, with the session_id"),
      step: z.int(),
      found_in: z.enum(["transcript", "summary"]),
      message: z.int().optional().describe("Number in the step's transcript, from 1"),
      role: z.string().optional(),
      snippet: z.string(),
    }),
  ),
  next_cursor: parameters.nextCursor.optional(),
});

export const archiveSearch = defineTool({
  name: "archive_search",
  title: "Search archived conversations",
  description:
    "Finds words in the full transcripts that compactions of conversations archived. Call it when a summary lacks a " +
    "detail that was said before. archive_expand gives the whole message of a place found.",
  params: searchInput,
  result: searchOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ query, session_id, limit, max_tokens, cursor }, context) {
    const offset = offsetOf("archive_search", cursor);
    const size = pageSize(limit, DEFAULT_LIMIT, MOST_HITS);
    const archive = await context.archive();
    const sessionId = await namedSession(archive, session_id);
    // One more than is shown tells whether there is a next page.
    const hits = await searchArchive(archive, query, {
      limit: offset + size + 1,
      ...(sessionId === undefined ? {} : { sessionId }),
    });
    const items = hits.slice(offset, offset + size);
    const build = (shown: readonly ArchiveHit[]) => searchAnswer(shown, offset, hits.length);
    return fitPage({ items, build }, answerLimit(max_tokens, context));
  },
});

function searchAnswer(hits: readonly ArchiveHit[], offset: number, found: number): ToolAnswer {
  const shown = offset + hits.length;
  const next = nextOffset("archive_search", offset, hits.length, found);
  const structured: z.infer<typeof searchOutput> = {
    offset,
    hits: hits.map((hit) => ({ ...hit })),
    next_cursor: next,
  };
  const [first] = hits;
  if (first === undefined) return { text: nothing(offset, found), structured };
  const how =
    `\n---\nThe whole message: archive_expand with ref: "${first.ref}", ` +
    `session_id: ${JSON.stringify(first.session_id)}`;
  const text =
    `Places ${offset + 1}-${shown}:\n\n` +
    hits.map((hit, index) => entry(hit, offset + index + 1)).join("") +
    how +
    cursorFooter(next);
  return { text, structured };
}

function entry({ session_id, ref, role, found_in, snippet }: ArchiveHit, number: number): string {
  return `[${number}] ${ref} (${nameOf(role ?? found_in)}) session ${nameOf(session_id)}\n    ${snippetOf(snippet)}\n`;
}

function nothing(offset: number, found: number): string {
  if (offset > 0 && found > 0) return `No further places: ${found} were found before.`;
  return "Nothing found in the archived conversations. Fewer words, or no session_id, find more.";
}
