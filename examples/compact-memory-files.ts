// Looks at the memory of an example workspace, in a copy; compacts it, goes on writing to it, and brings everything back.
// Run it: npx unrun examples/compact-memory-files.ts
import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  listArchivedChanges,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../src/memory-files.ts";

const example = fileURLToPath(new URL("workspace", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "memory-files-"));
cpSync(example, root, { recursive: true });
const read = (file: string, from = root) => readFileSync(join(from, file), "utf8");

try {
  // What fills it. Nothing is written by looking.
  const { sections, contained_sections } = await analyzeMemoryFiles(root);
  const bloated = sections.filter((section) => section.bloated).map(({ heading }) => heading);
  assert.deepEqual(bloated, ["Field log"]);
  const differs = contained_sections.find(({ file }) => file.endsWith("2025-10-15.md"));
  assert.equal(differs?.containment, 1, "all its words are in the memory");
  assert.equal(differs?.differs_in, "number", "and yet it says something else");
  assert.equal(differs?.removable, false);

  // What would be done: plain data, to be shown to somebody, stored, or sent.
  const { plan } = await planMemoryFilesCompaction(root, { aggressive: true, levers: ["contained"] });
  assert.equal(read("MEMORY.md"), read("MEMORY.md", example));

  // Somebody strikes the rotation out of it.
  const changes = plan.changes.map((change) => (change.kind === "rotate" ? { ...change, apply: false } : change));
  const report = await applyMemoryFilesCompaction(root, JSON.parse(JSON.stringify({ ...plan, changes })));
  assert.deepEqual(report.applied.map(({ kind }) => kind).sort(), ["remove_sections", "remove_sections", "tidy"]);
  assert.deepEqual(report.refused, []);
  assert.ok(!read("memory/2025-10-07.md").includes("## Backup"));
  assert.ok(read("MEMORY.md").includes("## Backup"), "the memory holds what the note lost");

  // The agent goes on writing; what left comes back all the same, and what it wrote stays.
  const written = "- The well is dry since Thursday.\n";
  appendFileSync(join(root, "MEMORY.md"), written);
  assert.equal((await listArchivedChanges(root)).length, 3);
  const { restored, refused } = await restoreMemoryFiles(root, { all: true });
  assert.deepEqual(refused, []);
  assert.deepEqual(restored.map(({ how }) => how).sort(), ["exact", "exact", "merged"]);
  assert.equal(read("MEMORY.md"), read("MEMORY.md", example) + written);
  assert.equal(read("memory/2025-10-07.md"), read("memory/2025-10-07.md", example));
} finally {
  rmSync(root, { recursive: true, force: true });
}
