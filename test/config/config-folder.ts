// Folders with configuration files for tests, gone afterwards.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a file with that content in a folder of its own, or in `folder`. */
export function configFile(content: string | Uint8Array, name = "compact.yaml", folder = newFolder()): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** The message of what a promise was rejected with. */
export function failureOf(load: Promise<unknown>): Promise<string> {
  return load.then(
    () => "no error",
    (error: Error) => error.message,
  );
}
