// A workspace of years from a seed: a memory file, and a thousand notes of the kinds of Markdown that agents write. Some
// of their sections are copies of the memory's. Made once, kept for the next run.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, isoTime } from "../../src/time.ts";
import { noteText, randomFrom, word } from "../observations/note-text.ts";

export const NOW = Date.UTC(2026, 2, 1);
const NOTE_BYTES = 10_000;
const MEMORY_BYTES = 60_000;
/** Raise it when what is built changes. */
const EDITION = 1;

type Random = () => number;

const sentence = (random: Random) => `${noteText(random).content}.`;
const words = (random: Random, count: number) =>
  Array.from({ length: count }, () => word(Math.floor(20_000 ** random()))).join(" ");

const BLOCKS: readonly ((random: Random) => string)[] = [
  (random) => sentence(random),
  (random) => `${sentence(random)}\n${sentence(random)}`,
  (random) => Array.from({ length: 5 }, () => `- ${words(random, 12)}`).join("\n"),
  (random) => `1. ${words(random, 9)}\n   - ${words(random, 7)}\n\n   ${words(random, 20)}\n2. ${words(random, 9)}`,
  (random) =>
    `\`\`\`sh\n# ${words(random, 4)}\n${words(random, 6)} --${words(random, 1)} 3\n\n${words(random, 5)}\n\`\`\``,
  (random) => `| ${words(random, 1)} | ${words(random, 1)} |\n|---|---|\n${tableRows(random)}`,
  (random) => `> ${sentence(random)}\n> ${sentence(random)}`,
];

function tableRows(random: Random): string {
  return Array.from({ length: 4 }, () => `| ${words(random, 2)} | ${Math.floor(random() * 1000)} |`).join("\n");
}

function section(random: Random): string {
  const blocks = Array.from({ length: 3 }, () => BLOCKS[Math.floor(random() * BLOCKS.length)]?.(random) ?? "");
  return [`## ${words(random, 3)}`, ...blocks].join("\n\n");
}

function sections(bytes: number, from: () => string): readonly string[] {
  const made: string[] = [];
  for (let length = 0; length < bytes; length += made.at(-1)?.length ?? 0) made.push(from());
  return made;
}

/** Gives its path. */
export function buildWorkspace(noteCount: number): string {
  const path = join(tmpdir(), `agent-compact-bench-memory-files-${EDITION}-${noteCount}`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, "memory"), { recursive: true });
  const random = randomFrom(1);
  const memory = sections(MEMORY_BYTES, () => section(random));
  writeFileSync(join(unfinished, "MEMORY.md"), `# Memory\n\n${memory.join("\n\n")}\n`);
  const copied = () => memory[Math.floor(random() * memory.length)] ?? "";
  for (let index = 0; index < noteCount; index++) {
    const date = isoTime(NOW - (index + 2) * DAY_MS).slice(0, "2031-02-03".length);
    const body = sections(NOTE_BYTES, () => (random() < 0.05 ? copied() : section(random)));
    writeFileSync(join(unfinished, "memory", `${date}.md`), `# ${date}\n\n${body.join("\n\n")}\n`);
  }
  renameSync(unfinished, path);
  return path;
}
