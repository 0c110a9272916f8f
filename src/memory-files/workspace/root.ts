// The folder that a workspace is. Nothing is ever made here.
import { createHash } from "node:crypto";
import { promises as fs } from "node:fs";
import * as path from "node:path";
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure } from "../../storage/files.ts";
import { ARCHIVE_FOLDER, type Root } from "../workspace.ts";

/** @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`INVALID_ROOT`, `NOT_A_FOLDER`), StoreFailed. */
export async function openRoot(folder: string): Promise<Root> {
  refuseNoPath(folder);
  const real = await realFolder(folder);
  const absolute = (file: string) => path.join(real, ...file.split("/"));
  const archive = await fs.realpath(absolute(ARCHIVE_FOLDER)).catch(() => absolute(ARCHIVE_FOLDER));
  return { real, archive, absolute };
}

/** Callers in plain JavaScript leave it out. No workspace means none, never the current folder. */
function refuseNoPath(folder: unknown): void {
  if (typeof folder === "string" && folder !== "") return;
  const given = folder === "" ? "an empty text" : folder === null ? "null" : `${typeof folder}`;
  throw new CompactError("InvalidInput", `root is ${given}, not the path of a workspace.`, {
    code: "INVALID_ROOT",
    hint: 'Pass the path of the folder that MEMORY.md stands in as root, such as "/home/me/workspace".',
  });
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await fs.realpath(folder);
    if ((await fs.stat(real)).isDirectory()) return real;
  } catch (cause) {
    if (!isAbsence(cause)) throw fileFailure("StoreFailed", "open the workspace", folder, cause);
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

/** Nothing is there, or no file can have that name. */
export function isAbsence(cause: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ERR_INVALID_ARG_VALUE"].includes(errorCode(cause) ?? "");
}

/** Anything stands there: a link to nothing does, too. @throws the system's error. */
export async function isThere(root: Root, name: string): Promise<boolean> {
  try {
    await fs.lstat(root.absolute(name));
    return true;
  } catch (cause) {
    if (isAbsence(cause)) return false;
    throw cause;
  }
}

/** Whether a real path is the folder or in it. */
export function isWithin(folder: string, real: string): boolean {
  const way = path.relative(folder, real);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** A real path below the root as plans and reports call it. */
export function nameOf({ real }: Root, absolute: string): string {
  return path.relative(real, absolute).split(path.sep).join("/");
}

/** The last part of a name. */
export function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** `""` where it stands in the root. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}

/** 64 hex digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
