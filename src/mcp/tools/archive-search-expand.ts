// The tool `archive_search`: finds words in what compactions took out of conversations.
import * as z from "zod";
import type { Archive } from "../../archive/archive.ts";
import { type ExpandedReference, expandReference, knownSessions } from "../../archive/read-archive.ts";
import { type ArchiveHit, messageRole, searchArchive } from "../../archive/search-archive.ts";
import { CompactError } from "../../errors.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import {
  type AnswerLimit,
  answerLimit,
  cursorFooter,
  fitPage,
  isPieceStart,
  largestWithin,
  offsetOf,
  pageSize,
  pieceFrom,
  readCursor,
  tooSmall,
  writeCursor,
} from "../answer.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { nameOf, quoted } from "./row-view.ts";

// Which archived session a call means. Errors name those that there are, since a client has no other list of them.

const MOST_NAMED = 5;

export const sessionParameter = z.string().describe("Only this conversation, by the session_id of a place found");

/** Undefined for all of them. Throws `NotFound` for one that is not archived. */
export async function namedSession(archive: Archive, sessionId: string | undefined): Promise<string | undefined> {
  if (sessionId === undefined || sessionId.trim() === "") return undefined;
  try {
    await knownSessions(archive, sessionId);
  } catch (error) {
    if (!CompactError.isInstance(error) || error.kind !== "NotFound") throw error;
    throw new CompactError("NotFound", `Nothing is archived for session ${JSON.stringify(nameOf(sessionId))}.`, {
      code: "SESSION_NOT_FOUND",
      hint: whichOnes(await archive.sessions()),
      cause: error,
    });
  }
  return sessionId;
}

/** With a single session there is nothing to choose. Throws `InvalidInput` where it has to be said. */
export async function chosenSession(archive: Archive, sessionId: string | undefined): Promise<string> {
  const named = await namedSession(archive, sessionId);
  if (named !== undefined) return named;
  const sessions = await archive.sessions();
  const [only] = sessions;
  if (only !== undefined && sessions.length === 1) return only;
  if (only === undefined) {
    throw new CompactError("NotFound", "The archive holds no conversation yet.", {
      code: "ARCHIVE_EMPTY",
      hint: "Compactions of conversations fill it.",
    });
  }
  throw new CompactError("InvalidInput", `The archive holds ${sessions.length} sessions: send 'session_id'.`, {
    code: "SESSION_REQUIRED",
    hint: whichOnes(sessions),
  });
}

