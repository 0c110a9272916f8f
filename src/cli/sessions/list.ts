// `agent-compact session list`: what stands in the hosts' folders, and what a compaction would take out of each.
import { dirname } from "node:path";
import { CompactError } from "../../errors.ts";
import { figure } from "../../text/figures.ts";
import { isoTime } from "../../time.ts";
import { resolveModel } from "../../tokens/models.ts";
import { atMost, minuteOf, percent, renderTable, right, sizeText } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { KEPT_TURNS, sizeOf, turnStarts } from "./measure.ts";
import { sizeInOpencode } from "./opencode-sessions.ts";
import { findSessions, type HostSession, nameOf, projectOf, readSession } from "./places.ts";
import type { ListFlags } from "./program.ts";

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
  const more = files.length - sessions.length;
  printResult({ sessions, more }, (colors) => render(sessions, more, colors), flags, terminal);
}

function render(sessions: readonly ListedSession[], more: number, colors: Colors): string {
  if (sessions.length === 0) return "No host has a session here.\n";
  const rows = sessions.map(({ host, project, changed_at, bytes, tokens, window, compactions, older, id }) => [
    ...[id, host, project, minuteOf(changed_at), sizeText(bytes)],
    ...[tokens ?? "", tokens === undefined || window === undefined ? "" : percent(tokens / window)],
    compactions ?? "",
    tokens === undefined || older === undefined ? "" : `${figure(older)} (${percent(older / Math.max(1, tokens))})`,
  ]);
  const rest = more > 0 ? `\n${figure(more)} more: --limit ${sessions.length + more}\n` : "";
  return `${renderTable(COLUMNS, rows, colors)}\n${rest}`;
}

const COLUMNS = [
  "session",
  "host",
  atMost("project", 24),
  "last written",
  right("size"),
  right("tokens"),
  right("of window"),
  right("compactions"),
  right("older than 6 turns"),
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
