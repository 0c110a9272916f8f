// The sessions of hosts on this machine, and which of them a word on the command line means.
import { open, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { READERS } from "../../factories/readers.ts";
import type { SessionReader } from "../../session-files/session-reader.ts";
import { badInput } from "../flags.ts";
import { HOSTS, homeFolder } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";

export interface SessionFile {
  readonly host: string;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Of one host or of all, the newest first. A host that is not there has none. */
export async function findSessionFiles({ env }: Pick<Terminal, "env">, host?: string): Promise<readonly SessionFile[]> {
  const home = homeFolder(env);
  const found = await Promise.all(
    HOSTS.map(async ({ name, folder, sessions }) => {
      if (sessions === undefined || (host !== undefined && host !== name)) return [];
      const below = join(folder(home, env), sessions.below);
      const entries = await readdir(below, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile() && sessions.isSession(entry.name));
      return Promise.all(files.map((entry) => describe(name, join(entry.parentPath, entry.name))));
    }),
  );
  return found
    .flat()
    .filter((file) => file !== undefined)
    .sort((one, other) => other.changedAt - one.changedAt || (one.path < other.path ? -1 : 1));
}

async function describe(host: string, path: string): Promise<SessionFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  // Of another user's: left alone.
  const isOwn = found !== undefined && (process.getuid === undefined || found.uid === process.getuid());
  return isOwn ? { host, path, bytes: found.size, changedAt: found.mtimeMs } : undefined;
}

interface Asked {
  /** A file, or the id of a session; undefined for the newest. */
  readonly session: string | undefined;
  readonly host?: string;
}

/** The path of the session that is meant. Throws `InvalidInput` where none or several fit. */
export async function locateSession({ session, host }: Asked, terminal: Terminal): Promise<string> {
  if (session !== undefined) {
    const path = resolve(terminal.cwd, session);
    if ((await stat(path).catch(() => undefined)) !== undefined) return path;
  }
  const files = await findSessionFiles(terminal, host);
  const fitting =
    session === undefined ? files.slice(0, 1) : files.filter(({ path }) => nameOf(path).includes(session));
  const [first, second] = fitting;
  if (first === undefined)
    throw badInput(
      "SESSION_NOT_FOUND",
      session === undefined ? "No host has a session here." : `There is no session ${JSON.stringify(session)}.`,
      "See `agent-compact session list`, or name a file.",
    );
  if (second !== undefined)
    throw badInput(
      "SEVERAL_SESSIONS",
      `${fitting.length} sessions have ${JSON.stringify(session)} in their names.`,
      `Write more of the id, or name the file: ${first.path}`,
    );
  return first.path;
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function readerNamed(name: string): SessionReader | undefined {
  return READERS.find((reader) => reader.name === name);
}

/** As `session compact` takes it. */
export function idIn(path: string): string {
  const name = nameOf(path).replace(/\.jsonl?$/, "");
  return /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.exec(name)?.[0] ?? name;
}

const MOST_OF_HEAD = 64_000;

/** The folder that the host worked in, as the head of the file names it; else what the file's own folder is called. */
export async function projectOf({ path }: SessionFile): Promise<string> {
  const head = await readHead(path).catch(() => "");
  const cwd = /"cwd":("(?:[^"\\\n]|\\.){1,1000}")/.exec(head)?.[1];
  const folder = cwd === undefined ? dirname(path) : (JSON.parse(cwd) as string);
  return folder.split(/[\\/]/).at(-1) ?? folder;
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_OF_HEAD), 0, MOST_OF_HEAD, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
