// Reads the system prompt that is sent beside a list, and what has no shape that any provider knows.

import { unreadableNote } from "../../healing/notes.ts";
import { toJson } from "../../json-shape.ts";
import type { Losses } from "../neutral/losses.ts";
import type { Content, SaidMessage } from "../neutral/neutral.ts";
import { readContent } from "./read-content.ts";

export function readSystem(system: unknown, losses: Losses): Content | undefined {
  if (system === undefined || system === null || system === "") return undefined;
  return readContent(system, losses);
}

/** Kept as labelled text, as healing would keep it. */
export function unreadable(message: unknown, losses: Losses): SaidMessage {
  losses.add("unreadable");
  return {
    kind: "said",
    role: "user",
    parts: [{ kind: "text", text: unreadableNote(toJson(message)) }],
    isPlain: true,
    isHostWritten: true,
    sources: [message],
  };
}
