// `agent-compact memory-files`: what fills an agent's memory, and what would make it smaller or, with --apply, does.
import { join } from "node:path";
import { withHints } from "../../errors.ts";
import { summaryConfigOf } from "../../factories/conversation-config.ts";
import { runMemoryFilesCompaction } from "../../factories/memory-files.ts";
import type { MemoryFilesResult } from "../../memory-files/compact-memory-files.ts";
import { COMMAND_LINE_MAX_MEMORY_KB, LEVERS, type Lever } from "../../memory-files/options.ts";
import { type MemoryFilesPlan, readPlan } from "../../memory-files/plan.ts";
import { ARCHIVE_FOLDER } from "../../memory-files/workspace.ts";
import { plural } from "../../text/figures.ts";
import { writePlan } from "../files/output.ts";
import { readPlanFile } from "../files/read-file.ts";
import { badFlag, refuseTwoOutputs, shellWord } from "../flags.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { failRefused, type OpenedMemoryFiles, PLAN_REMEDY, withMemoryFiles } from "./open-memory-files.ts";
import { type MemoryFilesView, renderResult, renderView } from "./plan-view.ts";
import type { CompactFlags } from "./program.ts";

const PLAN_REMEDY_STALE = "Make the plan anew with --plan-out FILE, look at it, and carry it out with --plan FILE.";

/** Throws for what was refused, as the change of a file that was written meanwhile, after the others were done and shown. */
export async function compactWorkspace(
  named: string | undefined,
  flags: CompactFlags,
  terminal: Terminal,
): Promise<void> {
  refuseMixed(flags);
  refuseTwoOutputs(flags);
  const plan = flags.plan === undefined ? undefined : await readGiven(flags.plan, terminal);
  const isHere = flags.memoryFile !== undefined || flags.notesGlob !== undefined;
  const work = (opened: OpenedMemoryFiles) => compactOpened(plan, flags, opened, terminal);
  await withMemoryFiles(named ?? plan?.workspace, flags, terminal, work, { isHere });
}

async function readGiven(file: string, terminal: Terminal): Promise<MemoryFilesPlan> {
  try {
    return await readPlanFile(file, readPlan, "--notes-glob", terminal);
  } catch (error) {
    throw withHints(error, { INVALID_PLAN: PLAN_REMEDY });
  }
}

function refuseMixed(flags: CompactFlags): void {
  const { plan, planOut, apply } = flags;
  if (planOut !== undefined && apply === true)
    throw badFlag(
      "--plan-out writes the plan and changes nothing: it goes with no --apply.",
      "Carry it out with --plan FILE.",
    );
  if (plan === undefined) return;
  if (planOut !== undefined) throw badFlag("--plan carries a plan out: it goes with no --plan-out.");
  const planning = planningFlags(flags);
  if (planning.length > 0)
    throw badFlag(
      `The plan says what is done: it goes with no ${planning[0]?.split(" ")[0]}.`,
      "Leave out the flags that make a plan, or make it again with --plan-out FILE.",
    );
}

/** As they stand on a command line. */
function planningFlags(flags: CompactFlags): readonly string[] {
  const { maxMemoryKb, memoryFile, notesGlob } = flags;
  return [
    ...(flags.aggressive === true ? ["--aggressive"] : []),
    ...(maxMemoryKb === undefined ? [] : [`--max-memory-kb ${maxMemoryKb}`]),
    ...(memoryFile === undefined ? [] : [`--memory-file ${shellWord(memoryFile)}`]),
    ...(notesGlob === undefined ? [] : [`--notes-glob ${shellWord(notesGlob)}`]),
    ...leversOf(flags).map((lever) => `--${lever}`),
    ...(flags.moreThanHalf === true ? ["--more-than-half"] : []),
  ];
}

function leversOf(flags: CompactFlags): readonly Lever[] {
  return LEVERS.filter((lever) => flags[lever] === true);
}

async function compactOpened(
  plan: MemoryFilesPlan | undefined,
  flags: CompactFlags,
  opened: OpenedMemoryFiles,
  terminal: Terminal,
): Promise<void> {
  const { root, config, trace } = opened;
  const defaults = config.memoryFiles;
  const levers = leversOf(flags);
  createProgress(terminal, flags).step("reading the memory and its notes");
  const result = await runMemoryFilesCompaction(
    {
      root,
      memoryFile: flags.memoryFile ?? defaults?.memoryFile,
      notesGlob: flags.notesGlob ?? defaults?.notesGlob,
      maxMemoryKb: flags.maxMemoryKb ?? defaults?.maxMemoryKb ?? COMMAND_LINE_MAX_MEMORY_KB,
      aggressive: flags.aggressive,
      moreThanHalf: flags.moreThanHalf,
      levers,
      ...(plan === undefined ? { dryRun: flags.apply !== true } : { plan }),
    },
    { trace, signal: terminal.signal, ...writerOf(config, levers) },
  );
  warnOfGlob(result, terminal);
  const viewOf = (colors: Colors) => viewIn(opened, flags, colors);
  if (flags.planOut !== undefined) {
    const { totals, memory_size_before, memory_size_after } = result.plan;
    const closed = join(result.workspace, ARCHIVE_FOLDER);
    const kept = [...result.memory_files, ...result.notes, ...result.unread].map(({ file }) => ({
      kept: join(result.workspace, file),
      keptAs: "a file of the workspace",
      closed,
    }));
    const render = (shown: string, colors: Colors) => {
      const view = { ...viewOf(colors), hasIds: true };
      const apply = colors.cyan(`agent-compact memory-files ${view.word} --plan ${shellWord(shown)}`);
      return renderView(result, view, `The plan is in ${shown}. To carry it out:\n  ${apply}`);
    };
    const figures = { totals, memory_size_before, memory_size_after };
    return writePlan({ out: flags.planOut, plan: result.plan, kept, figures, render }, flags, terminal);
  }
  const isReport = result.report !== undefined;
  printResult(result, (colors) => renderResult(result, viewOf(colors)), flags, terminal, { isReport });
  const asked = result.plan.changes.filter(({ apply }) => apply).length;
  const { refused = [] } = result.report ?? {};
  const were = refused.length === 1 ? "was" : "were";
  const again = plan === undefined ? "Run it again: the plan is made anew." : PLAN_REMEDY_STALE;
  failRefused(refused, `${refused.length} of ${plural(asked, "change")} ${were} not made.`, again);
}

/** A mistyped glob looks like a workspace without notes. */
function warnOfGlob({ notes, plan: { options } }: MemoryFilesResult, { stderr }: Terminal): void {
  if (options.notes_glob === undefined || notes.length > 0) return;
  stderr.write(`agent-compact: No note matches ${JSON.stringify(options.notes_glob)} (--notes-glob).\n`);
}

/** A model is asked only where digests were: without them it needs no key. */
function writerOf(config: OpenedMemoryFiles["config"], levers: readonly Lever[]) {
  const { summarizer, redaction } = summaryConfigOf(config);
  return { redaction, ...(levers.includes("digest") ? { summarizer } : {}) };
}

function viewIn({ shown, word }: OpenedMemoryFiles, flags: CompactFlags, colors: Colors): MemoryFilesView {
  const asked = planningFlags(flags).map((flag) => ` ${flag}`);
  return { word, asked: asked.join(""), shown, colors };
}
