// The tool `memory_compact`: what fills an agent's Markdown memory and what would make it smaller; or, where that is asked
// for, making it smaller.
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { runMemoryFilesCompaction } from "../../factories/memory-files.ts";
import { analyzeClaudeMemory, claudeFindings, isClaudeMemory } from "../../memory-files/claude-memory.ts";
import type { MemoryFilesResult } from "../../memory-files/compact-memory-files.ts";
import { DEFAULT_MAX_MEMORY_KB, LEVERS, type Lever } from "../../memory-files/options.ts";
import type { MemoryFilesPlan, PlannedChange } from "../../memory-files/plan.ts";
import type { AppliedChange } from "../../memory-files/report.ts";
import { sha256 } from "../../storage/sha256.ts";
import { figure } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { answerDone, answerLimit, fitPage, requireRoom } from "../answer.ts";
import { nextOffset, offsetOf } from "../cursor.ts";
import { cursorFooter } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type MemoryFilesContext, type ToolAnswer, type ToolContext } from "../tool.ts";
import { type CompactOutput, compactOutput, figuresOutput, type ListName } from "./memory-compact-output.ts";
import {
  alsoOf,
  doneEntries,
  type Entry,
  entriesText,
  longestOf,
  MOST_SECRETS,
  overviewText,
  plannedEntries,
  possibleIn,
  shortenEntry,
} from "./memory-compact-text.ts";

const NAME = "memory_compact";
/** Of the answer to a dry run that does not say how many it may take: what is worth reading of any memory has room in it. */
const PLAN_TOKENS = 1000;

const input = z.object({
  workspace: z.string().optional().describe('The server\'s workspace with "auto" (default), or a folder in it'),
  dry_run: z.boolean().optional().describe("true (default): analyses and plans, writes nothing. false: carries it out"),
  aggressive: z
    .boolean()
    .optional()
    .describe("Repeated lines, blank runs and all but the last line of a series leave the memory too (false)"),
  max_memory_kb: z.number().optional().describe(`Kilobytes that the memory file may have (${DEFAULT_MAX_MEMORY_KB})`),
  also: z
    .array(z.enum(LEVERS))
    .optional()
    .describe(
      "Levers that are off by default. contained: sections of notes that a larger memory holds word for word; move: oldest dated sections of the memory to an archive file, a pointer stays; digest: one digest for the notes of each past month",
    ),
  plan_hash: z
    .string()
    .optional()
    .describe("Of the dry run that was reviewed. With dry_run false: refused where the plan would be another by now"),
  max_tokens: parameters.maxTokens
    .optional()
    .describe(
      `Most tokens of the answer (${PLAN_TOKENS} of a dry run): more names more of what leaves; the rest comes with the next page`,
    ),
  cursor: parameters.cursor.optional(),
});

type Input = z.infer<typeof input>;

export const memoryCompact = defineTool({
  name: NAME,
  title: "Compact Markdown memory",
  description:
    "Shows what fills MEMORY.md and the daily notes beside it: the largest sections, sections of notes that the memory " +
    "already holds, repeated lines, notes that are too large. By default it only plans. Review the changes, then call it " +
    "again with dry_run: false, its plan_hash and the same other arguments. A section that says anything the memory lacks is never " +
    "removed. Nothing is lost: memory_restore brings back what left.",
  params: input,
  result: compactOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  async run(given, context) {
    const offset = offsetOf(NAME, given.cursor);
    const isDry = given.dry_run ?? true;
    const isBrief = isDry && given.max_tokens === undefined;
    const limit = answerLimit(isBrief ? Math.min(PLAN_TOKENS, context.maxTokens) : given.max_tokens, context);
    if (!isDry) {
      refuseCursor(offset);
      requireRoom(limit);
    }
    const result = await compact(given, isDry, context);
    if (result.report !== undefined) {
      const build = (shown: readonly Entry[], all: number) => doneAnswer(result, shown, all);
      const entries = doneEntries(result, result.report);
      return answerDone(entries, (shown) => build(shown, entries.length), limit);
    }
    const claude = isClaudeMemory(result.workspace)
      ? await analyzeClaudeMemory(result.workspace, context.count)
      : undefined;
    const all = plannedEntries(result, isBrief, claude === undefined ? [] : claudeFindings(claude));
    const items = all.slice(offset);
    const build = (shown: readonly Entry[]) => plannedAnswer(result, { shown, offset, all: all.length }, given);
    return fitPage({ items, build, shorten: shortenEntry, longest: longestOf }, limit);
  },
});