function whichOnes(sessions: readonly string[]): string {
  if (sessions.length === 0) return "The archive holds no conversation yet.";
  const names = sessions.slice(0, MOST_NAMED).map((id) => JSON.stringify(nameOf(id)));
  const more = sessions.length > MOST_NAMED ? `, and ${sessions.length - MOST_NAMED} more` : "";
  return `There are ${names.join(", ")}${more}; archive_search without session_id tells where words occur.`;
}

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
  const next = hits.length > 0 && shown < found ? writeCursor("archive_search", { offset: shown }) : undefined;
  const structured: z.infer<typeof searchOutput> = {
    offset,
    hits: hits.map((hit) => ({ ...hit })),
    ...(next === undefined ? {} : { next_cursor: next }),
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

// The tool `archive_expand`: archived messages whole, as they were sent. What an answer has no room for comes with the
// next page, a long message piece by piece.

const expandInput = z.object({
  ref: z.string().describe("1.12 for message 12 of step 1, 1.12-20 for a range, 1 for the whole step"),
  session_id: sessionParameter.optional(),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const expandOutput = z.object({
  session_id: z.string(),
  step: z.int(),
  total: z.int().describe("Messages of the reference"),
  messages: z.array(
    z.object({
      ref: z.string(),
      role: z.string().optional(),
      message: z.unknown().optional().describe("The message as it was sent; null where the archive is damaged"),
      part: z
        .object({
          text: z.string().describe("A piece of the message's JSON; the pieces of all pages together are the whole"),
          offset: z.int(),
          length: z.int().describe("Of the whole JSON, in UTF-16 units"),
        })
        .optional()
        .describe("Instead of message, where it does not fit on one page"),
    }),
  ),
  next_cursor: parameters.nextCursor.optional(),
});

type Shown = z.infer<typeof expandOutput>["messages"][number];

const expandPosition = z.strictObject({ message: z.int().min(0), at: z.int().min(0) });
type Position = z.infer<typeof expandPosition>;

export const archiveExpand = defineTool({
  name: "archive_expand",
  title: "Expand an archived reference",
  description:
    "Gives back archived messages of a conversation, whole, by a reference from a summary or from archive_search. " +
    "Long ones come in pages.",
  params: expandInput,
  result: expandOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ ref, session_id, max_tokens, cursor }, context) {
    const archive = await context.archive();
    const expanded = await expandReference(archive, await chosenSession(archive, session_id), ref);
    const limit = answerLimit(max_tokens, context);
    return fitExpanded(expanded, startOf(expanded, cursor), limit);
  },
});

function startOf({ messages }: ExpandedReference, cursor: string | undefined): Position {
  const start = readCursor("archive_expand", cursor, expandPosition);
  if (start === undefined) return { message: 0, at: 0 };
  const message = messages[start.message];
  if (message !== undefined && isPieceStart(jsonOf(message.message), start.at)) return start;
  throw new CompactError("InvalidInput", "'cursor' is not of this reference.", {
    code: "INVALID_CURSOR",
    hint: "Send it with the ref and session_id of the answer that gave it, or leave it out.",
  });
}

/** Whole messages where one fits; else as much of the first as fits. */
function fitExpanded(expanded: ExpandedReference, start: Position, limit: AnswerLimit): ToolAnswer {
  const left = expanded.messages.length - start.message;
  if (left === 0) return finished(expandAnswer(expanded, start, []), limit);
  if (start.at === 0) {
    const whole = largestWithin(1, left, (count) => withMessages(expanded, start, count), limit);
    if (whole !== undefined) return whole.answer;
  }
  const json = jsonOf(expanded.messages[start.message]?.message);
  const withUnits = (units: number) => withPart(expanded, start, json, units);
  const part = largestWithin(1, json.length - start.at, withUnits, limit);
  if (part === undefined) throw tooSmall(withUnits(1), limit);
  return part.answer;
}

function finished(answer: ToolAnswer, limit: AnswerLimit): ToolAnswer {
  const fitted = largestWithin(0, 0, () => answer, limit);
  if (fitted === undefined) throw tooSmall(answer, limit);
  return fitted.answer;
}

interface Written {
  readonly shown: Shown;
  readonly text: string;
}

function withMessages(expanded: ExpandedReference, start: Position, count: number): ToolAnswer {
  const written = expanded.messages.slice(start.message, start.message + count).map(({ number, message }) => {
    const head = headOf(expanded.step, number, message);
    const text = message === null ? "(damaged in the archive)" : quoted(jsonOf(message));
    return { shown: { ...head, message }, text: `${headLine(head)}\n${text}` };
  });
  return expandAnswer(expanded, { message: start.message + count, at: 0 }, written);
}

function withPart(expanded: ExpandedReference, start: Position, json: string, units: number): ToolAnswer {
  const first = expanded.messages[start.message];
  if (first === undefined) return expandAnswer(expanded, start, []);
  const piece = pieceFrom(json, start.at, units);
  const head = headOf(expanded.step, first.number, first.message);
  const end = start.at + piece.length;
  const place = `(characters ${start.at + 1}-${end} of ${json.length})`;
  const written = {
    shown: { ...head, part: { text: piece, offset: start.at, length: json.length } },
    text: `${headLine(head)} ${place}\n${quoted(piece)}`,
  };
  const next = end === json.length ? { message: start.message + 1, at: 0 } : { message: start.message, at: end };
  return expandAnswer(expanded, next, [written]);
}

function expandAnswer(expanded: ExpandedReference, next: Position, written: readonly Written[]): ToolAnswer {
  const { session_id, step, messages } = expanded;
  const cursor = next.message < messages.length ? writeCursor("archive_expand", next) : undefined;
  const structured: z.infer<typeof expandOutput> = {
    session_id,
    step,
    total: messages.length,
    messages: written.map(({ shown }) => shown),
    ...(cursor === undefined ? {} : { next_cursor: cursor }),
  };
  const blocks =
    written.length === 0 ? "The transcript of this step is empty." : written.map(({ text }) => text).join("\n\n");
  return { text: `Session ${nameOf(session_id)}, step ${step}\n\n${blocks}\n${cursorFooter(cursor)}`, structured };
}

function headOf(step: number, number: number, message: unknown): Pick<Shown, "ref" | "role"> {
  const role = messageRole(message);
  return { ref: `${step}.${number}`, ...(role === undefined ? {} : { role: nameOf(role) }) };
}

function headLine({ ref, role }: Pick<Shown, "ref" | "role">): string {
  return `--- ${ref}${role === undefined ? "" : ` ${role}`} ---`;
}

function jsonOf(message: unknown): string {
  return JSON.stringify(message, null, 2) ?? "null";
}
