// The tool `mem_progress`: reads and writes the one document that says how far the work on a project is.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import { readProgress, writeProgress } from "../../observations/saving/progress.ts";
import { type AnswerLimit, answerLimit, fitPage } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter, pieceFrom } from "../page-text.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { shownName } from "./row-view.ts";
import { savedSecrets, secretsParam, secretsResult, toldSecrets } from "./saved-secrets.ts";

const progressInput = z.object({
  project: z.string().describe("Project name"),
  content: z.string().optional().describe("The whole document as JSON text. Present: write it. Absent: read it"),
  session_id: z.string().optional().describe("Session of the first write. Default: manual-save"),
  namespace: z.string().optional().describe("A document of its own for a sub-agent"),
  redact: secretsParam,
  cursor: z.string().optional().describe("next_cursor of the last answer, to read on in a long document"),
  max_tokens: z.number().optional().describe("Most tokens of the answer"),
});

const progressOutput = z.object({
  mode: z.enum(["read", "write"]),
  id: z.int().optional().describe("Absent: nothing was written yet"),
  content: z.string().optional().describe("JSON text, or a part of it where next_cursor is given or was sent"),
  updated_at: z.string().optional(),
  revision_count: z.int().optional(),
  next_cursor: z.string().optional(),
  secrets: secretsResult,
});

type ProgressInput = z.infer<typeof progressInput>;

export const memProgress = defineTool({
  name: "mem_progress",
  title: "Read or write progress",
  description:
    "Keeps one JSON document for a project: what is done, what is next. Without content it is read: do that at the " +
    "start of a session. With content it replaces the document: do that before a session ends.",
  params: progressInput,
  result: progressOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: true },
  run(given, context) {
    const { content = "" } = given;
    return content.trim() === "" ? readDocument(given, context) : writeDocument(given, content, context);
  },
});

async function writeDocument(given: ProgressInput, content: string, context: ToolContext): Promise<ToolAnswer> {
  const { project, session_id, namespace, redact } = given;
  const { texts, secrets } = savedSecrets({ content }, redact, context);
  const request = { project, content: texts.content, namespace, sessionId: session_id };
  const { id } = await writeProgress(await context.store(), request, { now: context.now() });
  const text = `Progress updated for ${shownName(project)} (ID: ${id})`;
  return toldSecrets({ text, structured: { mode: "write", id } }, secrets, redact);
}

async function readDocument(given: ProgressInput, context: ToolContext): Promise<ToolAnswer> {
  const { project, namespace, cursor } = given;
  const row = await readProgress(await context.store(), { project, namespace });
  if (row === undefined)
    return {
      text: `No progress found for ${shownName(project)}. Write it by calling mem_progress with content.`,
      structured: { mode: "read" },
    };
  const start = startOf(row, cursor);
  return describeFrom(row, start, project, answerLimit(given.max_tokens, context));
}

const progressPosition = z.strictObject({ offset: z.int().min(0), revision: z.int() });

/** Throws `Conflict` where the document is another one since: its parts would not fit together. */
function startOf({ revision_count }: Observation, cursor: string | undefined): number {
  const start = readCursor("mem_progress", cursor, progressPosition);
  if (start === undefined) return 0;
  if (start.revision === revision_count) return start.offset;
  throw new CompactError("Conflict", "The progress document was written anew since the last page.", {
    code: "STALE_CURSOR",
    hint: "Read it again without cursor.",
  });
}

/** As much of the document as the answer bears, and where to read on. */
function describeFrom(row: Observation, start: number, project: string, limit: AnswerLimit): ToolAnswer {
  const { id, content, updated_at, revision_count } = row;
  const rest = content.slice(start);
  const build = ([part = ""]: readonly string[]): ToolAnswer => {
    const end = start + part.length;
    const next =
      end < content.length ? writeCursor("mem_progress", { offset: end, revision: revision_count }) : undefined;
    const footer = `\n\n---\n_Last updated: ${updated_at} | ID: ${id} | Revisions: ${revision_count}_`;
    return {
      text: `# Progress: ${shownName(project, "")}\n\n${part}${footer}${cursorFooter(next)}`,
      structured: {
        mode: "read",
        ...{ id, updated_at, revision_count, content: part },
        next_cursor: next,
      },
    };
  };
  const shorten = (text: string, units: number) => pieceFrom(text, 0, units);
  return fitPage({ items: [rest], build, shorten, longest: (text) => text.length }, limit);
}
