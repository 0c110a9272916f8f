// The tool `mem_session`: where a session of work starts and ends.
import * as z from "zod";
import { endSession, startSession } from "../../observations/saving/sessions.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { shownName } from "./row-view.ts";

const sessionInput = z.object({
  action: z.enum(["start", "end"]).describe("start or end"),
  id: z.string().describe("Session id, yours to choose"),
  project: z.string().optional().describe("Project name. Required on start"),
  directory: z.string().optional().describe("Working directory, on start"),
  summary: z.string().optional().describe("What was done, on end"),
});

const sessionOutput = z.object({
  action: z.enum(["start", "end"]),
  project: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  is_new: z.boolean().optional().describe("False: the session was there already and is unchanged"),
});

type SessionInput = z.infer<typeof sessionInput>;

export const memSession = defineTool({
  name: "mem_session",
  title: "Start or end a session",
  description:
    "Marks where a session of work starts (with its project) and ends (with a summary of what was done). Observations " +
    "saved with its id belong to it, and mem_context shows the summary to later sessions.",
  params: sessionInput,
  result: sessionOutput,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  run: (given, context) => (given.action === "start" ? startNamed(given, context) : endNamed(given, context)),
});

async function startNamed({ id, project = "", directory }: SessionInput, context: ToolContext): Promise<ToolAnswer> {
  const { session, isNew } = await startSession(
    await context.store(),
    { id, project, directory },
    { now: context.now() },
  );
  const { started_at, ended_at } = session;
  const text = isNew
    ? `Session ${shownName(id)} started for project ${shownName(session.project)}`
    : `Session ${shownName(id)} was there already, for project ${shownName(session.project)} since ${started_at}`;
  return {
    text,
    structured: { action: "start", project: shownName(session.project, ""), started_at, ended_at, is_new: isNew },
  };
}

async function endNamed({ id, summary }: SessionInput, context: ToolContext): Promise<ToolAnswer> {
  const session = await endSession(await context.store(), { id, summary }, { now: context.now() });
  const { started_at, ended_at } = session;
  const project = shownName(session.project, "");
  return { text: `Session ${shownName(id)} completed`, structured: { action: "end", project, started_at, ended_at } };
}
