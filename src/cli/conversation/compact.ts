// `agent-compact conversation FILE`: reads, compacts, writes, reports. The order matters: whatever can be refused is
// refused before anything is written.
import type { ManualOptions } from "../../conversation/calls.ts";
import type { ConversationReport, ReportWarning } from "../../conversation/report.ts";
import { CompactError } from "../../errors.ts";
import { figure, plural } from "../../text/figures.ts";
import { withoutUndefined } from "../../text/json-values.ts";
import {
  type ConversationSource,
  type ConvertedSource,
  convertSource,
  nameSession,
  nativeTarget,
  readConversationSource,
  requestOf,
} from "../files/conversation-source.ts";
import {
  checkOutput,
  chooseOutput,
  isThere,
  type OutputPlace,
  reportWritten,
  shownPath,
  writeOutput,
} from "../files/output.ts";
import { spliceMessages } from "../files/write-conversation.ts";
import { refuseTwoOutputs, shellWord } from "../flags.ts";
import { endingWith, type OpenedCompactor, openCompactor } from "../open-compactor.ts";
import type { ConversationFlags } from "../program.ts";
import { createProgress, printResult } from "../report.ts";
import type { Terminal } from "../terminal.ts";
import { renderPlan, renderReport } from "./compact-view.ts";
import { compareLists } from "./diff.ts";

export async function compactConversation(file: string, flags: ConversationFlags, terminal: Terminal): Promise<void> {
  refuseTwoOutputs(flags);
  const progress = createProgress(terminal, flags);
  const found = await readConversationSource(file, flags.format, terminal, progress);
  const source = convertSource(found, flags.to ?? nativeTarget(found));
  const place = chooseOutput({
    cwd: terminal.cwd,
    out: flags.out,
    input: source.path,
    extension: source.layout?.kind === "lines" ? ".jsonl" : ".json",
  });
  const opened = await openCompactor(flags, terminal, { isReadOnly: flags.dryRun === true });
  if (flags.dryRun !== true) await checkOutput(place, { kept: source.path, closed: opened.path });
  const sessionId = flags.sessionId ?? (await nameSession(found, opened.archive));
  const { targetTokens, ifNeeded = false, strict: isStrict = false } = flags;
  const options = { ...requestOf(source), ...withoutUndefined({ targetTokens }), ifNeeded, isStrict };
  const task: Task = { source, sessionId, options, opened, place };
  progress.step(`Compacting ${figure(source.messages.length)} messages of ${source.readAs}`);
  const work = flags.dryRun === true ? printPlan : compactAndWrite;
  return endingWith(
    () => opened.compactor.close(),
    terminal,
    () => work(task, flags, terminal),
  );
}

interface Task {
  readonly source: ConvertedSource;
  readonly sessionId: string;
  readonly options: ManualOptions;
  readonly opened: OpenedCompactor;
  readonly place: OutputPlace;
}

async function printPlan(
  { source, sessionId, options, opened }: Task,
  flags: ConversationFlags,
  terminal: Terminal,
): Promise<void> {
  const plan = await opened.compactor.plan(sessionId, source.messages, options);
  printResult(plan, (colors) => renderPlan(plan, colors), flags, terminal);
}

async function compactAndWrite(task: Task, flags: ConversationFlags, terminal: Terminal): Promise<void> {
  const { source, sessionId, options, opened, place } = task;
  const { compactor } = opened;
  const result = await compactor.compact(sessionId, source.messages, options);
  if (terminal.signal?.aborted === true)
    throw new CompactError("Conflict", "Stopped before the result was written.", {
      code: "STOPPED",
      hint: "The input is as it was.",
    });
  const messages = result.report.status === "skipped" ? source.messages : result.messages;
  const isSame = messages === source.messages && source.layout !== undefined;
  const whole = `${source.hasMark ? "\ufeff" : ""}${source.text}`;
  const content = isSame ? whole : spliceMessages({ ...source, before: source.messages, after: messages });
  const isReplaced = await isThere(place);
  await writeOutput(place, content, terminal, source.mode);
  const notes = [...unwrittenRepairs(result.report), ...opened.warnings, ...notesOf(source), ...lossesOf(source)];
  const report = { ...result.report, warnings: [...result.report.warnings, ...notes] };
  const { fates } = compareLists(source.messages, messages, source.format);
  const hasLeft = report.archive.transcript !== null && report.status !== "skipped";
  const facts = {
    report,
    label: source.label,
    readAs: source.readAs,
    messagesBefore: source.messages.length,
    messagesAfter: messages.length,
    shortened: fates.filter((fate) => fate === "shortened").length,
    writtenTo: place.kind === "file" ? `${place.shown}${isReplaced ? " (replaced)" : ""}` : undefined,
    archivePath: opened.place === opened.path ? shownPath(opened.path, terminal.cwd) : opened.place,
    commands: hasLeft ? await commandsBack(task, report.session_id, fates.indexOf("left")) : [],
  };
  if (flags.json === true || flags.quiet === true) tellLosses(report, terminal);
  reportWritten(place, report, (colors, stream) => renderReport(facts, stream, colors), flags, terminal);
}

/** A skipped compaction gives the input back as it is, faults included. */
function unwrittenRepairs({ status, repairs }: ConversationReport): readonly ReportWarning[] {
  if (status !== "skipped" || repairs.length === 0) return [];
  const message = `The list is as it was: ${plural(repairs.length, "fault")} in it, for which its provider would refuse it, ${repairs.length === 1 ? "was" : "were"} left alone.`;
  return [{ code: "repairs_not_written", message }];
}

function notesOf({ notes }: ConversationSource): readonly ReportWarning[] {
  return notes.map(({ message }) => ({ code: "reader_notes", message: `Reading the session: ${message}.` }));
}

function lossesOf({ losses }: ConvertedSource): readonly ReportWarning[] {
  return losses.map(({ message }) => ({ code: "conversion_notes", message: `Converting: ${message}.` }));
}

/** Also where nobody asked for a report: what is lost is lost for good. */
function tellLosses({ warnings }: ConversationReport, { stderr }: Terminal): void {
  for (const { code, message } of warnings) if (code === "not_archived") stderr.write(`warning: ${message}\n`);
}

async function commandsBack({ source, opened }: Task, sessionId: string, firstLeft: number) {
  const step = (await opened.archive.steps(sessionId)).at(-1)?.step ?? 1;
  const where = `--session-id ${shellWord(sessionId)}${opened.flag}`;
  const number = firstLeft < 0 ? 1 : firstLeft + 1;
  return [
    { command: `agent-compact archive search "WORDS" ${where}`, purpose: "find by words" },
    { command: `agent-compact archive expand ${step}.${number} ${where}`, purpose: `message ${number}` },
    {
      command: `agent-compact archive restore ${where} --out ${shellWord(`${source.name}.restored.json`)}`,
      purpose: "whole history",
    },
  ];
}
