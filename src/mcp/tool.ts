// The contract of a tool: what a client reads about it, and one function from checked arguments to an answer. Tools
// know nothing of transports; refusing bad arguments and turning errors into answers is call-tool.ts.
import type * as z from "zod";
import type { Archive } from "../archive/archive.ts";
import type { SummarizerConfig } from "../config/summarizer-schema.ts";
import { type Hints, withHints } from "../errors.ts";
import type { ObservationStore } from "../observations/observation-store.ts";
import type { DecisionContext } from "../operations/decisions/context.ts";
import type { Operation } from "../operations/operation.ts";
import type { Redactor, RedactorOptions } from "../redaction/redactor.ts";
import type { Clock } from "../time.ts";
import type { Trace } from "../trace/emit.ts";

export interface ToolContext {
  /** Opens the store at the first call, so that a server without its database still starts. Throws as the store does. */
  readonly store: () => Promise<ObservationStore>;
  readonly archive: () => Promise<Archive>;
  /** Where the server has a decision log. */
  readonly decisions?: DecisionContext;
  /** Where the server has a workspace of memory files. */
  readonly memoryFiles?: MemoryFilesContext;
  /** Tells what is about to be stored that looks like a secret. Default: the built-in rules. */
  readonly redactor?: Redactor;
  readonly now: Clock;
  /** Exact o200k tokens. */
  readonly count: (text: string) => number;
  /** Most tokens of an answer where the call does not say. */
  readonly maxTokens: number;
  readonly trace?: Trace;
}

export interface ToolAnswer {
  /** For a person or a model to read. */
  readonly text: string;
  /** The same as an object of the tool's output schema. */
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface Tool<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodObject = z.ZodObject>
  extends Operation<Params, Result> {
  readonly title: string;
  /** Throws `CompactError`; its message and hint are the answer then, marked as an error. */
  run(params: z.infer<Params>, context: ToolContext): Promise<ToolAnswer>;
}

/** Infers the types of a tool from its schemas, and words what to do about a failure for those who call tools. */
export function defineTool<Params extends z.ZodObject, Result extends z.ZodObject>(
  tool: Tool<Params, Result>,
): Tool<Params, Result> {
  return {
    ...tool,
    async run(params, context) {
      try {
        return await tool.run(params, context);
      } catch (error) {
        throw withHints(error, TOOL_HINTS);
      }
    },
  };
}

export interface MemoryFilesContext {
  /** Absolute path of a folder that is there. Calls may name this one and what is inside it. */
  readonly root: string;
  /** Of the configuration; for the workspace itself and those inside. */
  readonly memoryFile?: string | undefined;
  readonly notesGlob?: string | undefined;
  /** Where a call says no other. */
  readonly maxMemoryKb: number;
  /** What a secret is, in a digest's sources and in the warning that a memory holds some. */
  readonly redaction?: RedactorOptions | undefined;
  /** Writes digests. Default: by code. Looked at only where digests were asked for. */
  readonly writer?: { readonly summarizer?: SummarizerConfig | undefined };
  /** Aborted when the server ends: what is being changed is finished, nothing new is begun. */
  readonly signal?: AbortSignal | undefined;
}

const FIND_IDS = "mem_search and mem_context show the ids that there are.";

/** What to do about a failure: the parts speak of rows and ids, a client has tools and arguments. */
const TOOL_HINTS: Hints = {
  INVALID_ID: "mem_search and mem_context show the ids.",
  OBSERVATION_NOT_FOUND: FIND_IDS,
  UNKNOWN_OBSERVATION: FIND_IDS,
  UNKNOWN_SESSION: "Start it first, or look its id up with mem_context.",
  UNKNOWN_RELATION: "mem_get lists the relations of an observation with their ids.",
  DELETED_OBSERVATION: "mem_restore brings it back; mem_delete with hard_delete: true removes it for good.",
  OBSERVATION_DELETED({ data }) {
    const [latest] = Array.isArray(data.compacted_into) ? data.compacted_into : [];
    const summary = latest === undefined ? "" : `mem_get with id ${latest} shows what stands for it. `;
    return `${summary}Send include_compacted: true to mem_get for the row itself, or mem_restore to bring it back.`;
  },
  RESERVED_RELATION: ({ data }) =>
    data.summary_id === undefined
      ? undefined
      : `To undo that compaction, call mem_restore with summary_id ${data.summary_id}.`,
};
