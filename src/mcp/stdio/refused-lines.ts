// What is said about a line that is no message, and to whom: the ids of the requests that may be in it.
import type { RequestId } from "@modelcontextprotocol/server";
import { isRecord } from "../loosen-message.ts";

/** What the log and the client are told. Undefined: no JSON. */
export function describeUnreadable(message: unknown): { readonly log: string; readonly answer: string } {
  if (Array.isArray(message)) {
    const answer =
      "Several messages in one line (a batch) are not part of this protocol. Send each on a line of its own.";
    return { log: "A line with several messages (a batch) was refused.", answer };
  }
  const log = `A line that is no ${message === undefined ? "JSON" : "JSON-RPC"} was ignored.`;
  return { log, answer: "This is no JSON-RPC 2.0 request." };
}

/** Of all requests in a batch, each id once. */
export function idsOf(message: unknown): ReadonlySet<RequestId> {
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  return new Set(messages.flatMap((one) => (isRecord(one) && "method" in one && isId(one.id) ? [one.id] : [])));
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** Clients write the id as the first or second member, or as the last: in both places it can be no other object's. */
export function idAtAnEnd(head: string, tail: string): RequestId | undefined {
  const first = /^\s{0,9}\{(?:"jsonrpc":\s?"2\.0",\s?)?"id":\s?(\d{1,15}|"[\w-]{1,60}"),/.exec(head);
  const last = /,\s?"id":\s?(\d{1,15}|"[\w-]{1,60}")\}\s{0,9}$/.exec(tail);
  const text = first?.[1] ?? last?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as RequestId);
}
