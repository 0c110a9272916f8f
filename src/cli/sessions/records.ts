// What we wrote into hosts' folders, so that it can be taken back, the last first: of a copy its hash, of a session that was
// replaced its old bytes too. Lies beside our databases, readable by its owner alone.
import { execFile } from "node:child_process";
import { access, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { CompactError } from "../../errors.ts";
import { writeFileAtomic } from "../../storage/files.ts";
import { sha256 } from "../../storage/sha256.ts";
import { shownPath } from "../files/output.ts";
import { badInput } from "../flags.ts";
import { homeFolder } from "../hosts.ts";
import { printResult } from "../report.ts";
import type { Terminal } from "../terminal.ts";
import { countOpencode } from "./opencode-sessions.ts";
import { findSessions, type HostSession, locateSession } from "./places.ts";
import type { UndoFlags } from "./program.ts";

interface Written {
  readonly kind: "copy" | "in-place";
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** What stood there before. */
  readonly before?: Uint8Array;
  /** Folders that were copied along. */
  readonly folders?: readonly string[];
  /** The id of the session that a copy was made of, and the command that goes on with that. */
  readonly source?: string;
  readonly back?: string;
}

interface SessionRecord extends Pick<Written, "kind" | "folders" | "source" | "back"> {
  readonly path: string;
  /** SHA-256 of what we wrote. */
  readonly hash: string;
}

/** What is ours alone, for records and for sessions of hosts that keep theirs in no files. */
export function ownFolder({ env }: Pick<Terminal, "env">): string {
  return join(homeFolder(env), ".agent-compact", "sessions");
}

/** How often the file at `path` was written and not taken back, and the name of a record of it. */
async function recordsOf(path: string, terminal: Terminal) {
  const folder = ownFolder(terminal);
  const start = `${sha256(path)}-`;
  const names = await readdir(folder).catch(() => []);
  const count = names.filter((name) => name.startsWith(start) && name.endsWith(".json")).length;
  return { count, nameOf: (number: number) => join(folder, `${start}${number}`) };
}

/** Before a session is replaced, and after a copy was written. */
export async function keepRecord({ text, before, ...written }: Written, terminal: Terminal): Promise<void> {
  const { path } = written;
  await mkdir(ownFolder(terminal), { recursive: true, mode: 0o700 });
  const { count, nameOf } = await recordsOf(path, terminal);
  const name = nameOf(count + 1);
  if (before !== undefined) await writeFileAtomic(`${name}.before`, before);
  await writeFileAtomic(`${name}.json`, JSON.stringify({ ...written, hash: sha256(text) }));
}

/** Takes a session back that we wrote, or the last one that we made of it. Throws `InvalidInput` for another; `Conflict` where the host went on with it, unless forced. */
export async function undoSession(session: string, flags: UndoFlags, terminal: Terminal): Promise<void> {
  const { path, imported } = await findWritten(session, terminal);
  const { count, nameOf } = await recordsOf(path, terminal);
  if (count === 0)
    throw badInput("NOT_OURS", `${path} was not written by \`session compact\`.`, "Only what it wrote is taken back.");
  const name = nameOf(count);
  const { kind, hash, folders = [], back } = JSON.parse(await readFile(`${name}.json`, "utf8")) as SessionRecord;
  const text = await readFile(path, "utf8");
  const hasGrown =
    sha256(text) !== hash ||
    (imported !== undefined &&
      (await countOpencode(imported.path, imported.id)) >
        (JSON.parse(text) as { messages: unknown[] }).messages.length);
  if (hasGrown && flags.force !== true)
    throw new CompactError("Conflict", `${path} has grown since: a host went on with it.`, {
      code: "SESSION_GREW",
      hint: "What was said since would be lost: give --force to take it back all the same.",
    });
  if (kind === "in-place") await writeFileAtomic(path, await readFile(`${name}.before`));
  else {
    if (imported !== undefined) await deleteImported(imported, terminal);
    await rm(path);
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
  await rm(`${name}.json`);
  await rm(`${name}.before`, { force: true });
  const shown = shownPath(path, terminal.cwd);
  const goOn = back === undefined ? "" : `; go on with it:\n  ${back}`;
  const said =
    kind === "copy" ? `Removed ${shown}. The session it came from is as it was${goOn}` : `${shown} is as it was.`;
  printResult({ path, kind, resume: back ?? null }, () => `${said}\n`, flags, terminal);
}

interface Found {
  readonly path: string;
  /** Where opencode has taken it in. */
  readonly imported?: HostSession;
}

async function lastCopyOf(source: string, terminal: Terminal): Promise<string | undefined> {
  const folder = ownFolder(terminal);
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[\da-f]{64}-\d+\.json$/.test(name));
  const copies = await Promise.all(
    names.map(async (name) => {
      const record = JSON.parse(await readFile(join(folder, name), "utf8")) as SessionRecord;
      const found = record.source === source ? await stat(record.path).catch(() => undefined) : undefined;
      return { path: record.path, changedAt: found?.mtimeMs ?? 0 };
    }),
  );
  const there = copies.filter(({ changedAt }) => changedAt > 0);
  return there.sort((one, other) => one.changedAt - other.changedAt).at(-1)?.path;
}

/** A copy for opencode lies with us, under its id; what was imported from it is opencode's. */
async function findWritten(session: string, terminal: Terminal): Promise<Found> {
  const own = join(ownFolder(terminal), `${basename(session, ".json")}.json`);
  const isOwn = await access(own).then(
    () => true,
    () => false,
  );
  const { path: named, id: source } = isOwn ? { path: own, id: "" } : await locateSession({ session }, terminal);
  const path = (await recordsOf(named, terminal)).count > 0 ? named : ((await lastCopyOf(source, terminal)) ?? named);
  const id = basename(path, ".json");
  if (!id.startsWith("ses_")) return { path };
  const imported = (await findSessions(terminal, "opencode")).find((found) => found.id === id);
  return imported === undefined ? { path } : { path, imported };
}

/** By opencode itself, which knows what else belongs to it. */
async function deleteImported({ id }: HostSession, { env }: Terminal): Promise<void> {
  await promisify(execFile)("opencode", ["session", "delete", id], { timeout: 60_000, env: { ...env } }).catch(
    (cause: unknown) => {
      throw new CompactError("StoreFailed", `opencode did not delete the session ${id}.`, {
        code: "HOST_FAILED",
        hint: `Run \`opencode session delete ${id}\`, then try again.`,
        cause,
      });
    },
  );
}
