// `agent-compact session compact`: writes a session of the same host that its own command goes on from, under a new id,
// beside the old one, which is not touched.
import { cp, lstat, mkdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Archive } from "../../archive/archive.ts";
import type { ModelChoice } from "../../conversation/calls.ts";
import { SUMMARY_PREFIX } from "../../conversation/summary-frame.ts";
import { CompactError } from "../../errors.ts";
import { isOnS3 } from "../../factories/archive.ts";
import { WRITERS } from "../../factories/readers.ts";
import type { MessagePart } from "../../providers/format.ts";
import type { CompactedSession, SessionWriter } from "../../session-files/session-writer.ts";
import { errorCode, fileFailure, kindAt, writeFileAtomic, writeFileExclusive } from "../../storage/files.ts";
import { figure, plural } from "../../text/figures.ts";
import { headTail } from "../../text/quote.ts";
import { isoTime } from "../../time.ts";
import { resolveModel } from "../../tokens/models.ts";
import { compareLists } from "../conversation/diff.ts";
import { type ConversationSource, nameSession, requestOf, withArticle } from "../files/conversation-source.ts";
import { shownPath } from "../files/output.ts";
import { badInput, refuseTwoOutputs, shellWord } from "../flags.ts";
import { endingWith, openCompactor } from "../open-compactor.ts";
import { percent, renderBars } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { sizeOf, turnStarts } from "./measure.ts";
import {
  changedAt,
  type HostSession,
  idIn,
  locateSession,
  placeOf,
  projectHashOf,
  projectOf,
  readerNamed,
  readSession,
} from "./places.ts";
import type { SessionCompactFlags } from "./program.ts";
import { keepRecord, ownFolder } from "./records.ts";
import { archivedElsewhere, elsewhere, findRunning, otherProject, resumeCommand } from "./resume.ts";

