// What we wrote into hosts' folders, so that it can be taken back: of a copy its hash, of a session that was replaced its
// old bytes too. Lies beside our databases, readable by its owner alone.
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CompactError } from "../../errors.ts";
import { writeFileAtomic } from "../../storage/files.ts";
import { sha256 } from "../../storage/sha256.ts";
import { shownPath } from "../files/output.ts";
import { badInput, type CommonFlags } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import { locateSession } from "./places.ts";

interface Written {
  readonly kind: "copy" | "in-place";
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** What stood there before. */
  readonly before?: Uint8Array;
}

interface SessionRecord {
  readonly kind: Written["kind"];
  readonly path: string;
  /** SHA-256 of what we wrote. */
  readonly hash: string;
}

function folderOf({ env }: Pick<Terminal, "env">): string {
  return join(env.HOME || env.USERPROFILE || homedir(), ".agent-compact", "sessions");
}

/** Before the session itself is written. */
export async function keepRecord({ kind, path, text, before }: Written, terminal: Terminal): Promise<void> {
  const name = join(folderOf(terminal), sha256(path));
  await mkdir(dirname(name), { recursive: true, mode: 0o700 });
  if (before !== undefined) await writeFileAtomic(`${name}.before`, before, { mode: 0o600 });
  await writeFileAtomic(`${name}.json`, JSON.stringify({ kind, path, hash: sha256(text) }), { mode: 0o600 });
}

export interface UndoFlags extends CommonFlags {
  readonly force?: true;
}

/** Takes a session back that we wrote. Throws `NotFound`; `Conflict` where the host went on with it, unless forced. */
export async function undoSession(session: string, flags: UndoFlags, terminal: Terminal): Promise<void> {
  const path = await locateSession({ session }, terminal);
  const name = join(folderOf(terminal), sha256(path));
  const record = await readFile(`${name}.json`, "utf8").then(
    (text) => JSON.parse(text) as SessionRecord,
    () => undefined,
  );
  if (record === undefined)
    throw badInput("NOT_OURS", `${path} was not written by \`session compact\`.`, "Only what it wrote is taken back.");
  const isAsWritten = sha256(await readFile(path, "utf8")) === record.hash;
  if (!isAsWritten && flags.force !== true)
    throw new CompactError("Conflict", `${path} has grown since: a host went on with it.`, {
      code: "SESSION_GREW",
      hint: "What was said since would be lost: give --force to take it back all the same.",
    });
  if (record.kind === "copy") {
    await rm(path);
    await rm(path.replace(/\.jsonl$/, ""), { recursive: true, force: true });
  } else await writeFileAtomic(path, await readFile(`${name}.before`), { mode: (await stat(path)).mode & 0o777 });
  await rm(`${name}.json`);
  await rm(`${name}.before`, { force: true });
  const shown = shownPath(path, terminal.cwd);
  const said =
    record.kind === "copy" ? `Removed ${shown}; the session it came from is as it was.` : `${shown} is as it was.`;
  terminal.stdout.write(flags.json === true ? `${JSON.stringify({ path, kind: record.kind })}\n` : `${said}\n`);
}
