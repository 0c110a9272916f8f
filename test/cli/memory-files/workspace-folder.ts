// A small workspace on disk: a memory that repeats itself, a note that repeats the memory, and one that is too large.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { call, newFolder, type Outcome, snapshot } from "../command-line.ts";

const HELD = [
  "## Deploy checklist",
  "",
  "Run the smoke tests against staging before every release.",
  "Announce the release window in the operations channel.",
  "Keep the previous container image for rollback.",
  "",
].join("\n");

/** A line twice, and a run of blank lines. */
export const MEMORY = `${HELD}\n\n\nOwner: operations team\nOwner: operations team\n`;

export const REPEATING = [
  "# Monday",
  "",
  "Moved the shop to the new region.",
  "",
  HELD,
  "## Open",
  "",
  "Ask Mia about the certificate of the old host.",
  "",
].join("\n");

export const TIDY_MEMORY = `${HELD}\nOwner: operations team\n`;

/** A number that the memory lacks. */
export const SAYS_MORE = ["# Tuesday", "", HELD.replace("every release", "every 3rd release"), ""].join("\n");

/** Above 30,720 bytes. */
export const LARGE = `# Wednesday\n\n${Array.from({ length: 900 }, (_, line) => `- step ${line} of the long import went well`).join("\n")}\n`;

export const NOTE = "memory/2021-02-01.md";
const MORE = "memory/2021-02-02.md";
export const LARGE_NOTE = "memory/2021-02-03.md";

export const FILES: Readonly<Record<string, string>> = {
  "MEMORY.md": MEMORY,
  [NOTE]: REPEATING,
  [MORE]: SAYS_MORE,
  [LARGE_NOTE]: LARGE,
};

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A folder that is itself the workspace. */
export function workspaceWith(files: Readonly<Record<string, string | Buffer>> = FILES): string {
  const cwd = newFolder();
  writeFiles(cwd, files);
  return cwd;
}

export interface CallMore {
  readonly isTerminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Its home is the folder itself, so that nothing of whoever runs the tests is found. */
export function memoryFiles(
  cwd: string,
  words: readonly string[],
  { env = {}, ...more }: CallMore = {},
): Promise<Outcome> {
  return call(["memory-files", ...words], { cwd, env: { HOME: cwd, ...env }, ...more });
}

/** The one object on stdout. */
// biome-ignore lint/suspicious/noExplicitAny: tests look wherever they like
export async function json(cwd: string, words: readonly string[] = []): Promise<any> {
  const { code, stdout, stderr } = await memoryFiles(cwd, [...words, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("\n") && !stdout.trimEnd().includes("\n")).toBe(true);
  return JSON.parse(stdout);
}

/** Every file and folder: its content, when it was written, its mode. */
export function look(folder: string): Readonly<Record<string, string>> {
  const stateOf = (name: string, content: string) => {
    const { mtimeMs, mode } = statSync(join(folder, name));
    return [name, `${content} ${mtimeMs} ${mode}`] as const;
  };
  return Object.fromEntries([
    stateOf(".", "folder"),
    ...Object.entries(snapshot(folder)).map(([name, content]) => stateOf(name, content)),
  ]);
}

/** The live files, without the archive. */
export function contents(folder: string): Readonly<Record<string, string>> {
  const names = Object.entries(snapshot(folder)).filter(
    ([name, content]) => content !== "folder" && !name.startsWith("memory/archive"),
  );
  return Object.fromEntries(names.map(([name]) => [name, readFileSync(join(folder, name), "utf8")]));
}
