// Configuration file, environment and flags to a compactor, its archive and its trace. Flags win over the environment, which
// wins over the file, in which what stands for the model wins over the rest.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Archive } from "../archive/archive.ts";
import { apiKeyVariables, readApiKey } from "../config/api-key.ts";
import type { ModelOverrides } from "../config/conversation-schema.ts";
import type { ConfigFile } from "../config/file-schema.ts";
import { layOver, resolveForModel, unknownModel } from "../config/limits.ts";
import { type LoadedConfig, loadConfig, refuseLimits } from "../config/load-config.ts";
import type { ConversationPolicy } from "../conversation/policy.ts";
import type { ReportWarning } from "../conversation/report.ts";
import { CompactManager } from "../conversation.ts";
import { CompactError } from "../errors.ts";
import { archiveOf, archivePlace, DEFAULT_ARCHIVE_PATH, isOnS3, type StorageConfig } from "../factories/archive.ts";
import { conversationConfigOf } from "../factories/conversation-config.ts";
import { partTraceOf } from "../factories/trace.ts";
import type { RedactorOptions } from "../redaction/redactor.ts";
import { errorCode, kindAt } from "../storage/files.ts";
import { figure } from "../text/figures.ts";
import { settledWithin } from "../timeout.ts";
import { DEFAULT_WINDOW, isKnownModel } from "../tokens/models.ts";
import type { Trace } from "../trace/emit.ts";
import { badInput, type CommonFlags, shellWord } from "./flags.ts";
import { LONGEST_END_MS, type Terminal } from "./terminal.ts";

export interface ArchiveFlags extends CommonFlags {
  readonly archiveDir?: string;
  readonly sessionId?: string;
}

export interface CompactorFlags extends ArchiveFlags {
  readonly model?: string;
  readonly maxContextTokens?: number;
  readonly strategy?: ConversationPolicy["strategy"];
  readonly keepRecentTurns?: number;
  readonly keepToolIoPairs?: number;
}

export interface OpenedArchive {
  readonly archive: Archive;
  /** Of the files here, absolute: all of the archive, or only events.jsonl. */
  readonly path: string;
  /** What a person reads: the folder, or `s3://bucket/prefix`. */
  readonly place: string;
  /** As the configuration has it, a flag laid over it. */
  readonly storage: StorageConfig;
  /** The flag that finds it again, with a space before it; empty for the default place. */
  readonly flag: string;
}

export interface OpenedCompactor extends OpenedArchive {
  readonly compactor: CompactManager;
  readonly model: string | undefined;
  readonly redaction: RedactorOptions | undefined;
  /** What a report must say about the set-up. */
  readonly warnings: readonly ReportWarning[];
}

interface OpenOptions {
  readonly isReadOnly: boolean;
  /** Laid over all that is configured: what the command's own work needs. */
  readonly policy?: ModelOverrides["policy"];
  /** What stands for the archive in a run that writes nothing. */
  readonly archive?: (found: Archive) => Archive;
}

/** With `isReadOnly` the compactor writes nothing, not even events. Throws `InvalidConfig`. */
export async function openCompactor(
  flags: CompactorFlags,
  terminal: Terminal,
  { isReadOnly, policy = {}, archive = (found) => found }: OpenOptions,
): Promise<OpenedCompactor> {
  const loaded = await readConfig(flags, terminal);
  const { config: file } = loaded;
  const opened = archiveAt(flags, terminal, file.storage);
  await refuseFile(opened.path);
  const configured = layOver(layOver(file, limitsOfFlags(flags)), { policy });
  const resolved = resolveForModel(configured, flags.model ?? file.model);
  const { model, maxContextTokens } = resolved;
  if (flags.model !== undefined && maxContextTokens === undefined && !isKnownModel(flags.model))
    throw unknownModel(
      flags.model,
      `Give its window with --max-context-tokens N, or leave --model out to count with o200k_base and a window of ${figure(DEFAULT_WINDOW)}.`,
    );
  const byFlags = [
    ...(flags.maxContextTokens === undefined ? [] : ["max_context_tokens"]),
    ...(flags.model === undefined ? [] : ["model"]),
  ];
  refuseLimits(configured, flags.model, { sources: loaded.sources, byFlags });
  const { summarizer, ...rest } = resolved;
  const asked = {
    ...rest,
    ...(canAsk(summarizer, isReadOnly) ? { summarizer } : {}),
    storage: opened.storage,
  } as ConfigFile;
  const base = conversationConfigOf(asked, (line) => void terminal.stderr.write(`${line}\n`), terminal.env);
  const config = isReadOnly ? { ...base, archive: archive(opened.archive) } : base;
  const warnings = [
    ...loaded.warnings.map(misspeltVariable),
    ...(model === undefined ? [noModel(maxContextTokens)] : []),
  ];
  return { ...opened, compactor: new CompactManager(config), model, redaction: base.redaction, warnings };
}

