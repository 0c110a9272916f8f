// Random workspaces of memory files: sections of the memory planted in notes, repeated lines, large notes, every encoding and
// line end that is read.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { MemoryFilesPlan, PlannedChange } from "../../src/memory-files/plan.ts";
import { digest, type Lines, planOf, removal, rotation, tidy } from "../memory-files/applying/sample-plan.ts";
import { toGbk } from "../memory-files/workspace/workspace-folder.ts";

const line = fc.constantFrom(
  "",
  "",
  "- the deploy script needs the staging key",
  "- the deploy script needs the staging key",
  "The port of the database is 5432.",
  "Backups run every night at two.",
  "数据库的端口是五千",
  "今天部署了服务器的配置",
  "```",
  "| a | b |",
  "> quoted words of somebody",
  "  indented",
  "x",
);
const heading = fc.constantFrom(
  "# Log",
  "## Notes",
  "## Deploy",
  "### 记录",
  "## Setup of the database",
  "#### Detail",
);
const section = fc.record({ heading, lines: fc.array(line, { maxLength: 6 }) });
const sections = fc.array(section, { minLength: 1, maxLength: 5 });

const shape = fc.record({
  end: fc.constantFrom("\n", "\n", "\r\n"),
  hasMark: fc.boolean(),
  isGbk: fc.boolean(),
  isEnded: fc.boolean(),
});
const note = fc.record({
  sections,
  /** Sections of the memory that stand in it too. */
  copied: fc.array(fc.nat(4), { maxLength: 3 }),
  shape,
  isLarge: fc.nat(9).map((number) => number === 0),
});

export const workspaceOf = fc.record({
  memory: fc.array(section, { minLength: 2, maxLength: 8 }),
  shape,
  notes: fc.array(note, { minLength: 1, maxLength: 6 }),
});
type Drawn = typeof workspaceOf extends fc.Arbitrary<infer Value> ? Value : never;

/** Of two months that are long over, and one of the day on which the tests are. */
const DATES = ["2031-01-04", "2031-01-05", "2031-02-01-slug", "2031-02-03", "2031-05-30", "2031-06-15"];
export const noteNames = DATES.map((date) => `memory/${date}.md`);

/** Its real path, and how to remove it. */
export function makeWorkspace({ memory, notes, shape: of }: Drawn): {
  readonly root: string;
  readonly names: readonly string[];
} {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-compact-random-")));
  const names = ["MEMORY.md"];
  write(root, "MEMORY.md", bytesOf(memory, of));
  for (const [index, { sections: own, copied, shape: as, isLarge }] of notes.entries()) {
    const name = noteNames[index] ?? "";
    const all = [...own, ...copied.flatMap((number) => memory[number] ?? [])];
    const large = { heading: "## Long", lines: Array.from({ length: 1_200 }, (_, at) => `line ${at} of a long day`) };
    write(root, name, bytesOf(isLarge ? [...all, large] : all, as));
    names.push(name);
  }
  return { root, names };
}

export function removeWorkspace(root: string): void {
  rmSync(root, { recursive: true, force: true });
}

function write(root: string, name: string, bytes: Uint8Array): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), bytes);
}

function bytesOf(
  all: readonly { readonly heading: string; readonly lines: readonly string[] }[],
  { end, hasMark, isGbk, isEnded }: Drawn["shape"],
): Uint8Array {
  const lines = all.flatMap(({ heading: first, lines: rest }) => [first, ...rest]);
  const text = `${lines.join(end)}${isEnded ? end : ""}`;
  if (isGbk) return toGbk(text);
  return Buffer.from(`${hasMark ? "\uFEFF" : ""}${text}`);
}

/** What a person could write into a plan: any lines of any note, any note rotated, a month of them digested. */
export const wildness = fc.record({
  kinds: fc.array(fc.constantFrom("remove", "remove", "rotate", "none"), { minLength: 6, maxLength: 6 }),
  cuts: fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 4 }),
  isDigested: fc.boolean(),
  isSection: fc.boolean(),
});

export function wildPlan(
  root: string,
  names: readonly string[],
  lineCount: (name: string) => number,
  { kinds, cuts, isDigested, isSection }: typeof wildness extends fc.Arbitrary<infer Value> ? Value : never,
): MemoryFilesPlan {
  const changes: PlannedChange[] = [];
  const month = names.filter((name) => name.startsWith("memory/2031-01"));
  for (const [index, name] of names.entries()) {
    const lines = linesIn(cuts, lineCount(name), isSection);
    const id = changes.length + 1;
    if (isDigested && month.includes(name)) continue;
    if (name === "MEMORY.md") changes.push(...(lines.length > 0 ? [tidy(root, id, name, ...lines)] : []));
    else if (kinds[index] === "rotate") changes.push(rotation(root, id, name));
    else if (kinds[index] === "remove" && lines.length > 0) changes.push(removal(root, id, name, ...lines));
  }
  if (isDigested && month.length > 0) changes.push(digest(root, changes.length + 1, "2031-01", ...month));
  return planOf(root, ...changes);
}

/** Apart from each other, in order. */
function linesIn(cuts: readonly (readonly [number, number])[], count: number, isSection: boolean): readonly Lines[] {
  const lines: Lines[] = [];
  let from = 1;
  for (const [skipped, length] of cuts) {
    from += skipped;
    if (from > count) break;
    const to = Math.min(count, from + length - 1);
    lines.push(isSection ? [from, to, "Section"] : [from, to]);
    from = to + 1;
  }
  return lines;
}
