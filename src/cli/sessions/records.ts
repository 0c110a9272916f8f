// What we wrote into hosts' folders, so that it can be taken back, the last first: of a copy its hash, of a session that was
// replaced its old bytes too. Lies beside our databases, readable by its owner alone.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CompactError } from "../../errors.ts";
import { writeFileAtomic } from "../../storage/files.ts";
import { sha256 } from "../../storage/sha256.ts";
import { shownPath } from "../files/output.ts";
import { badInput, type CommonFlags } from "../flags.ts";
import { homeFolder } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";
import { locateSession } from "./places.ts";

interface Written {
  readonly kind: "copy" | "in-place";
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** What stood there before. */
  readonly before?: Uint8Array;
  /** A folder that was copied along. */
  readonly folder?: string | undefined;
}

interface SessionRecord extends Pick<Written, "kind" | "folder"> {
  /** SHA-256 of what we wrote. */
  readonly hash: string;
}

function folderOf({ env }: Pick<Terminal, "env">): string {
  return join(homeFolder(env), ".agent-compact", "sessions");
}

/** How often the file at `path` was written and not taken back, and the name of a record of it. */
async function recordsOf(path: string, terminal: Terminal) {
  const folder = folderOf(terminal);
  const start = `${sha256(path)}-`;
  const names = await readdir(folder).catch(() => []);
  const count = names.filter((name) => name.startsWith(start) && name.endsWith(".json")).length;
  return { count, nameOf: (number: number) => join(folder, `${start}${number}`) };
}

/** Before a session is replaced, and after a copy was written. */
export async function keepRecord({ kind, path, text, before, folder }: Written, terminal: Terminal): Promise<void> {
  await mkdir(folderOf(terminal), { recursive: true, mode: 0o700 });
  const { count, nameOf } = await recordsOf(path, terminal);
  const name = nameOf(count + 1);
  if (before !== undefined) await writeFileAtomic(`${name}.before`, before);
  await writeFileAtomic(`${name}.json`, JSON.stringify({ kind, hash: sha256(text), folder }));
}

export interface UndoFlags extends CommonFlags {
  readonly force?: true;
}

/** Takes a session back that we wrote. Throws `InvalidInput` for another; `Conflict` where the host went on with it, unless forced. */
export async function undoSession(session: string, flags: UndoFlags, terminal: Terminal): Promise<void> {
  const path = await locateSession({ session }, terminal);
  const { count, nameOf } = await recordsOf(path, terminal);
  if (count === 0)
    throw badInput("NOT_OURS", `${path} was not written by \`session compact\`.`, "Only what it wrote is taken back.");
  const name = nameOf(count);
  const { kind, hash, folder } = JSON.parse(await readFile(`${name}.json`, "utf8")) as SessionRecord;
  if (sha256(await readFile(path, "utf8")) !== hash && flags.force !== true)
    throw new CompactError("Conflict", `${path} has grown since: a host went on with it.`, {
      code: "SESSION_GREW",
      hint: "What was said since would be lost: give --force to take it back all the same.",
    });
  if (kind === "in-place") await writeFileAtomic(path, await readFile(`${name}.before`));
  else {
    await rm(path);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
  await rm(`${name}.json`);
  await rm(`${name}.before`, { force: true });
  const shown = shownPath(path, terminal.cwd);
  const said = kind === "copy" ? `Removed ${shown}; the session it came from is as it was.` : `${shown} is as it was.`;
  terminal.stdout.write(flags.json === true ? `${JSON.stringify({ path, kind })}\n` : `${said}\n`);
}
