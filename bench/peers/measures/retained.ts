// What of a session stands in a result.
import { type Held, heldIn } from "../../facts/held.ts";
import { textOf } from "../../facts/oracle.ts";
import type { ChatMessage } from "../peer.ts";
import type { ChatSession } from "../sessions/chat-session.ts";

export const COLUMNS = ["namedThrice", "namedTwice", "written", "users"] as const;
export type Column = (typeof COLUMNS)[number];
export type Retained = Readonly<Record<Column, Held>>;

export const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  namedThrice: "identifiers named ≥ 3 times",
  namedTwice: "identifiers named ≥ 2 times",
  written: "written files",
  users: "user messages",
};

export function retainedOf(session: ChatSession, left: readonly ChatMessage[]): Retained {
  const text = textOf(left);
  return {
    namedThrice: heldIn(text, session.namedThrice),
    namedTwice: heldIn(text, session.namedTwice),
    written: heldIn(text, session.written),
    users: heldIn(text, session.users),
  };
}
