// Permissions do not bind the superuser, as whom tests run in containers: there, a piece of a test runs as another user.
import { chown, stat } from "node:fs/promises";
import { dirname } from "node:path";

const NOBODY = 65_534;

/** `path` and its folder belong to whoever runs the piece. */
export async function asNobody(path: string, piece: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return piece();
  const temporary = dirname(dirname(path));
  await chown(path, NOBODY, NOBODY);
  await chown(dirname(path), NOBODY, NOBODY);
  const { mode, uid } = await stat(temporary);
  // The folder of all tests is the superuser's alone.
  await chown(temporary, NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  try {
    await piece();
  } finally {
    process.seteuid?.(0);
    await chown(temporary, uid, 0);
    if (mode === 0) throw new Error("the temporary folder has no mode");
  }
}
