// Stands in for an archive's files: writes them as an archive does, and tells the catalog where it is asked to.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredFile } from "../../../src/archive/archive.ts";
import type { Catalog } from "../../../src/archive/catalog.ts";
import { sessionFolder } from "../../../src/storage/session-folder.ts";
import { sha256 } from "../../../src/storage/sha256.ts";

export function newRoot(): string {
  return mkdtempSync(join(tmpdir(), "catalog-"));
}

export function writeStored(root: string, session_id: string, name: string, text = name): StoredFile {
  const folder = join(root, sessionFolder(session_id));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "session.json"), JSON.stringify({ session_id }));
  writeFileSync(join(folder, name), text);
  return { session_id, name, bytes: text.length, at: "2026-01-02T03:04:05.000Z", sha256: sha256(text) };
}

export async function writeNoted(catalog: Catalog, root: string, sessionId: string, name: string): Promise<StoredFile> {
  const file = writeStored(root, sessionId, name);
  await catalog.note(file);
  return file;
}

export const STEP_1 = "transcript-pre-compact-001.jsonl";
export const STEP_2 = "transcript-pre-compact-002.jsonl";

/** `session/name`, sorted. */
export function placesOf(files: readonly StoredFile[]): readonly string[] {
  return files.map(({ session_id, name }) => `${session_id}/${name}`).sort();
}
