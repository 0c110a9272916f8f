// Reads what SWE-agent leaves of a run, a trajectory or the log of its model calls, into OpenAI chat messages, which
// is what it speaks with every provider.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isObject } from "../../json-shape.ts";
import { joinConversations } from "../parts/join-conversations.ts";
import { readSessionValues, type SessionValue } from "../parts/session-values.ts";
import { noteFaults } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { isLoggedRequest, type LoggedRun, readRequestLog } from "./request-log.ts";
import { isTrajectory, modelOf, readTrajectory } from "./trajectory.ts";

export const sweAgentReader: SessionReader = {
  name: "swe-agent",
  title: "SWE-agent run",
  matches: (values) => isTrajectory(values[0]) || values.some(isLoggedRequest),
  read: readSweAgentRun,
};

/** Reads the text of a trajectory or a request log. Never throws: a file without a message gives an empty list. */
export function readSweAgentRun(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const trajectories = values.map(({ value }) => value).filter(isTrajectory);
  const { conversations, tools, model } =
    trajectories.length > 0 ? readTrajectories(trajectories) : readRequestLog(values);
  const { messages, sources, notes } = joinConversations(conversations);
  return {
    sessionId: sessionIdOf(values),
    format: "openai-chat",
    messages,
    sources,
    notes: [...noteFaults(faults), ...notes],
    ...(tools === undefined ? {} : { tools }),
    ...(model === "" ? {} : { model }),
  };
}

function readTrajectories(trajectories: readonly JsonObject[]): LoggedRun {
  const models = trajectories.map(modelOf).filter((name) => name !== "");
  return { conversations: trajectories.flatMap(readTrajectory), tools: undefined, model: models.at(-1) ?? "" };
}

/** mini-swe-agent names the task; the others leave that to the file's name. */
function sessionIdOf(values: readonly SessionValue[]): string | undefined {
  const ids = values.map(({ value }) => (isObject(value) ? asText(value.instance_id) : ""));
  return ids.find((id) => id !== "");
}
