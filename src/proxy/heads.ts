// What compaction made of the beginning of a conversation, kept so that the next request, which comes whole again, is sent
// with the same beginning. A head is found by what it stands for, not by a session's name: a request that says the same so far
// gets it, in whichever process, and one that a host rewound, forked or began anew does not.
import { withoutField } from "../providers/message-marks.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { isObject, type JsonObject } from "../text/json-values.ts";
import { openKeptFiles } from "./kept-files.ts";
import type { RequestBody } from "./request-body.ts";

/** A message of the request by its index, or one that compaction wrote or shortened. */
export type HeadPiece = number | JsonObject;

export interface Head {
  /** How many messages of the request it stands for. */
  readonly covers: number;
  /** The name of these messages, as in the chain of a request. */
  readonly link: string;
  readonly sessionId: string;
  /** Of the session, by which it was made. */
  readonly step: number;
  readonly pieces: readonly HeadPiece[];
  /** Tokens of the messages that are no longer sent, less those of what is sent in their place. */
  readonly hidden: number;
}

export interface Heads {
  /** The one that stands for most of the messages. */
  find(body: RequestBody): Promise<Head | undefined>;
  /** All that stand for a beginning of the messages: what was compacted of this very conversation, the newest first. */
  past(body: RequestBody): Promise<readonly Head[]>;
  /** Resolves when it is on disk. Throws the system's error; requests of this process find it all the same. */
  add(head: Head, body: RequestBody): Promise<void>;
}

/** Heads remembered; the one made first is forgotten when there are more, and read from disk when it is needed. */
const MOST_HEADS = 500;

/** In files below `folder`, redacted, so that other processes find them. Those of 30 days and more ago are removed at the start. */
export async function openHeads(folder: string, redactor: Redactor, now: number): Promise<Heads> {
  const files = await openKeptFiles(folder, redactor, now);
  const known = new Map<string, Head>();
  const remember = (head: Head) => {
    known.set(head.link, head);
    const [oldest] = known.keys();
    if (known.size > MOST_HEADS && oldest !== undefined) known.delete(oldest);
  };
  async function* headsOf({ chain }: RequestBody): AsyncGenerator<Head> {
    const first = chain[0] ?? "";
    const stored = files.names(first);
    for (let covers = chain.length; covers > 0; covers--) {
      const link = chain[covers - 1] as string;
      const head = known.get(link) ?? (stored.has(link) ? wholeHead(await files.read(first, link), link) : undefined);
      if (head?.covers !== covers) continue;
      remember(head);
      yield head;
    }
  }
  return {
    async find(body) {
      for await (const head of headsOf(body)) return head;
      return undefined;
    },
    async past(body) {
      const heads: Head[] = [];
      for await (const head of headsOf(body)) heads.push(head);
      return heads;
    },
    async add(head, { chain }) {
      remember(head);
      await files.write(chain[0] ?? "", head.link, head);
    },
  };
}

/** Undefined for one that is damaged: the conversation is then compacted anew. */
function wholeHead(value: unknown, link: string): Head | undefined {
  if (!isObject(value)) return undefined;
  const head = value as unknown as Head;
  const isWhole =
    head.link === link &&
    typeof head.sessionId === "string" &&
    [head.step, head.hidden].every(Number.isSafeInteger) &&
    isCovered(head);
  return isWhole ? head : undefined;
}

function isCovered({ covers, pieces }: Head): boolean {
  if (!Number.isSafeInteger(covers) || !Array.isArray(pieces)) return false;
  return pieces.every((piece: unknown) =>
    typeof piece === "number" ? Number.isSafeInteger(piece) && piece >= 0 && piece < covers : isObject(piece),
  );
}

/** The list as it is sent. The same objects as in earlier requests, so that only what is new is looked at. */
export function messagesOf({ messages }: RequestBody, head: Head | undefined): readonly JsonObject[] {
  if (head === undefined) return messages;
  const written = head.pieces.map((piece) => (typeof piece === "number" ? (messages[piece] as JsonObject) : piece));
  return [...written, ...messages.slice(head.covers)];
}

/** `meta` is ours: a provider would refuse it. */
export function piecesOf(messages: readonly unknown[], body: RequestBody): readonly HeadPiece[] {
  const indexes = new Map(body.messages.map((message, index) => [message, index]));
  return messages
    .filter(isObject)
    .map((message) => indexes.get(message) ?? ("meta" in message ? withoutField(message, "meta") : message));
}
