// The sessions and prompts above the observations of a context: short lines, as many as leave half of the answer free.
import * as z from "zod";
import type { Prompt, Session } from "../../../observations/observation.ts";
import type { MemoryContext } from "../../../observations/reading/memory-context.ts";
import { snippetOf } from "../../../observations/reading/snippet.ts";
import type { AnswerLimit } from "../../answer/fit-page.ts";
import { bounded } from "./row-record.ts";
import { nameOf } from "./row-text.ts";

const SUMMARY_LENGTH = 200;

export const backgroundOutput = {
  sessions: z
    .array(
      z.object({
        id: z.string(),
        project: z.string(),
        started_at: z.string(),
        ended_at: z.string().nullable(),
        summary: z.string().nullable().describe("At most 200 characters"),
      }),
    )
    .describe("Latest first, on the first page"),
  prompts: z
    .array(z.object({ id: z.int(), created_at: z.string(), content: z.string().describe("At most 200 characters") }))
    .describe("Newest first, on the first page"),
  left_out: z.object({ sessions: z.int(), prompts: z.int() }).optional().describe("For which max_tokens left no room"),
};

export interface Background {
  readonly sessions: readonly Session[];
  readonly prompts: readonly Prompt[];
  readonly text: string;
  readonly structured: z.infer<z.ZodObject<typeof backgroundOutput>>;
}

/** Prompts leave first, the oldest before the newer ones, then sessions. */
export function backgroundOf(found: MemoryContext, { maxTokens, count }: AnswerLimit): Background {
  const half = Math.floor(maxTokens / 2);
  for (let left = found.sessions.length + found.prompts.length; left > 0; left--) {
    const sessions = found.sessions.slice(0, left);
    const background = describe(found, sessions, found.prompts.slice(0, left - sessions.length));
    if (count(background.text) <= half && count(JSON.stringify(background.structured)) <= half) return background;
  }
  return noBackground(found);
}

export function noBackground(found: MemoryContext): Background {
  return describe(found, [], []);
}

function describe(found: MemoryContext, sessions: readonly Session[], prompts: readonly Prompt[]): Background {
  const leftOut = {
    sessions: found.sessions.length - sessions.length,
    prompts: found.prompts.length - prompts.length,
  };
  const isCut = leftOut.sessions + leftOut.prompts > 0;
  const text =
    section("### Recent Sessions", sessions.map(sessionLine)) +
    section("### Recent User Prompts", prompts.map(promptLine)) +
    (isCut ? `(left out for max_tokens: ${leftOut.sessions} sessions, ${leftOut.prompts} prompts)\n\n` : "");
  const structured = {
    sessions: sessions.map((session) => ({
      id: bounded(session.id),
      project: bounded(session.project),
      started_at: bounded(session.started_at),
      ended_at: session.ended_at === null ? null : bounded(session.ended_at),
      summary: session.summary === null ? null : snippetOf(session.summary, SUMMARY_LENGTH),
    })),
    prompts: prompts.map(({ id, created_at, content }) => ({
      id,
      created_at: bounded(created_at),
      content: snippetOf(content, SUMMARY_LENGTH),
    })),
    ...(isCut ? { left_out: leftOut } : {}),
  };
  return { sessions, prompts, text, structured };
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${heading}\n${lines.join("")}\n`;
}

function sessionLine({ project, started_at, summary }: Session): string {
  const what = summary === null || summary === "" ? "" : `: ${snippetOf(summary, SUMMARY_LENGTH)}`;
  return `- ${project === "" ? "(no project)" : `**${nameOf(project)}**`} (${nameOf(started_at)})${what}\n`;
}

function promptLine({ created_at, content }: Prompt): string {
  return `- ${nameOf(created_at)}: ${snippetOf(content, SUMMARY_LENGTH)}\n`;
}
