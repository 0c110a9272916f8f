// From the command's flags and the configuration to the tools of a server and what they work with.
import { stat } from "node:fs/promises";
import { DEFAULT_ANSWER_TOKENS } from "../../config/file-schema.ts";
import { openObservationStore } from "../../from-config/observations.ts";
import { writeInstructions } from "../../mcp/instructions.ts";
import type { Tool, ToolContext } from "../../mcp/tool.ts";
import { type ToolGroup, toolsOf } from "../../mcp/tool-groups.ts";
import { createTokenCounter, type ModelTokenCounter } from "../../tokens/create-token-counter.ts";
import { withinTime } from "../../trace/hosted/within-time.ts";
import type { CommonFlags } from "../flags.ts";
import { archiveAt, readConfig } from "../open-compactor.ts";
import { databasePath } from "../open-store.ts";
import type { Terminal } from "../terminal.ts";
import { closeTrace, openTrace } from "../trace/open-trace.ts";
import { openDecisionContext } from "./open-decision-context.ts";
import { openMemoryFilesContext } from "./open-memory-files-context.ts";

/** For closing the stores, after the calls have ended; then for events on their way. Clients kill a server after two seconds. */
const STORES_MS = 300;
const TRACE_MS = 1_200;

export interface McpFlags extends CommonFlags {
  readonly db?: string;
  readonly archiveDir?: string;
  readonly decisions?: string;
  readonly workspace?: string;
  readonly http?: number;
  readonly maxTokens?: number;
}

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
  const hasArchive = isNamed || (await isFolder(opened.path));
  const store = openObservationStore({ path: database, create: true });
  const trace = openTrace(config, terminal);
  const decisions = await openDecisionContext(flags.decisions, config, trace, terminal);
  const memoryFiles = await openMemoryFilesContext(flags.workspace, config, terminal);
  let counter: ModelTokenCounter | undefined;
  const groups: readonly ToolGroup[] = [
    "observations",
    ...(hasArchive ? (["archive"] as const) : []),
    ...(decisions === undefined ? [] : (["decisions"] as const)),
    ...(memoryFiles === undefined ? [] : (["memory_files"] as const)),
  ];
  return {
    tools: await toolsOf(groups),
    instructions: writeInstructions(groups),
    warnings: [...warnings, ...(decisions?.notes ?? [])],
    context: {
      store: async () => store,
      archive: async () => opened.archive,
      ...(decisions === undefined ? {} : { decisions: decisions.context }),
      ...(memoryFiles === undefined ? {} : { memoryFiles: memoryFiles.context }),
      now: Date.now,
      count: (text) => {
        counter ??= createTokenCounter({ encoding: "o200k_base" });
        return counter.count(text);
      },
      trace,
      maxTokens: flags.maxTokens ?? config.mcp?.maxTokens ?? DEFAULT_ANSWER_TOKENS,
    },
    close: async () => {
      memoryFiles?.stop();
      await withinTime(Promise.all([store.close(), decisions?.close()]), STORES_MS);
      await closeTrace(trace, TRACE_MS);
    },
  };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