/** A look that writes nothing asks no model, so it needs no key. */
function canAsk(summarizer: ConfigFile["summarizer"], isReadOnly: boolean): boolean {
  const { type, baseUrl } = summarizer ?? {};
  if (type === undefined || type === "extractive") return false;
  return !isReadOnly || apiKeyVariables({ type, baseUrl }).length < 2 || readApiKey({ type, baseUrl }) !== undefined;
}

export async function openArchive(flags: ArchiveFlags, terminal: Terminal): Promise<OpenedArchive> {
  const { config } = await readConfig(flags, terminal);
  const opened = archiveAt(flags, terminal, config.storage);
  if (isOnS3(opened.storage)) return opened;
  await refuseFile(opened.path);
  if ((await kindAt(opened.path)) === "folder") return opened;
  throw new CompactError("NotFound", `There is no archive at ${opened.path}.`, {
    code: "ARCHIVE_NOT_FOUND",
    hint: "Name its folder with --archive-dir, or run this where the conversation was compacted.",
  });
}

/** A file where the archive's folder is due, or one on the way to it. */
async function refuseFile(path: string): Promise<void> {
  const found = await stat(path).catch(errorCode);
  const isFile = typeof found === "object" ? !found.isDirectory() : found === "ENOTDIR";
  if (isFile)
    throw badInput(
      "NOT_A_DIRECTORY",
      `The archive cannot be at ${path}: a file is in its place.`,
      "Name a folder with --archive-dir; it is made when it does not exist.",
    );
}

/** The file given by --config or found from the working directory upward, and the environment. */
export function readConfig({ config }: CommonFlags, { cwd, env }: Terminal): Promise<LoadedConfig> {
  return loadConfig({ env, cwd, ...(config === undefined ? {} : { file: config }) });
}

/** A folder named by flag is one on disk, whatever the configuration says. */
export function archiveAt(
  { archiveDir, config }: Pick<ArchiveFlags, "archiveDir" | "config">,
  { cwd }: Pick<Terminal, "cwd">,
  configured: StorageConfig = {},
): OpenedArchive {
  const named = archiveDir ?? configured.path;
  const path = resolve(cwd, named ?? DEFAULT_ARCHIVE_PATH);
  const storage = { ...(archiveDir === undefined ? configured : onDisk(configured)), path };
  const opened = { archive: archiveOf(storage), path, place: archivePlace(storage), storage };
  if (isOnS3(storage)) return { ...opened, flag: config === undefined ? "" : ` --config ${shellWord(config)}` };
  const isDefault = path === resolve(cwd, DEFAULT_ARCHIVE_PATH);
  return { ...opened, flag: isDefault && !isOnS3(configured) ? "" : ` --archive-dir ${shellWord(named ?? path)}` };
}

/** Without what only a bucket has. */
function onDisk({ bucket: _, kmsKeyId: _key, ...storage }: StorageConfig): StorageConfig {
  return { ...storage, adapter: "fs" };
}

function limitsOfFlags(flags: CompactorFlags): ModelOverrides {
  const { maxContextTokens, strategy, keepRecentTurns, keepToolIoPairs } = flags;
  return {
    maxContextTokens,
    policy: { strategy, keepRecentTurns, keepToolIoPairs },
  };
}

function misspeltVariable(message: string): ReportWarning {
  return { code: "unread_variable", message };
}

function noModel(window: number | undefined): ReportWarning {
  const size = figure(window ?? DEFAULT_WINDOW);
  return {
    code: "no_model",
    message: `No model was named: tokens are counted with o200k_base, the window is ${size} tokens.`,
  };
}

// The trace of a command: made from its configuration, and ended with the command, however that ends. A viewer that does
// not answer holds up nobody for more than two seconds.

/** For a part besides the conversation. Throws `InvalidConfig`. */
export function openTrace(config: ConfigFile, terminal: Terminal): Trace {
  const { storage } = archiveAt({}, terminal, config.storage);
  const write = (line: string) => void terminal.stderr.write(`${line}\n`);
  return partTraceOf({ ...config, storage }, { write, environment: terminal.env });
}

/** Within two seconds, whatever a disk or a viewer does. */
export async function closeTrace(trace: Trace, milliseconds = LONGEST_END_MS): Promise<void> {
  await settledWithin(trace.shutdown(), milliseconds);
}

/** As `openTrace`, for the time of `work`. */
export function withTrace<T>(config: ConfigFile, terminal: Terminal, work: (trace: Trace) => Promise<T>): Promise<T> {
  const trace = openTrace(config, terminal);
  return endingWith(
    () => closeTrace(trace),
    terminal,
    () => work(trace),
  );
}

/** Calls `close` when the work is over, and when a signal, or a reader that left, ends the process before. */
export async function endingWith<T>(
  close: () => Promise<void>,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  const forget = terminal.beforeExit?.(close);
  try {
    return await work();
  } finally {
    await close();
    forget?.();
  }
}
