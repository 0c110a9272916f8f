// Folders of decision files for these tests, and what stands in them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createCstpYamlDecisionLog } from "../../../src/decisions/cstp-yaml-decision-log.ts";
import type { DecisionLog, LevelView } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";

export const NOW = Date.UTC(2031, 2, 31, 12);
export const VIEW: LevelView = { policies: decisionPolicies(), now: NOW };

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function folderOf(files: Files = {}): string {
  const root = mkdtempSync(join(tmpdir(), "decisions-"));
  putFiles(root, files);
  return root;
}

export function putFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

/** Names of all files but those beside the records, with their content. */
export function filesOf(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    if (/(?:^|\/)\.agent-compact/.test(name) || !statSync(join(root, name)).isFile()) continue;
    files[name] = readFileSync(join(root, name), "latin1");
  }
  return files;
}

export const openLog = (path: string): DecisionLog => createCstpYamlDecisionLog({ path });

export const idsIn = (log: DecisionLog): Promise<readonly string[]> => log.read((reader) => reader.idsLike("", 10_000));

export const faultsIn = (log: DecisionLog) =>
  log.read(async (reader) => (await reader.faults(100)).faults.map(({ id, code }) => `${code} ${id}`));

export const yamlOf = (id: string, more = ""): string =>
  `id: ${id}\ndecision: Choose ${id}\ncategory: process\nstatus: reviewed\ndate: 2031-01-02T03:04:05Z\n${more}`;
