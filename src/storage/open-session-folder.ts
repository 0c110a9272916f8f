// Finds or makes the folder of a session under a root, refuses one that leaves the root through a link, and keeps
// session.json beside the session's files so that encoded folder names can be listed back as ids.
import { CompactError } from "../errors.ts";
import { errorCode, readPlainFile, writeFileExclusive } from "./files.ts";
import { sessionFolder } from "./session-folder.ts";

const IDENTITY = "session.json";
/** Ids are short; what is longer was not written by us. */
const MOST_IDENTITY_BYTES = 1_000_000;

/** The folder, made if need be, for its owner only (0700). Throws the system's error, or one with code `OUTSIDE_ROOT`. */
export async function openSessionFolder(root: string, sessionId: string, createdAt: string): Promise<string> {
  const { mkdir } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const folder = join(root, sessionFolder(sessionId));
  await mkdir(root, { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 }).catch(allow("EEXIST"));
  await refuseOutside(root, folder);
  await claim(folder, sessionId, createdAt);
  return folder;
}

/** The folder if it exists, for reading. */
export async function findSessionFolder(root: string, sessionId: string): Promise<string | undefined> {
  const { stat } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const folder = join(root, sessionFolder(sessionId));
  const found = await stat(folder).catch(allow("ENOENT"));
  if (found === undefined) return undefined;
  await refuseOutside(root, folder);
  return folder;
}

/** Whose folder this name under the root is; undefined when it is no session's, or leads out of the root. */
export async function sessionIn(root: string, name: string): Promise<string | undefined> {
  const { join } = await import("node:path");
  if (!(await isInside(root, join(root, name)))) return undefined;
  const sessionId = (await readIdentity(join(root, name)).catch(allow("ENOENT", "NOT_A_FILE", "ELOOP"))) ?? name;
  return sessionId !== "" && sessionFolder(sessionId) === name ? sessionId : undefined;
}

async function refuseOutside(root: string, folder: string): Promise<void> {
  const { realpath, stat } = await import("node:fs/promises");
  const { isAbsolute, relative, sep } = await import("node:path");
  const way = relative(await realpath(root), await realpath(folder));
  if (way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw Object.assign(new Error("session folder leaves the root"), { code: "OUTSIDE_ROOT" });
  }
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
}

/** False for files and for links that lead out, or nowhere. */
async function isInside(root: string, folder: string): Promise<boolean> {
  const inside = refuseOutside(root, folder).then(() => true);
  return (await inside.catch(allow("ENOTDIR", "OUTSIDE_ROOT", "ENOENT", "ELOOP"))) ?? false;
}

async function claim(folder: string, sessionId: string, createdAt: string): Promise<void> {
  const { join } = await import("node:path");
  const owner = await readIdentity(folder).catch(allow("ENOENT"));
  if (owner === undefined) {
    const content = `${JSON.stringify({ session_id: sessionId, created_at: createdAt }, null, 2)}\n`;
    // Somebody else may have claimed it for the same session meanwhile.
    await writeFileExclusive(join(folder, IDENTITY), content).catch(allow("EEXIST"));
  } else if (owner !== sessionId) {
    throw new CompactError("Conflict", `folder belongs to another session: ${folder}`, {
      code: "FOREIGN_FOLDER",
      hint: "Move the folder away, or use another archive folder.",
    });
  }
}

/** Undefined when the file holds no id: then the folder's name has to do. */
async function readIdentity(folder: string): Promise<string | undefined> {
  const { join } = await import("node:path");
  const bytes = await readPlainFile(join(folder, IDENTITY), MOST_IDENTITY_BYTES);
  const text = new TextDecoder().decode(bytes);
  try {
    const id: unknown = (JSON.parse(text) as { session_id?: unknown } | null)?.session_id;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

/** For `catch`: takes these error codes as "nothing there". */
function allow(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(errorCode(error) ?? "")) throw error;
    return undefined;
  };
}
