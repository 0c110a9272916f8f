// The tool `memory_restore`: brings back what left memory files and notes, or lists what can be.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { type ArchivedChange, howRestored, type RestoreReport } from "../../memory-files/report.ts";
import { listArchivedChanges } from "../../memory-files/restore-memory-files.ts";
import { restoreMemoryFiles } from "../../memory-files.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import { figure } from "../../text/figures.ts";
import { answerDone, answerLimit, fitPage, requireRoom } from "../answer.ts";
import { nextOffset, offsetOf } from "../cursor.ts";
import { cursorFooter } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { memoryFilesOf, workspaceOf } from "./memory-compact.ts";
import { recoveredOutput } from "./memory-compact-output.ts";
import { nameOf } from "./row-view.ts";

const NAME = "memory_restore";
const MOST_PARTS = 10;

const input = z.object({
  ids: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Changes, or whole runs, to undo: ["3.1", "3.2"], ["3"]. Neither ids nor all: lists them'),
  all: z.boolean().optional().describe("Undo every change there was"),
  workspace: z.string().optional().describe('The server\'s workspace with "auto" (default), or a folder in it'),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const changeOutput = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  file: z.string(),
  what: z.array(z.string()),
  archived: z.array(z.string()).describe("Where what left is kept, from the workspace"),
  state: z.enum(["applied", "restored", "unclear"]),
  missing: z.array(z.string()).optional().describe("Of archived, what is gone: the change cannot be undone"),
});

const output = z.object({
  changes: z.array(changeOutput).optional().describe("What is in the journal, the newest first; of a list"),
  total: z.int().optional(),
  restored: z
    .array(z.object({ id: z.string(), kind: z.string(), file: z.string(), how: z.enum(["exact", "merged", "at_end"]) }))
    .optional(),
  already: z.array(z.string()).optional().describe("Were back before"),
  refused: z
    .array(z.object({ id: z.string(), file: z.string(), code: z.string(), message: z.string() }))
    .optional()
    .describe("Their files are as they were"),
  settled: z.array(recoveredOutput).optional(),
  left_out: z.int().optional().describe("Entries that had no room; a list has them all"),
  next_cursor: parameters.nextCursor.optional(),
});

type Input = z.infer<typeof input>;

export const memoryRestore = defineTool({
  name: NAME,
  title: "Restore Markdown memory",
  description:
    "Undoes changes that memory_compact made, in the files as they are now: what was written since stays. Without ids it " +
    "lists the changes and where what left is kept.",
  params: input,
  result: output,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  async run(given, context) {
    const wanted = readWanted(given);
    return wanted === undefined ? list(given, context) : restore(wanted, given, context);
  },
});

type Wanted = { readonly ids: readonly string[] } | { readonly all: true };

/** Undefined for a list. Throws `InvalidInput` for invalid ids: the number 3.1 may stand for change 10 of run 3. */
function readWanted({ ids, all }: Input): Wanted | undefined {
  const named = typeof ids === "string" ? readText(ids) : (ids ?? []);
  const wrong = named.filter((id) => typeof id !== "string");
  if (wrong.length > 0) throw badIds(`'ids' must be texts, not ${JSON.stringify(wrong[0])}.`);
  if (all === true && named.length > 0) throw badIds("'all' is every change; 'ids' says which.");
  if (all === true) return { all };
  return named.length === 0 ? undefined : { ids: named as string[] };
}

function readText(text: string): readonly unknown[] {
  if (!text.trim().startsWith("[")) return text.split(/[\s,]/).filter((id) => id !== "");
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch {
    throw badIds("'ids' is no list.");
  }
}

function badIds(message: string): CompactError {
  return new CompactError("InvalidInput", `${message} Nothing was changed.`, {
    code: "INVALID_IDS",
    hint: 'Send ids: ["3.1", "3.2"], or all: true. Without both, the changes are listed.',
  });
}

