// Which archived session a call means. Errors name those that there are, since a client has no other list of them.
import * as z from "zod";
import type { Archive } from "../../archive/archive.ts";
import { knownSessions } from "../../archive/read-archive.ts";
import { CompactError } from "../../errors.ts";
import { nameOf } from "./row-view.ts";

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