/** A page of what was done would do it again. */
function refuseCursor(offset: number): void {
  if (offset === 0) return;
  throw new CompactError("InvalidInput", "'cursor' goes through the pages of a dry run; nothing was changed.", {
    code: "INVALID_ARGUMENTS",
    hint: "Leave cursor out to carry the changes out, or dry_run to see the page.",
  });
}

async function compact(given: Input, isDry: boolean, context: ToolContext): Promise<MemoryFilesResult> {
  const memoryFiles = memoryFilesOf(context);
  const { memoryFile, notesGlob, signal, maxMemoryKb, redaction } = memoryFiles;
  const levers = given.also ?? [];
  const root = await workspaceOf(given.workspace, memoryFiles);
  const request = {
    ...{ root, memoryFile, notesGlob, levers, aggressive: given.aggressive },
    maxMemoryKb: given.max_memory_kb ?? maxMemoryKb,
  };
  const options = {
    ...{ now: context.now, count: context.count, signal, redaction },
    ...(context.trace === undefined ? {} : { trace: context.trace }),
    // A model is asked only where digests were.
    ...(levers.includes("digest") ? memoryFiles.writer : {}),
  };
  if (isDry || given.plan_hash === undefined) return runMemoryFilesCompaction({ ...request, dryRun: isDry }, options);
  const { plan } = await runMemoryFilesCompaction(request, options);
  refuseOtherPlan(plan, given.plan_hash);
  return runMemoryFilesCompaction({ root, plan }, options);
}

interface Page {
  readonly shown: readonly Entry[];
  readonly offset: number;
  readonly all: number;
}

function plannedAnswer(result: MemoryFilesResult, { shown, offset, all }: Page, given: Input): ToolAnswer {
  const end = offset + shown.length;
  const next = nextOffset(NAME, offset, shown.length, all);
  const lines = [
    "# Memory files: dry run, nothing was written",
    "",
    ...(offset === 0 ? overviewText(result) : [`Entries ${offset + 1}-${end} of ${all}.`]),
    ...entriesText(shown),
    "---",
    nextCall(result, given),
  ];
  return {
    text: lines.join("\n") + cursorFooter(next),
    structured: { ...figuresOf(result), ...listsOf(shown), next_cursor: next },
  };
}

/** The call that carries out what is planned; or else one that plans what is proposed, which nobody has seen yet. */
function nextCall(result: MemoryFilesResult, given: Input): string {
  const { plan } = result;
  const { cursor: _, max_tokens: __, dry_run: ___, plan_hash: ____, ...same } = given;
  const call = (more: Input) => `${NAME} ${JSON.stringify({ ...same, ...more })}`;
  if (plan.changes.some(({ apply }) => apply))
    return `To carry it out: ${call({ dry_run: false, plan_hash: hashOfPlan(plan) })}`;
  const isProposed = (lever: Lever) =>
    plan.changes.some((each) => alsoOf(each) === lever) || possibleIn(result).some(({ also }) => also === lever);
  const also = LEVERS.filter((lever) => given.also?.includes(lever) || isProposed(lever));
  return LEVERS.some(isProposed)
    ? `To see planned what is only proposed: ${call({ also: [...also], dry_run: true })}`
    : "There is nothing to do.";
}

function doneAnswer(result: MemoryFilesResult, shown: readonly Entry[], all: number): ToolAnswer {
  const left = all - shown.length;
  const ids = (result.report?.applied ?? []).map(({ id }) => id);
  const lines = [
    `# Memory files: ${ids.length === 0 ? "nothing was changed" : "changes carried out"}`,
    "",
    ...overviewText(result),
    ...entriesText(shown),
    "---",
    ...(left > 0 ? [`${figure(left)} more had no room here; memory_restore without ids lists all changes.`] : []),
    ids.length === 0
      ? "Nothing is there to undo."
      : `To undo all of it: memory_restore {"ids": ["${result.report?.run}"]}; one of it by its own id.`,
  ];
  return {
    text: lines.join("\n"),
    structured: { ...figuresOf(result), ...listsOf(shown), ...(left > 0 ? { left_out: left } : {}) },
  };
}

const COUNTED = [
  ...(["cross_file_issues", "contained_sections", "sections", "notes", "digests"] as const),
  ...(["duplicate_lines", "near_lines", "unread", "secrets"] as const),
];

