// The files of a workspace as a run finds them: each is read once, before anything of it is changed.
import { type FileNow, readNow } from "../journal/file-bytes.ts";
import type { MemoryFile } from "../memory-file.ts";
import type { Root } from "../workspace/open-root.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface SurveyedFile extends FileNow {
  readonly read: MemoryFile;
}

export interface Survey {
  readonly root: Root;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Undefined for a file that is none of this workspace's, or of its imports. */
  roleOf(file: string): "memory" | "imported" | "note" | undefined;
  /** Of a note. */
  dateOf(file: string): string | undefined;
  /** Undefined where it is gone or no text any more. @throws what reading throws. */
  fileOf(file: string): Promise<SurveyedFile | undefined>;
}

export function createSurvey(root: Root, { memory, imported, notes }: Workspace, now: number): Survey {
  const roles = new Map<string, "memory" | "imported" | "note">();
  for (const { file } of imported) roles.set(file, "imported");
  for (const { file } of notes) roles.set(file, "note");
  for (const { file } of memory) roles.set(file, "memory");
  const dates = new Map(notes.map(({ file, date }) => [file, date]));
  const files = new Map<string, Promise<SurveyedFile | undefined>>();
  return {
    root,
    now,
    roleOf: (file) => roles.get(file),
    dateOf: (file) => dates.get(file),
    fileOf(file) {
      const known = files.get(file) ?? surveyed(root, file);
      files.set(file, known);
      return known;
    },
  };
}

async function surveyed(root: Root, file: string): Promise<SurveyedFile | undefined> {
  const found = await readNow(root, file);
  if (found === undefined) return undefined;
  const read = readMemoryFile(file, found.content);
  return "code" in read ? undefined : { ...found, read };
}
