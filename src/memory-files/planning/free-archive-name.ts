// A name in the archive that is free as the plan is made, so that what the plan says of it holds. Apply looks again.
import { ARCHIVE_FOLDER, type Workspace } from "../workspace/workspace.ts";

const MOST = 10_000;

/** `<stem><end>`, or `<stem>-2<end>` and so on. */
export async function freeArchiveName({ path }: Pick<Workspace, "path">, stem: string, end: string): Promise<string> {
  const { lstat } = await import("node:fs/promises");
  for (let number = 1; number < MOST; number += 1) {
    const name = `${ARCHIVE_FOLDER}/${stem}${number === 1 ? "" : `-${number}`}${end}`;
    const isFree = await lstat(path(name)).then(
      () => false,
      () => true,
    );
    if (isFree) return name;
  }
  return `${ARCHIVE_FOLDER}/${stem}${end}`;
}