interface SessionReport {
  readonly host: string;
  readonly source: string;
  /** Null where nothing was written: a dry run, or a session that has nothing to give. */
  readonly result: string | null;
  /** The command that goes on with it. */
  readonly resume: string | null;
  /** Of what the host sends, before and after. */
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** Of the session that is compacted: more than `tokens_before` where its host has compacted it. */
  readonly tokens_in_file: number;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

type Warnings = SessionReport["warnings"];
/** What leaves, and what is left. */
type Left = Pick<CompactedSession, "kept" | "results"> & {
  /** Absent where every message stays. */
  readonly summaryText?: string;
  readonly messages: readonly unknown[];
  /** The folder of what left; absent where that is none on this machine. */
  readonly archive?: string;
  readonly warnings: Warnings;
};

export async function compactSession(
  session: string | undefined,
  flags: SessionCompactFlags,
  terminal: Terminal,
): Promise<void> {
  refuseTwoOutputs(flags);
  if (flags.out === "-" || (flags.out !== undefined && flags.inPlace === true))
    throw badInput("TWO_PLACES", "A session goes into one file.", "Give --out with a name, or --in-place, or neither.");
  if ((session === undefined) === (flags.last === undefined))
    throw badInput("NO_SESSION", "Name one session, by its id or its file, or give --last.", "See `session list`.");
  const progress = createProgress(terminal, flags);
  const found = await locateSession({ session, host: flags.host }, terminal);
  if (flags.inPlace === true) await refuseInPlace(found);
  progress.step(`Reading ${found.id}`);
  const source = await readSession(found, terminal);
  const writer = writerOf(source);
  progress.step(`Compacting ${figure(source.messages.length)} messages of ${source.readAs}`);
  const left =
    flags.stripOnly === true ? stripResults(source, writer, flags) : await summarize(source, flags, terminal);
  const before = sizeOf(source);
  // Our summary stands for what the host's own stood for.
  const compactions = left.summaryText === undefined ? (source.compactions ?? []) : [];
  const after = sizeOf({ ...source, messages: left.messages, compactions });
  const isSmaller = after.inFile < before.inFile && (left.summaryText !== undefined || left.results.size > 0);
  const tokens = isSmaller ? after.sent : before.sent;
  const report = {
    host: source.readAs,
    source: placeOf(found),
    tokens_before: before.sent,
    tokens_after: tokens,
    tokens_in_file: before.inFile,
    warnings: [...notesOf(source, flags), ...left.warnings, ...missed(flags.targetTokens, tokens)],
  };
  const written =
    isSmaller && flags.dryRun !== true
      ? await write({ source, found, writer, left, tokensBefore: before.sent }, flags, terminal)
      : { result: null, resume: null, warnings: [] };
  const warnings = [...written.warnings, ...report.warnings];
  const done = { ...report, ...written, warnings };
  if (flags.quiet !== true || flags.json === true)
    printResult(done, (colors) => render(done, isSmaller, flags, terminal.cwd, colors), flags, terminal);
  else if (done.result !== null) terminal.stdout.write(`${done.result}\n`);
}

function writerOf({ readAs, label }: ConversationSource): SessionWriter {
  const writer = WRITERS.get(readAs);
  if (writer !== undefined) return writer;
  const title = readerNamed(readAs)?.title;
  throw badInput(
    "NO_WRITER",
    `${label} is ${title === undefined ? "no session of a host" : withArticle(title)}, which cannot be gone on from a file of ours.`,
    "`agent-compact conversation` makes a smaller list of its messages.",
  );
}

/** Turns leave, newest last; what they said is told by a summary, and the archive has them. */
async function summarize(source: ConversationSource, flags: SessionCompactFlags, terminal: Terminal): Promise<Left> {
  const opened = await openCompactor(flags, terminal, {
    isReadOnly: flags.dryRun === true,
    ...(flags.dryRun === true ? { archive: onlyRead } : {}),
    policy: { rolesNeverPrune: ["system", "developer"] },
  });
  const { compactor, archive } = opened;
  const sessionId = flags.sessionId ?? (await nameSession(source, archive));
  const { format, messages } = source;
  const { messages: after, report } = await endingWith(
    () => compactor.close(),
    terminal,
    () =>
      compactor.compact(sessionId, messages, {
        ...requestOf(source),
        ...(flags.targetTokens === undefined ? {} : { targetTokens: flags.targetTokens }),
        ...modelOf(source),
      }),
  );
  const { fates } = compareLists(messages, after, format);
  const staying = fates.flatMap((fate, index) => (fate === "kept" || fate === "shortened" ? [index] : []));
  const text = after
    .map((message) => format.summaryText(message))
    .findLast((found) => found?.startsWith(SUMMARY_PREFIX));
  const known = new Set(messages);
  return {
    ...(text === undefined ? {} : { summaryText: text }),
    kept: new Set(text === undefined ? messages.keys() : staying),
    results: new Map(after.filter((message) => !known.has(message)).flatMap((message) => resultsOf(source, message))),
    messages: after,
    ...(isOnS3(opened.storage) ? {} : { archive: opened.path }),
    warnings: report.warnings,
  };
}

/** What is written to it is gone: a trial run looks at what would come out. */
function onlyRead(archive: Archive): Archive {
  return {
    ...archive,
    saveTranscript: async () => "",
    saveSummary: async () => "",
    writeState: async () => undefined,
  };
}

/** A model whose window nobody knows is not named: the configured one stands for it. */
function modelOf({ model, window }: ConversationSource): ModelChoice {
  const maxContextTokens = window ?? resolveModel(model).window;
  return model === undefined || maxContextTokens === undefined ? {} : { model, maxContextTokens };
}

function resultsOf({ format }: ConversationSource, message: unknown): readonly (readonly [string, string])[] {
  return format
    .view(message)
    .parts.flatMap((part) => (part.kind === "result" ? [[part.callId, part.text] as const] : []));
}

/** Characters of a result that stay where only results give. */
const STRIPPED = { head: 300, tail: 150 };

/** Every word that was said stays; results before the last turns are shortened, pictures in them left out. */
function stripResults(
  source: ConversationSource,
  { forgets }: SessionWriter,
  { keepRecentTurns = 2 }: SessionCompactFlags,
): Left {
  const { format, messages } = source;
  const views = messages.map((message) => format.view(message));
  const recent = keepRecentTurns === 0 ? messages.length : (turnStarts(source).at(-keepRecentTurns) ?? 0);
  const results = new Map<string, string>();
  const shorter = messages.map((message, index) => {
    if (index >= recent) return message;
    for (const part of views[index]?.parts ?? []) if (part.kind === "result") addStripped(part, source, results);
    return format.mapResults(message, (text, callId) => results.get(callId) ?? text);
  });
  const start = forgets === true ? (source.compactions?.at(-1)?.start ?? 0) : 0;
  const kept = new Set([...messages.keys()].filter((index) => index >= start));
  return { kept, results, messages: shorter, warnings: [] };
}

function addStripped(
  { callId, text, images }: MessagePart & { readonly kind: "result" },
  { label }: ConversationSource,
  results: Map<string, string>,
): void {
  const { head, tail, omitted } = headTail(text, STRIPPED.head, STRIPPED.tail);
  const pictures = images > 0 ? `, ${plural(images, "picture")}` : "";
  if (omitted < 200 && images === 0) return;
  results.set(
    callId,
    `${head}\n[${figure(omitted)} characters${pictures} left out; whole in ${basename(label)}]\n${tail}`,
  );
}

function notesOf({ notes }: ConversationSource, { stripOnly }: SessionCompactFlags): Warnings {
  const told = notes.filter(({ code }) => stripOnly !== true || code !== "host_compactions");
  return told.map(({ message }) => ({ code: "reader_notes", message: `Reading the session: ${message}.` }));
}

function missed(target: number | undefined, tokens: number): Warnings {
  if (target === undefined || tokens <= target) return [];
  const message = `Target ${figure(target)} tokens, got ${figure(tokens)}: what stays is larger.`;
  return [{ code: "target_not_reached", message }];
}

interface Writing {
  readonly source: ConversationSource;
  readonly found: HostSession;
  readonly writer: SessionWriter;
  readonly left: Left;
  readonly tokensBefore: number;
}

async function write(
  { source, found, writer, left, tokensBefore }: Writing,
  flags: SessionCompactFlags,
  terminal: Terminal,
): Promise<Pick<SessionReport, "result" | "resume" | "warnings">> {
  const now = isoTime(Date.now());
  const isInPlace = flags.inPlace === true;
  const id = isInPlace && source.sessionId !== undefined ? source.sessionId : writer.newId(source.sessionId);
  const summary = left.summaryText === undefined ? {} : { summary: { text: left.summaryText, tokensBefore } };
  const text = writer.write(source.parsed ?? "", { id, now, ...left, ...summary });
  checkReadable(text, source, left);
  const { path, bytes } = found;
  const project = await otherProject(found, terminal);
  const folder = bytes === undefined ? ownFolder(terminal) : dirname(path);
  const place = isInPlace ? path : resolve(terminal.cwd, flags.out ?? join(folder, writer.fileName({ id, now })));
  if (isInPlace) await refuseRunning(found, writer);
  if ((await changedAt(found)) !== found.changedAt)
    throw new CompactError("Conflict", `${placeOf(found)} was written to meanwhile.`, {
      code: "SESSION_IN_USE",
      hint: "End the host's run of this session and try again.",
    });
  if (isInPlace) {
    await keepRecord({ kind: "in-place", path, text, before: await readFile(path) }, terminal);
    await writeFileAtomic(place, text, { mode: source.mode ?? 0o600 });
  } else {
    const folders = flags.out === undefined && bytes !== undefined ? await copyFolders(path, place) : [];
    if (bytes === undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileExclusive(place, text, { mode: source.mode ?? 0o600 }).catch(async (error: unknown) => {
      for (const copy of folders) await rm(copy, { recursive: true, force: true });
      if (errorCode(error) === "EEXIST")
        throw badInput("OUTPUT_EXISTS", `${place} is there already.`, "Choose another name for --out.");
      throw fileFailure("StoreFailed", "write the session", place, error);
    });
    const back = resumeCommand(writer.resume(found.id, path).slice(-1), project);
    await keepRecord({ kind: "copy", path: place, text, folders, source: found.id, back }, terminal);
  }
  const words = writer.resume(id, place);
  const lost = elsewhere({ host: source.readAs, place, file: writer.fileName({ id, now }), words }, terminal);
  return {
    result: place,
    resume: resumeCommand(words, project),
    warnings: [...lost, ...archivedElsewhere(left.archive, project)],
  };
}

/** Nothing but a file of one's own, which no host has at hand, is replaced. */
async function refuseInPlace({ path, bytes }: HostSession): Promise<void> {
  const isFile = bytes !== undefined && (await lstat(path)).isFile();
  if (!isFile)
    throw badInput(
      "NOT_IN_PLACE",
      `${path} is ${bytes === undefined ? "a database" : "a link to another file"}, which is not replaced.`,
      "Leave --in-place out: a copy is written.",
    );
}

async function refuseRunning(found: HostSession, writer: SessionWriter): Promise<void> {
  const [[command = ""] = [], takesIn] = writer.resume(found.id, found.path);
  // A host that takes a file in does not look at it again.
  const project = (await projectOf(found)) ?? (await projectHashOf(found));
  const pid = takesIn === undefined ? await findRunning(command, project) : undefined;
  if (pid === undefined) return;
  throw new CompactError("Conflict", `${command} is at work in this session's folder (process ${pid}).`, {
    code: "SESSION_IN_USE",
    hint: "End it first, or leave --in-place out: a copy is written.",
  });
}

/**
 * What the host keeps in folders of the session's name: beside it sub-agents and long outputs; Claude Code, in the folder
 * above, also the files as they were before it changed them, and tasks. Gives the copies.
 */
async function copyFolders(from: string, to: string): Promise<readonly string[]> {
  const nameOfLines = (path: string) => (path.endsWith(".jsonl") ? basename(path, ".jsonl") : undefined);
  const [source, copy] = [nameOfLines(from), nameOfLines(to)];
  if (source === undefined || copy === undefined) return [];
  const above = dirname(dirname(dirname(from)));
  const copies: string[] = [];
  for (const folder of [dirname(from), join(above, "file-history"), join(above, "tasks")]) {
    if ((await kindAt(join(folder, source))) !== "folder") continue;
    copies.push(join(folder, copy));
    await cp(join(folder, source), join(folder, copy), { recursive: true }).catch(async (error: unknown) => {
      for (const each of copies) await rm(each, { recursive: true, force: true });
      throw fileFailure("StoreFailed", "copy what belongs to the session", join(folder, source), error);
    });
  }
  return copies;
}

/** Read back before anything is written: a file without a call that should be there would be worse than none. */
function checkReadable(text: string, source: ConversationSource, { summaryText, kept }: Left): void {
  const { format, messages, readAs } = source;
  const read = readerNamed(readAs)?.read(text).messages ?? [];
  const calls = (list: readonly unknown[]) =>
    list.flatMap((message) => format.view(message).parts.flatMap((part) => ("callId" in part ? [part.callId] : [])));
  // A host's message may hold more than one of ours: what stands with the first that stays, stays too.
  const there = new Set(calls(read));
  const isWhole = calls(messages.filter((_, index) => kept.has(index))).every((id) => there.has(id));
  const isTold =
    summaryText === undefined || read.some((message) => JSON.stringify(message).includes(jsonOf(summaryText)));
  if (isWhole && isTold) return;
  throw new CompactError("InvalidInput", "The session that would be written does not read back as it should.", {
    code: "UNKNOWN_SESSION",
    hint: "Nothing was changed. Report this with the host's version.",
  });
}

function jsonOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function render(
  report: SessionReport,
  isSmaller: boolean,
  flags: SessionCompactFlags,
  cwd: string,
  colors: Colors,
): string {
  const { tokens_before: before, tokens_after: after, tokens_in_file: inFile } = report;
  const lines = [
    `${report.host}: ${shownPath(report.source, cwd)}`,
    "",
    ...renderBars(before, after, 60, colors),
    ...(inFile > before
      ? [`  ${figure(inFile)} tokens are in the file: of the others the host sends its own summary.`]
      : []),
    "",
    ...outcomeOf(report, isSmaller, flags),
    ...report.warnings.map(({ message }) => `  ${message}`),
  ];
  return `${lines.join("\n")}\n`;
}

function outcomeOf(
  { result, resume, tokens_before: before, tokens_after: after }: SessionReport,
  isSmaller: boolean,
  { inPlace, out }: SessionCompactFlags,
): readonly string[] {
  if (!isSmaller) return ["There is nothing that could leave. Nothing was written."];
  const share = after < before ? `${percent(1 - after / before)} smaller` : undefined;
  if (result === null)
    return [`It would be ${share ?? "no smaller than what the host sends now"}. Nothing was written.`];
  const old = inPlace === true ? "What stood there is kept" : "The old session is as it was";
  const name = out === undefined && result.endsWith(".jsonl") ? idIn(result) : result;
  return [
    `${share ?? "No smaller than what the host sends now"}. ${old}; go on with the new one:`,
    `  ${resume}`,
    "or take it back:",
    `  agent-compact session undo ${shellWord(name)}`,
    "",
  ];
}