async function restore(wanted: Wanted, given: Input, context: ToolContext): Promise<ToolAnswer> {
  const limit = answerLimit(given.max_tokens, context);
  requireRoom(limit);
  const memoryFiles = memoryFilesOf(context);
  const report = await restoreMemoryFiles(await workspaceOf(given.workspace, memoryFiles), wanted, {
    now: context.now,
    count: context.count,
    signal: memoryFiles.signal,
    ...(context.trace === undefined ? {} : { trace: context.trace }),
  });
  const entries = entriesOf(report);
  return answerDone(entries, (shown) => restoredAnswer(shown, entries.length), limit);
}

type Restored = {
  readonly [Name in keyof RestoreReport]: readonly [Name, RestoreReport[Name][number]];
}[keyof RestoreReport];

function entriesOf({ restored, refused, already, settled }: RestoreReport): readonly Restored[] {
  return [
    ...restored.map((each) => ["restored", each] as const),
    ...refused.map((each) => ["refused", each] as const),
    ...already.map((each) => ["already", each] as const),
    ...settled.map((each) => ["settled", each] as const),
  ];
}

function restoredAnswer(shown: readonly Restored[], all: number): ToolAnswer {
  const of = <Name extends keyof RestoreReport>(name: Name) =>
    shown.flatMap(([list, value]) => (list === name ? [value as RestoreReport[Name][number]] : []));
  const [restored, refused, already, settled] = [of("restored"), of("refused"), of("already"), of("settled")];
  const left = all - shown.length;
  const lines = [
    restored.length === 0 ? "Nothing was restored." : `Restored ${figure(restored.length)}:`,
    ...restored.map((change) => `- [${change.id}] ${change.kind} ${nameOf(change.file)}: ${howRestored(change)}`),
    ...refused.map(
      ({ id, file, code, message }) => `- ⚠️ [${id}] ${nameOf(file)} was not: ${code}. ${snippetOf(message)}`,
    ),
    ...(already.length === 0 ? [] : [`Back already: ${already.join(", ")}`]),
    ...settled.map(({ id, file, state }) => `- [${id}] ${nameOf(file)}, of a run that had died: ${state}`),
    ...(left > 0 ? [`${figure(left)} more had no room here; ${NAME} without ids lists them.`] : []),
  ];
  const structured = { restored, already, refused, settled, ...(left > 0 ? { left_out: left } : {}) };
  return { text: lines.join("\n"), structured };
}

async function list(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const root = await workspaceOf(given.workspace, memoryFilesOf(context));
  const changes = await listArchivedChanges(root);
  const offset = offsetOf(NAME, given.cursor);
  const build = (shown: readonly ArchivedChange[]) => listAnswer(shown, offset, changes.length);
  return fitPage({ items: changes.slice(offset).map(bounded), build }, answerLimit(given.max_tokens, context));
}

/** So that one alone fits into an answer. */
function bounded(change: ArchivedChange): ArchivedChange {
  const { what, archived, missing } = change;
  return {
    ...change,
    ...{ what: what.slice(0, MOST_PARTS), archived: archived.slice(0, MOST_PARTS) },
    ...(missing === undefined ? {} : { missing: missing.slice(0, MOST_PARTS) }),
  };
}

function listAnswer(shown: readonly ArchivedChange[], offset: number, total: number): ToolAnswer {
  const end = offset + shown.length;
  const next = nextOffset(NAME, offset, shown.length, total);
  const lines = [
    total === 0
      ? "There is nothing to restore."
      : `Changes ${offset + 1}-${end} of ${figure(total)}, the newest first:`,
    ...shown.flatMap(({ id, at, kind, file, what, archived, state, missing }) => [
      `- [${id}] ${at.slice(0, 10)} ${kind} ${nameOf(file)} (${state}). ${missing === undefined ? "Kept in" : "Cannot be undone, its archive is gone:"} ${archived.map(nameOf).join(", ")}`,
      ...what.map((part) => `    - ${nameOf(part)}`),
    ]),
  ];
  return {
    text: lines.join("\n") + cursorFooter(next),
    structured: {
      changes: shown.map((change) => ({ ...change })),
      total,
      next_cursor: next,
    },
  };
}
