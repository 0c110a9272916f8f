// What compaction made of the beginning of a conversation, kept so that the next request, which comes whole again, is sent
// with the same beginning. A head is found by what it stands for, not by a session's name: a request that says the same so far
// gets it, in whichever process, and one that a host rewound, forked or began anew does not.
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Redactor } from "../redaction/redactor.ts";
import { writeFileAtomic } from "../storage/files.ts";
import { isObject, type JsonObject, toJson } from "../text/json-values.ts";
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
  /** Resolves when it is on disk. Throws the system's error; requests of this process find it all the same. */
  add(head: Head, body: RequestBody): Promise<void>;
}

/** Heads remembered; the one made first is forgotten when there are more, and read from disk when it is needed. */
const MOST_HEADS = 2_000;
const KEPT_MS = 30 * 24 * 3_600_000;

/** In files below `folder`, redacted, so that other processes find them. Those of 30 days and more ago are removed at the start. */
export async function openHeads(folder: string, redactor: Redactor, now: number): Promise<Heads> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweep(folder, now);
  const known = new Map<string, Head>();
  const remember = (head: Head) => {
    known.set(head.link, head);
    const [oldest] = known.keys();
    if (known.size > MOST_HEADS && oldest !== undefined) known.delete(oldest);
  };
  return {
    async find({ chain }) {
      const stored = await namesIn(folder, chain);
      for (let covers = chain.length; covers > 0; covers--) {
        const link = chain[covers - 1] as string;
        const head = known.get(link) ?? (stored.has(link) ? await readHead(folder, chain, link) : undefined);
        if (head?.covers !== covers) continue;
        remember(head);
        return head;
      }
      return undefined;
    },
    async add(head, { chain }) {
      remember(head);
      const place = folderOf(folder, chain);
      await mkdir(place, { recursive: true, mode: 0o700 });
      await writeFileAtomic(join(place, `${head.link}.json`), toJson(redactor.json(head)));
    },
  };
}

/** Requests that begin with the same message. */
function folderOf(folder: string, chain: readonly string[]): string {
  return join(folder, chain[0] ?? "");
}

async function namesIn(folder: string, chain: readonly string[]): Promise<ReadonlySet<string>> {
  const names = await readdir(folderOf(folder, chain)).catch(() => []);
  return new Set(names.map((name) => name.replace(/\.json$/, "")));
}

/** Undefined for one that cannot be read: the conversation is then compacted anew. */
async function readHead(folder: string, chain: readonly string[], link: string): Promise<Head | undefined> {
  try {
    const head = JSON.parse(await readFile(join(folderOf(folder, chain), `${link}.json`), "utf8")) as Head;
    const isWhole =
      head.link === link &&
      typeof head.sessionId === "string" &&
      [head.step, head.hidden].every(Number.isSafeInteger) &&
      isCovered(head);
    return isWhole ? head : undefined;
  } catch {
    return undefined;
  }
}

function isCovered({ covers, pieces }: Head): boolean {
  if (!Number.isSafeInteger(covers) || !Array.isArray(pieces)) return false;
  return pieces.every((piece: unknown) =>
    typeof piece === "number" ? Number.isSafeInteger(piece) && piece >= 0 && piece < covers : isObject(piece),
  );
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = join(folder, name);
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > KEPT_MS) await rm(place, { recursive: true, force: true });
  }
}
