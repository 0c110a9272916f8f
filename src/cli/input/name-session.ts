// Which session an input belongs to when nobody says so: the one that wrote the summary in it, else the file's own
// id, else a name made from the file's name and how the conversation begins, which stays the same as it grows.
import type { Archive } from "../../archive/archive.ts";
import { findSessionOf } from "../../conversation/find-session.ts";
import { sha256 } from "../../conversation/fingerprint.ts";
import type { ConversationSource } from "./conversation-source.ts";

/** System messages and the first request nearly always stand in here. */
const MOST_OPENING_MESSAGES = 4;

export async function nameSession(source: ConversationSource, archive: Archive | undefined): Promise<string> {
  const known = archive === undefined ? undefined : await findSessionOf(source.messages, source.format, archive);
  return known ?? source.sessionId ?? `${source.name}-${(await hashOpening(source)).slice(0, 8)}`;
}

/** Up to the first user message: a later message does not change it. */
function hashOpening({ messages, format }: ConversationSource): Promise<string> {
  const start = messages.slice(0, MOST_OPENING_MESSAGES);
  const request = start.findIndex((message) => format.view(message).role === "user");
  return sha256(JSON.stringify(request < 0 ? start : start.slice(0, request + 1)));
}
