// Plugins keep their archive in the folder that their host works in: here an empty one for each test.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach } from "vitest";
import { newFolder } from "../cli/command-line.ts";

/** To be called in a `describe`. */
export function workInOwnFolder() {
  const folder = process.cwd();
  beforeEach(() => process.chdir(newFolder()));
  afterEach(() => process.chdir(folder));
  return {
    cwd: () => process.cwd(),
    /** From here on nothing can be archived. */
    blockArchive() {
      mkdirSync(".compact");
      writeFileSync(join(".compact", "archive"), "in the way");
    },
  };
}
