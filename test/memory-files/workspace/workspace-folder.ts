// Workspaces for tests: real files in a folder of their own, gone afterwards.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Note, UnreadFile, Workspace } from "../../../src/memory-files/workspace.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Its real path. A name that ends in a slash is an empty folder. */
export function newWorkspace(files: Files = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-compact-workspace-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, content);
  }
  return root;
}

export async function readAllNotes(
  workspace: Workspace,
): Promise<{ readonly notes: readonly Note[]; readonly unread: readonly UnreadFile[] }> {
  const unread: UnreadFile[] = [];
  const notes: Note[] = [];
  for await (const note of workspace.readNotes((file) => unread.push(file))) notes.push(note);
  return { notes, unread };
}

/** `file: CODE`, for all that a workspace does not read. */
export function codesOf(unread: readonly UnreadFile[]): readonly string[] {
  return unread.map(({ file, code }) => `${file}: ${code}`);
}

/** Code of what a promise was rejected with. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no error",
    (error: { readonly kind?: string; readonly code?: string }) => `${error.kind} ${error.code}`,
  );
}

/** Text in GBK, which no encoder of the platform writes: found by asking the decoder for every pair of bytes. */
export function toGbk(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x80) return [code];
      const pair = GBK_PAIRS.get(character);
      if (pair === undefined) throw new Error(`not in GBK: ${character}`);
      return pair;
    }),
  );
}

const GBK_PAIRS = new Map<string, readonly number[]>();
for (let lead = 0xfe; lead >= 0x81; lead--) {
  for (let trail = 0xfe; trail >= 0x40; trail--) {
    const text = new TextDecoder("gbk").decode(Uint8Array.of(lead, trail));
    if ([...text].length === 1) GBK_PAIRS.set(text, [lead, trail]);
  }
}
