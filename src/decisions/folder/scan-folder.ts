// Which files of a folder are records: every .yaml and .yml below it. Names that begin with a dot and links are passed over,
// so nothing outside is ever read.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure } from "../../storage/file-failure.ts";
import { createPauses, type Folder } from "./places.ts";
import { type Stamp, stampOf } from "./stamps.ts";

const ABSENT_IS_FINE = { throwIfNoEntry: false } as const;

export interface Scan {
  readonly files: ReadonlyMap<string, Stamp>;
  /** Folders that cannot be looked into, with the system's code. */
  readonly closed: ReadonlyMap<string, string>;
}

/**
 * Asking for each file took 25 ms for 5,000 of them, and is the only way to see an edit in place: folders do not tell.
 * @throws NotFound (`NO_FOLDER`), unless what is missing is `allowed` to be.
 */
export async function scanFolder(folder: Folder, isAllowedMissing: boolean): Promise<Scan> {
  const pause = createPauses();
  const files = new Map<string, Stamp>();
  const closed = new Map<string, string>();
  const pending = [""];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    // Joined once a folder: joining each name would take a third of the time.
    const place = (name === "" ? folder.root : folder.file(name)) + folder.path.sep;
    for (const inside of namesIn(folder, name, isAllowedMissing, closed)) {
      const path = name === "" ? inside : `${name}/${inside}`;
      const stats = folder.fs.lstatSync(place + inside, ABSENT_IS_FINE);
      if (stats?.isDirectory()) pending.push(path);
      else if (stats?.isFile() && /\.ya?ml$/i.test(inside)) files.set(path, stampOf(stats));
      const waited = pause();
      if (waited !== undefined) await waited;
    }
  }
  return { files, closed };
}

function namesIn(
  folder: Folder,
  name: string,
  isAllowedMissing: boolean,
  closed: Map<string, string>,
): readonly string[] {
  try {
    return folder.fs.readdirSync(name === "" ? folder.root : folder.file(name)).filter((inside) => inside[0] !== ".");
  } catch (cause) {
    const code = errorCode(cause) ?? "unknown";
    if (name === "") {
      if (code === "ENOENT" && isAllowedMissing) return [];
      throw folderFailure(folder.root, cause);
    }
    // Removed since it was seen.
    if (code !== "ENOENT") closed.set(name, code);
    return [];
  }
}

/** What it means that the folder itself cannot be opened. */
export function folderFailure(path: string, cause: unknown): CompactError {
  const code = errorCode(cause);
  if (code === "ENOENT") {
    return new CompactError("NotFound", `no folder at ${path}`, {
      code: "NO_FOLDER",
      hint: "Check the path; a new log is made by recording or importing into it.",
      data: { path },
    });
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new CompactError("InvalidInput", `${path} is a file, no folder`, {
      code: "NOT_A_FOLDER",
      hint: "Give the folder that the decisions stand in; a database is opened as such.",
      data: { path },
    });
  }
  return fileFailure("StoreFailed", "open the folder", path, cause);
}