function figuresOf(result: MemoryFilesResult): CompactOutput {
  const { plan, report, secrets } = result;
  return figuresOutput.parse({
    ...result,
    ...(report === undefined ? { plan_hash: hashOfPlan(plan) } : { run: report.run }),
    totals: report === undefined ? plan.totals : totalsOf(report.applied),
    counts: {
      changes: plan.changes.length,
      ...(report === undefined ? {} : { applied: report.applied.length, refused: report.refused.length }),
      ...Object.fromEntries(COUNTED.map((name) => [name, result[name].length])),
      held: plan.held.length - possibleIn(result).length,
      possible: possibleIn(result).length,
    },
    secrets: secrets.length === 0 ? undefined : secrets.slice(0, MOST_SECRETS),
  });
}

/** Of what was done. */
function totalsOf(applied: readonly AppliedChange[]): CompactOutput["totals"] {
  const sum = (key: "bytes_before" | "bytes_after" | "tokens_before" | "tokens_after") =>
    applied.reduce((total, change) => total + change[key], 0);
  return {
    changes: applied.length,
    files: new Set(applied.map(({ file }) => file)).size,
    ...{ bytes_before: sum("bytes_before"), bytes_after: sum("bytes_after") },
    ...{ tokens_before: sum("tokens_before"), tokens_after: sum("tokens_after") },
  };
}

function listsOf(entries: readonly Entry[]): Partial<Record<ListName, Entry["value"][]>> {
  const lists = groupBy(entries, ({ list }) => list);
  return Object.fromEntries([...lists].map(([list, members]) => [list, members.map(({ value }) => value)]));
}

// Tells whether the plan that is carried out is the one that was reviewed: a call makes its plan anew, and files may have
// changed between the two.

const LENGTH = 16;

/** Of what would be done to which bytes of which files; not of when, nor of the words of a digest. */
export function hashOfPlan({ changes }: MemoryFilesPlan): string {
  return sha256(JSON.stringify(changes.filter(({ apply }) => apply).map(whatOf))).slice(0, LENGTH);
}

function whatOf(change: PlannedChange) {
  const { kind, file, rests_on } = change;
  const ranges = "ranges" in change ? change.ranges.map(({ byte_from, byte_to }) => [byte_from, byte_to]) : [];
  return [kind, file, ranges, Object.entries(rests_on).sort(([a], [b]) => (a < b ? -1 : 1))];
}

/** @throws Conflict (`STALE_PLAN`). */
export function refuseOtherPlan(plan: MemoryFilesPlan, hash: string): void {
  if (hash.trim() === hashOfPlan(plan)) return;
  throw new CompactError("Conflict", "The plan is not the one of 'plan_hash' any more. Nothing was changed.", {
    code: "STALE_PLAN",
    hint: "Files or arguments are others by now: call memory_compact with dry_run: true, and review its changes.",
  });
}

// Which folder a call is about: the server's workspace or one inside it, links followed. A model must not choose any other
// of this machine.

const AUTO = "auto";

/** Throws `NotFound` in a server without a workspace. */
export function memoryFilesOf({ memoryFiles }: ToolContext): MemoryFilesContext {
  if (memoryFiles !== undefined) return memoryFiles;
  throw new CompactError("NotFound", "This server has no workspace of memory files.", {
    code: "WORKSPACE_NOT_FOUND",
    hint: "Start it with --workspace DIR, or set memory_files.workspace in its configuration.",
  });
}

/**
 * Absolute path of the folder. A relative one is from the server's workspace.
 * @throws InvalidInput (`OUTSIDE_WORKSPACE`), whether or not such a folder exists; NotFound.
 */
export async function workspaceOf(named: string | undefined, { root }: MemoryFilesContext): Promise<string> {
  const name = named?.trim() ?? "";
  if (name === "" || name === AUTO) return root;
  const path = resolve(root, name);
  const own = await realpath(root).catch(() => root);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && isInside(own, real)) return real;
  if (real === undefined && (isInside(own, path) || isInside(root, path)))
    throw new CompactError("NotFound", "There is no such folder in the server's workspace.", {
      code: "WORKSPACE_NOT_FOUND",
      hint: `Leave workspace out, or send "${AUTO}", for the workspace itself.`,
    });
  throw new CompactError("InvalidInput", "'workspace' is not the server's workspace, nor a folder in it.", {
    code: "OUTSIDE_WORKSPACE",
    hint: `Send "${AUTO}" for ${root}, or a folder in it. Another one needs a server of its own: agent-compact mcp --workspace DIR.`,
  });
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
