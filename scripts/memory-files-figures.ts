// What the guide to memory files shows of the example workspace: the printed view, an apply and its undoing,
// and a tool's answer. Made by running the product at one fixed hour, so that neither can show what it does not print.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import picocolors from "picocolors";
import { renderResult } from "../src/cli/memory-files/plan-view.ts";
import { renderArchived, renderRestored } from "../src/cli/memory-files/restore.ts";
import { runMemoryFilesCompaction } from "../src/factories/memory-files.ts";
import { memoryCompact } from "../src/mcp/tools/memory-compact.ts";
import {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  compactMemoryFiles,
  listArchivedChanges,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../src/memory-files.ts";
import { createTokenCounter } from "../src/tokens.ts";

const NAME = "workspace";
const EXAMPLE = join("examples", NAME);
/** The hour of the guides. */
const NOW = Date.UTC(2026, 10, 28, 12);
/** As on the command line. */
const MAX_KB = 5;
const COMMAND = "agent-compact memory-files";
const place = { shown: NAME, word: NAME, colors: picocolors.createColors(false) };
const now = { now: () => NOW };

/** Each block of the guide by the name of its markers. */
export async function renderMemoryBlocks(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["view", fenced(`$ ${COMMAND} ${NAME}\n${await printedView(EXAMPLE)}`)],
    ["apply", fenced(await inCopy(walk))],
    ["tool", fenced(await inCopy(answer))],
    ["code", fenced(await inCopy(program))],
  ]);
}

async function printedView(root: string): Promise<string> {
  return renderResult(await runMemoryFilesCompaction({ root, maxMemoryKb: MAX_KB }, now), { ...place, asked: "" });
}

/** An apply, what it left to undo, one change undone. */
async function walk(root: string): Promise<string> {
  const request = { maxMemoryKb: MAX_KB, aggressive: true, levers: ["contained"] } as const;
  const done = renderResult(await compactMemoryFiles(root, request, now), { ...place, asked: "" });
  const view = { ...place, restore: `${COMMAND} restore ${NAME}` };
  const listed = renderArchived(await listArchivedChanges(root), view);
  const restored = renderRestored(await restoreMemoryFiles(root, { ids: ["1.2"] }), view);
  return [
    `$ ${COMMAND} ${NAME} --aggressive --contained --apply\n${done}`,
    `$ ${COMMAND} restore ${NAME}\n${listed}`,
    `$ ${COMMAND} restore ${NAME} 1.2\n${restored}`,
  ].join("\n");
}

async function answer(root: string): Promise<string> {
  const nothing = () => Promise.reject(new Error("It reads memory files only"));
  const { count } = createTokenCounter({ encoding: "o200k_base" });
  const context = { store: nothing, archive: nothing, now: () => NOW, count, maxTokens: 8000 };
  const { text } = await memoryCompact.run({}, { ...context, memoryFiles: { root, maxMemoryKb: 15 } });
  const parts = text.split("\n## ");
  const listed = (title: string) => parts.find((part) => part.startsWith(title)) ?? "";
  const cut = (part: string, lines: number) => `## ${part.split("\n").slice(0, lines).join("\n")}`;
  const shown = [
    parts[0],
    `${cut(listed("Changes"), 4)}\n[...]`,
    `${cut(listed("Sections of notes whose words"), 3)}\n[...]`,
    text.slice(text.lastIndexOf("---\n")),
  ];
  return `memory_compact {}\n\n${shown.join("\n")}`;
}

/** What the program of the guide prints. */
async function program(root: string): Promise<string> {
  const { sections, contained_sections } = await analyzeMemoryFiles(root, {}, now);
  const { plan } = await planMemoryFilesCompaction(root, { aggressive: true, levers: ["contained"] }, now);
  const report = await applyMemoryFilesCompaction(root, plan, now);
  const { restored } = await restoreMemoryFiles(root, { all: true }, now);
  return [
    `${sections.length} sections ${contained_sections.length}`,
    ...plan.changes.map(({ kind, file, apply }) => `${kind} ${file} ${apply}`),
    `${report.memory_size_before} -> ${report.memory_size_after}`,
    `${restored.length} ${restored.every(({ how }) => how === "exact")}`,
  ].join("\n");
}

async function inCopy(show: (root: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-guide-"));
  try {
    const root = join(folder, NAME);
    cpSync(EXAMPLE, root, { recursive: true });
    return await show(root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fenced(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\``;
}
