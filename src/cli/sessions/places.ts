// The sessions of hosts on this machine, and which of them a word on the command line means.
import { open, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CompactError } from "../../errors.ts";
import { READERS } from "../../factories/readers.ts";
import type { SessionReader } from "../../session-files/session-reader.ts";
import { type ConversationSource, readConversationSource, readConversationText } from "../files/conversation-source.ts";
import { badInput } from "../flags.ts";
import { HOSTS, type Host, homeFolder } from "../hosts.ts";
import { createProgress } from "../report.ts";
import type { Terminal } from "../terminal.ts";
import { changedInOpencode, exportOpencode, listOpencode } from "./opencode-sessions.ts";

/** One that was found, or that a file names. */
export interface HostSession {
  /** Undefined for a file that was named: it says itself whose it is. */
  readonly host: string | undefined;
  /** Absolute. Of a session in a database: the database's. */
  readonly path: string;
  readonly id: string;
  /** The folder that the host worked in, where that is known without a look into a file. */
  readonly project?: string;
  /** Undefined for one in a database. */
  readonly bytes?: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Of one host or of all, the newest first. A host that is not there has none. */
export async function findSessions(terminal: Terminal, host?: string): Promise<readonly HostSession[]> {
  const { env } = terminal;
  const home = homeFolder(env);
  const hosts = HOSTS.filter(({ name }) => host === undefined || host === name);
  const found = await Promise.all([
    ...hosts.map((each) => filesOf(each, each.folder(home, env))),
    ...hosts.flatMap((each) =>
      each.database === undefined ? [] : inDatabase(each, each.database(home, env), host !== undefined, terminal),
    ),
  ]);
  return found.flat().sort((one, other) => other.changedAt - one.changedAt || (one.path < other.path ? -1 : 1));
}

async function filesOf({ name: host, sessions }: Host, folder: string): Promise<readonly HostSession[]> {
  if (sessions === undefined) return [];
  const below = join(folder, sessions.below);
  const entries = await readdir(below, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && sessions.isSession(entry.name));
  const found = await Promise.all(files.map((entry) => describe(host, join(entry.parentPath, entry.name))));
  return found.filter((session) => session !== undefined);
}

async function describe(host: string | undefined, path: string): Promise<HostSession | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !isOwn(found)) return undefined;
  return { host, path, id: idIn(path), bytes: found.size, changedAt: found.mtimeMs };
}

/** Another user's are left alone. */
function isOwn({ uid }: { readonly uid: number }): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** A database that cannot be read hides nothing else: it is told, and left out unless it was asked for. */
async function inDatabase(
  { name: host }: Host,
  path: string,
  isAsked: boolean,
  terminal: Terminal,
): Promise<readonly HostSession[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || !isOwn(found)) return [];
  try {
    return (await listOpencode(path)).map((session) => ({ ...session, host, path }));
  } catch (error) {
    if (isAsked || !CompactError.isInstance(error)) throw error;
    createProgress(terminal, {}).warn(`Sessions of ${host} are left out: ${error.message}`);
    return [];
  }
}

interface Asked {
  /** A file, or the id of a session; undefined for the newest. */
  readonly session: string | undefined;
  readonly host?: string | undefined;
}

/** The session that is meant. Throws `InvalidInput` where none or several fit, or where a file is another user's. */
export async function locateSession({ session, host }: Asked, terminal: Terminal): Promise<HostSession> {
  if (session !== undefined) {
    const path = resolve(terminal.cwd, session);
    if ((await stat(path).catch(() => undefined)) !== undefined) {
      const found = await describe(host, path);
      if (found !== undefined) return found;
      throw badInput("NOT_YOURS", `${path} is another user's.`, "Work on a copy of it.");
    }
  }
  const sessions = await findSessions(terminal, host);
  const fitting =
    session === undefined
      ? sessions.slice(0, 1)
      : sessions.filter(({ path, id, bytes }) => (bytes === undefined ? id : nameOf(path)).includes(session));
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
  return first;
}

/** For messages: its file, or its id in a database. */
export function placeOf({ path, id, bytes }: HostSession): string {
  return bytes === undefined ? `${path}#${id}` : path;
}

/** As it is now. */
export async function changedAt({ path, id, bytes }: HostSession): Promise<number | undefined> {
  if (bytes !== undefined) return (await stat(path)).mtimeMs;
  return changedInOpencode(path, id);
}

/** Its messages. Throws as `readConversationSource` does. */
export async function readSession(
  { host, path, id, bytes }: HostSession,
  terminal: Terminal,
): Promise<ConversationSource> {
  if (bytes !== undefined) return readConversationSource(path, host ?? "auto", terminal);
  return readConversationText(await exportOpencode(path, id), {
    format: host ?? "auto",
    label: `session ${id}`,
    name: id,
  });
}

export function nameOf(path: string): string {
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

/** The folder that the host worked in, as the head of the file names it; undefined where it does not. */
export async function projectOf({ path, project }: HostSession): Promise<string | undefined> {
  if (project !== undefined) return project;
  const cwd = /"cwd":("(?:[^"\\\n]|\\.){1,1000}")/.exec(await readHead(path))?.[1];
  if (cwd !== undefined) return JSON.parse(cwd) as string;
  // Gemini CLI says it beside the folder of a project's chats.
  const root = await readHead(join(dirname(dirname(path)), ".project_root"));
  return root.trim() || undefined;
}

/** Its SHA-256, by which Gemini CLI names it. */
export async function projectHashOf({ path }: HostSession): Promise<string | undefined> {
  return /"projectHash":\s?"([\da-f]{64})"/.exec(await readHead(path))?.[1];
}

/** "" for a file that cannot be read. */
async function readHead(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  try {
    const read = await file?.read(Buffer.alloc(MOST_OF_HEAD), 0, MOST_OF_HEAD, 0);
    return read?.buffer.toString("utf8", 0, read.bytesRead) ?? "";
  } catch {
    return "";
  } finally {
    await file?.close();
  }
}
