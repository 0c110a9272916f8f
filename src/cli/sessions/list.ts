// `agent-compact session list`: what stands in the hosts' folders, and what a compaction would take out of each.
import { dirname } from "node:path";
import { CompactError } from "../../errors.ts";
import { figure } from "../../text/figures.ts";
import { isoTime } from "../../time.ts";
import { resolveModel } from "../../tokens/models.ts";
import type { CommonFlags } from "../flags.ts";
import { minuteOf, percent, renderTable, sizeText } from "../render.ts";
import { createProgress } from "../report.ts";
import { colorsOf, type Terminal } from "../terminal.ts";
import { KEPT_TURNS, sizeOf, turnStarts } from "./measure.ts";
import { sizeInOpencode } from "./opencode-sessions.ts";
import { findSessions, type HostSession, nameOf, projectOf, readSession } from "./places.ts";

export interface ListFlags extends CommonFlags {
  readonly limit?: number;
}

const MOST_SHOWN = 20;
/** Larger ones are listed without a look inside, which would take seconds each. */
const MOST_READ = 30_000_000;

interface ListedSession {
  readonly host: string;
  /** Of the file, or of the database that it is in. */
  readonly path: string;
  readonly id: string;
  readonly project: string;
  readonly changed_at: string;
  readonly bytes: number;
  /** That the host sends now. Absent where the file was not looked into, or cannot be read. */
  readonly tokens?: number;
  /** More, where the host has compacted it. */
  readonly tokens_in_file?: number;
  readonly window?: number;
  /** Compactions of the host so far. */
  readonly compactions?: number;
  /** Of `tokens`, those older than the turns that a compaction keeps. */
  readonly older?: number;
  readonly fault?: string;
}

export async function listSessions(host: string | undefined, flags: ListFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const files = await findSessions(terminal, host);
  const sessions: ListedSession[] = [];
  for (const file of files.slice(0, flags.limit ?? MOST_SHOWN)) {
    terminal.signal?.throwIfAborted();
    progress.step(`Reading ${file.id}`);
    sessions.push(await look(file, terminal));
  }
  const { stdout } = terminal;
  if (flags.json === true)
    return void stdout.write(`${JSON.stringify({ sessions, more: files.length - sessions.length })}\n`);
  if (sessions.length === 0) return void stdout.write("No host has a session here.\n");
  const rows = sessions.map(({ host, project, changed_at, bytes, tokens, window, compactions, older, id }) => [
    ...[id, host, project, minuteOf(changed_at), sizeText(bytes)],
    ...[tokens ?? "", tokens === undefined || window === undefined ? "" : percent(tokens / window)],
    ...[
      compactions ?? "",
      tokens === undefined || older === undefined ? "" : `${figure(older)} (${percent(older / Math.max(1, tokens))})`,
    ],
  ]);
  const table = renderTable(COLUMNS, rows, colorsOf(stdout, terminal));
  const more = files.length - sessions.length;
  stdout.write(`${table}\n${more > 0 ? `\n${figure(more)} more: --limit ${files.length}\n` : ""}`);
}

const COLUMNS = [
  { title: "session" },
  { title: "host" },
  { title: "project", width: 24 },
  { title: "last written" },
  { title: "size", isNumber: true },
  { title: "tokens", isNumber: true },
  { title: "of window", isNumber: true },
  { title: "compactions", isNumber: true },
  { title: "older than 6 turns", isNumber: true },
];

async function look(session: HostSession, terminal: Terminal): Promise<ListedSession> {
  const { host = "", path, id, bytes = 0, changedAt } = session;
  let listed = {
    host,
    path,
    id,
    // Gemini CLI's chats lie in a folder of their own.
    project: nameOf((await projectOf(session)) ?? dirname(path).replace(/[\\/]chats$/, "")),
    changed_at: isoTime(changedAt),
    bytes,
  };
  try {
    if (session.bytes === undefined) listed = { ...listed, bytes: await sizeInOpencode(path, id) };
    if (listed.bytes > MOST_READ) return listed;
    const source = await readSession(session, terminal);
    const { sent, inFile, olderThan } = sizeOf(source);
    const window = source.window ?? resolveModel(source.model).window;
    const compacted = source.notes.find(({ code }) => code === "host_compactions");
    return {
      ...listed,
      tokens: sent,
      tokens_in_file: inFile,
      ...(window === undefined ? {} : { window }),
      compactions: compacted?.count ?? 0,
      older: olderThan(turnStarts(source).at(-KEPT_TURNS) ?? 0),
    };
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    return { ...listed, fault: error.code };
  }
}
