// The folder that a workspace is, and the parts of Node that look into it, loaded when one is opened. Nothing is ever made
// here.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure } from "../../storage/files.ts";
import { ARCHIVE_FOLDER } from "../workspace.ts";

export interface Root {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
  /** Real path. */
  readonly real: string;
  /** Real path of the archive; that where it would be, if it is not there. */
  readonly archive: string;
  /** Node's own, ten times as fast as ours. */
  sha256(bytes: Uint8Array): string;
  /** Absolute path of a name, which has slashes on every system. */
  absolute(file: string): string;
}

/** @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`INVALID_ROOT`, `NOT_A_FOLDER`), StoreFailed. */
export async function openRoot(folder: string): Promise<Root> {
  refuseNoPath(folder);
  const [fs, path, crypto] = await Promise.all([import("node:fs"), import("node:path"), import("node:crypto")]);
  const real = await realFolder(fs, folder);
  const absolute = (file: string) => (file === "" ? real : path.join(real, ...file.split("/")));
  const archive = await fs.promises.realpath(absolute(ARCHIVE_FOLDER)).catch(() => absolute(ARCHIVE_FOLDER));
  const sha256 = (bytes: Uint8Array) => crypto.createHash("sha256").update(bytes).digest("hex");
  return { fs, path, real, archive, absolute, sha256 };
}

/** Callers in plain JavaScript leave it out. Nothing stands for the current folder: a workspace is named, or it is none. */
function refuseNoPath(folder: unknown): void {
  if (typeof folder === "string" && folder !== "") return;
  const given = folder === "" ? "an empty text" : folder === null ? "null" : `${typeof folder}`;
  throw new CompactError("InvalidInput", `root is ${given}, not the path of a workspace.`, {
    code: "INVALID_ROOT",
    hint: 'Pass the path of the folder that MEMORY.md stands in as root, such as "/home/me/workspace".',
  });
}

async function realFolder({ promises }: typeof import("node:fs"), folder: string): Promise<string> {
  try {
    const real = await promises.realpath(folder);
    if ((await promises.stat(real)).isDirectory()) return real;
  } catch (cause) {
    const code = errorCode(cause) ?? "";
    if (!["ENOENT", "ENOTDIR", "ERR_INVALID_ARG_VALUE"].includes(code)) {
      throw fileFailure("StoreFailed", "open the workspace", folder, cause);
    }
    throw new CompactError("NotFound", `The workspace ${folder} does not exist.`, {
      code: "WORKSPACE_NOT_FOUND",
      hint: "Name the folder that MEMORY.md stands in. It is never made.",
      data: { path: folder },
      cause,
    });
  }
  throw new CompactError("InvalidInput", `${folder} is a file, not a workspace.`, {
    code: "NOT_A_FOLDER",
    hint: "Name the folder that MEMORY.md stands in; --memory-file names the file in it.",
    data: { path: folder },
  });
}

/** Whether a real path is the folder or in it. */
export function isWithin({ path }: Pick<Root, "path">, folder: string, real: string): boolean {
  const way = path.relative(folder, real);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** A real path below the root as plans and reports call it. */
export function nameOf({ path, real }: Root, absolute: string): string {
  return path.relative(real, absolute).split(path.sep).join("/");
}
