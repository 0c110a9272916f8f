// From the command's flags and the configuration to the tools of a server and what they work with.
import { type ConfigFile, DEFAULT_ANSWER_TOKENS } from "../../config/file-schema.ts";
import type { DecisionLog } from "../../decisions/decision-log.ts";
import type { TextWriter } from "../../decisions/texts/text-writer.ts";
import { summaryConfigOf } from "../../factories/conversation-config.ts";
import { decisionPoliciesOf, decisionTextWriterOf, openDecisionLog } from "../../factories/decisions.ts";
import { openObservationStore } from "../../factories/observations.ts";
import { defaultCount } from "../../factories/summarizer.ts";
import type { MemoryFilesContext, Tool, ToolContext } from "../../mcp/tool.ts";
import { type ToolGroup, toolsOf, writeInstructions } from "../../mcp/tool-groups.ts";
import { DEFAULT_MAX_MEMORY_KB } from "../../memory-files/options.ts";
import { openRoot } from "../../memory-files/workspace/root.ts";
import type { DecisionContext } from "../../operations/decisions/context.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { kindAt } from "../../storage/files.ts";
import { settledWithin } from "../../timeout.ts";
import type { Trace } from "../../trace/emit.ts";
import { decisionPlace, newLogNote, refuseFile } from "../decisions/open-decisions.ts";
import { findWorkspace } from "../memory-files/open-memory-files.ts";
import { databasePath } from "../observations/open-store.ts";
import { archiveAt, closeTrace, openTrace, readConfig } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import type { McpFlags } from "./program.ts";

/** For closing the stores, after the calls have ended; then for events on their way. Clients kill a server after two seconds. */
const STORES_MS = 300;
const TRACE_MS = 1_200;

export interface OpenedMcp {
  readonly tools: readonly Tool[];
  readonly instructions: string;
  readonly context: ToolContext;
  /** About the configuration, and a decision log that is new, for the log. */
  readonly warnings: readonly string[];
  readonly close: () => Promise<void>;
}

/** Reads the configuration; the database is opened at the first call. Throws `InvalidConfig` and `NotFound`. */
export async function openMcp(flags: McpFlags, terminal: Terminal): Promise<OpenedMcp> {
  const { config, warnings } = await readConfig(flags, terminal);
  const database = databasePath(flags.db ?? config.observations?.db, terminal);
  const opened = archiveAt({ ...flags }, terminal, config.storage);
  const isNamed = (flags.archiveDir ?? config.storage?.path) !== undefined || opened.archive.adapter !== "fs";
  const hasArchive = isNamed || (await kindAt(opened.path)) === "folder";
  const store = openObservationStore({ path: database, create: true });
  const trace = openTrace(config, terminal);
  const decisions = await openDecisionContext(flags.decisions, config, trace, terminal);
  const memoryFiles = await openMemoryFilesContext(flags.workspace, config, terminal);
  let redactor: Redactor | undefined;
  const groups: readonly ToolGroup[] = [
    "observations",
    ...(hasArchive ? (["archive"] as const) : []),
    ...(decisions === undefined ? [] : (["decisions"] as const)),
    ...(memoryFiles === undefined ? [] : (["memory_files"] as const)),
  ];
  return {
    tools: await toolsOf(groups, flags.tools ?? "core"),
    instructions: writeInstructions(groups),
    warnings: [...warnings, ...(decisions?.notes ?? [])],
    context: {
      store: async () => store,
      archive: async () => opened.archive,
      ...(decisions === undefined ? {} : { decisions: decisions.context }),
      ...(memoryFiles === undefined ? {} : { memoryFiles: memoryFiles.context }),
      get redactor() {
        redactor ??= createRedactor(config.redaction);
        return redactor;
      },
      now: Date.now,
      count: defaultCount(),
      trace,
      maxTokens: flags.maxTokens ?? config.mcp?.maxTokens ?? DEFAULT_ANSWER_TOKENS,
    },
    close: async () => {
      memoryFiles?.stop();
      await settledWithin(Promise.all([store.close(), decisions?.close()]), STORES_MS);
      await closeTrace(trace, TRACE_MS);
    },
  };
}

// The decision log of a server: named by the flag or the configuration, or none. Opened at the first call, so that a
// server whose log cannot be opened still starts.

interface OpenedDecisionContext {
  readonly context: DecisionContext;
  /** About a log that is new, for the server's log. */
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
}

/** Undefined where nobody named a log. Throws `InvalidInput` for a file in place of the folder. */
async function openDecisionContext(
  folder: string | undefined,
  config: Awaited<ReturnType<typeof readConfig>>["config"],
  trace: Trace,
  terminal: Terminal,
): Promise<OpenedDecisionContext | undefined> {
  const flags = folder === undefined ? {} : { decisions: folder };
  const place = await decisionPlace(flags, config.decisions, terminal);
  if (!place.isNamed) return undefined;
  await refuseFile(place, terminal);
  const note = await newLogNote(place, terminal);
  const stop = new AbortController();
  let log: DecisionLog | undefined;
  let texts: TextWriter | undefined;
  return {
    context: {
      log: async () => {
        log ??= openDecisionLog({ ...place, create: true });
        return log;
      },
      policies: decisionPoliciesOf(config),
      // A model without its key is an error of the cycle, which alone needs it.
      get texts() {
        texts ??= decisionTextWriterOf(config);
        return texts;
      },
      now: Date.now,
      agent: "",
      trace,
      signal: stop.signal,
    },
    notes: note === undefined ? [] : [note],
    close: async () => {
      // A cycle may wait for a model. What it has written so far is kept.
      stop.abort();
      await log?.close();
    },
  };
}

// The workspace of memory files of a server: named by the flag or the configuration, or none. It must be there when the
// server starts, since a mistyped one would only ever fail.

interface OpenedMemoryFilesContext {
  readonly context: MemoryFilesContext;
  /** What is being changed is finished, nothing new is begun. */
  readonly stop: () => void;
}

/** Undefined where nobody named a workspace. Throws `NotFound` and `InvalidInput` for an invalid one. */
async function openMemoryFilesContext(
  named: string | undefined,
  config: ConfigFile,
  terminal: Terminal,
): Promise<OpenedMemoryFilesContext | undefined> {
  const wanted = named ?? config.memoryFiles?.workspace;
  if (wanted === undefined) return undefined;
  const { root } = await findWorkspace(wanted, terminal);
  await openRoot(root);
  const stop = new AbortController();
  const { memoryFile, notesGlob, maxMemoryKb = DEFAULT_MAX_MEMORY_KB } = config.memoryFiles ?? {};
  return {
    context: {
      root,
      memoryFile,
      notesGlob,
      maxMemoryKb,
      redaction: config.redaction,
      // A model without its key is an error of the call that needs it.
      get writer() {
        return { summarizer: summaryConfigOf(config).summarizer };
      },
      signal: stop.signal,
    },
    stop: () => stop.abort(),
  };
}
