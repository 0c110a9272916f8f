// The trace events of all parts: those of the conversation as the spec names them, the end of each attempt, and what
// the other parts tell. Flat, serialisable, content-free but for the summary text, which sinks receive redacted.

interface EventBase {
  /** Of a conversation its id; of the other parts where the change belongs. */
  readonly session_id: string;
  /** When it was emitted, after what it tells was on record. ISO 8601 with `Z`. */
  readonly at: string;
  /** The attempt that it belongs to, 32 hex digits: the id of its trace in every viewer. Absent outside an attempt. */
  readonly run_id?: string;
  /** When what it tells began, where that took time; it took `duration_ms` from then. ISO 8601 with `Z`. */
  readonly started_at?: string;
  /** Milliseconds. */
  readonly duration_ms?: number;
}

/** How an attempt ended. Exactly one for each, whatever happened, as the last event of its run. */
export interface RunEvent extends EventBase {
  /** `compact.preflight`: asked for by the trigger; `compact.manual`: by a person or a program, whatever the size. */
  readonly event: "compact.preflight" | "compact.manual";
  readonly run_id: string;
  readonly started_at: string;
  readonly duration_ms: number;
  /** `completed`: the list is another; `skipped`: it is the same; `failed`: an error was thrown; `aborted`: by the caller. */
  readonly outcome: "completed" | "skipped" | "failed" | "aborted";
  /** Of a skip the reason in the report, of a failure the error's code, else the reason of the trigger. */
  readonly reason: string;
  /** The caller's words with a manual compaction. */
  readonly note?: string;
  /** Number of the compaction in its session; absent where none was begun. */
  readonly step?: number;
  /** Of the list as it came. */
  readonly tokens_before?: number;
  /** Only of a completed run. */
  readonly tokens_after?: number;
}

export interface TokenBreakdown {
  readonly system: number;
  readonly developer: number;
  /** Of the tools' schemas. */
  readonly tools_schema: number;
  /** Of all other messages. */
  readonly messages: number;
}

/** What the list takes, at each look. */
export interface TokenEstimateEvent extends EventBase {
  readonly event: "compact.token_estimate";
  /** As configured, or `unnamed`. */
  readonly model: string;
  /** Tokens of the whole request: system, tools and messages. */
  readonly t_est: number;
  /** The model's window, in tokens. */
  readonly max_tokens: number;
  /** `t_est` divided by `max_tokens`. */
  readonly usage_pct: number;
  /** Sums to `t_est`. */
  readonly breakdown: TokenBreakdown;
  /** `reported`: anchored at what the provider reported for the last call, what came later counted. */
  readonly counting: "exact" | "estimated" | "reported";
  readonly duration_ms: number;
}

export interface KeptCounts {
  /** Messages that never leave. */
  readonly pinned: number;
  /** Turns that stay untouched. */
  readonly recent_turns: number;
  /** Tool calls that stay with their results. */
  readonly tool_pairs: number;
}

/** Whether compaction starts, and why. Its times are those of the decision alone; it is told when what stays is known. */
export interface TriggerDecisionEvent extends EventBase {
  readonly event: "compact.trigger_decision";
  readonly triggered: boolean;
  /** `over_trigger_pct`, `over_trigger_tokens`, `over_budget`, `over_request_bytes`, `manual`, `asked_by_host`, `below_trigger`, `waiting_for_growth`, `in_flight`, `disabled`; `nothing_to_compact`, `not_beneficial` where it was due and nothing can come of it. */
  readonly reason: string;
  /** The caller's words with a manual compaction. */
  readonly note?: string;
  /** What was configured: share of the window, tokens kept free, how summaries are written. */
  readonly policy: { readonly trigger_pct: number; readonly hard_cap_buffer: number; readonly strategy: string };
  /** The one set of limits that trigger and fit go by. */
  readonly limits: {
    readonly max_context_tokens: number;
    readonly budget: number;
    readonly trigger_tokens: number;
    readonly target_tokens: number;
  };
  /** Number that the compaction will have in its session. Only when triggered. */
  readonly step?: number;
  /** What will stay. Only when triggered. */
  readonly kept?: KeptCounts;
  /** Messages that will leave. Only when triggered. */
  readonly pruned_count?: number;
}

/** What stays and what leaves was chosen: messages were read, facts found, sizes fitted. */
export interface LayerChoiceEvent extends EventBase {
  readonly event: "compact.layer_choice";
  /** What will stay. */
  readonly kept: KeptCounts;
  /** Messages that will leave. */
  readonly pruned_count: number;
  readonly duration_ms: number;
}

/** A summary was written and stands in the list. Its times are those of the writing. */
export interface SummaryCreatedEvent extends EventBase {
  readonly event: "compact.summary_created";
  /** Number of the compaction in its session. */
  readonly step: number;
  /** N of `<COMPACT-SUMMARY vN>`. */
  readonly version: number;
  /** `task_state`, `decision_log`, `code_delta` or `brief`. */
  readonly strategy: string;
  /** By code, by the model, or by the model and completed by code. */
  readonly source: "extractive" | "model" | "model+ledger";
  /** Messages that it stands for. */
  readonly input_messages: number;
  /** Of the whole summary message. */
  readonly summary_tokens: number;
  /** Summary tokens divided by the tokens it replaces. */
  readonly compression_ratio: number;
  /** JSON-encoded `{summary: string}`; in events.jsonl `{summary_ref: string}`, where its archived record is. */
  readonly payload: string;
  /** Path or key of its archived record; absent where nothing outlives the process. */
  readonly location?: string;
  /** Calls of a model and their tokens; absent when none was asked. */
  readonly usage?: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number };
  /** The model that wrote it, as its provider names it. */
  readonly model?: string;
  /** Whose model: `openai` for every server that speaks its protocol, `anthropic`, what a package calls itself. */
  readonly provider?: string;
  readonly duration_ms: number;
}

/** What gave something in place: one entry for each result that did, one for what was said in a message. */
export interface ShortenedMessage {
  /** 1-based number in the step's transcript. */
  readonly message: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** Of a tool's result: the tool, and the call that it answers. */
  readonly tool?: string;
  readonly call_id?: string;
  /** Images, documents and sounds that became placeholders. */
  readonly attachments_removed?: number;
}

/** The list is shorter, and what left is archived. Its times are those of putting the new list together and on record. */
export interface PrunedMessagesEvent extends EventBase {
  readonly event: "compact.pruned_messages";
  /** Number of the compaction in its session: of its transcript and its summary record, too. */
  readonly step: number;
  /** What stayed. */
  readonly kept: KeptCounts;
  /** How many messages left. */
  readonly pruned_count: number;
  /** 1-based numbers in the step's transcript. */
  readonly pruned: readonly number[];
  /** Messages in each of the three layers of the new list. */
  readonly layers: { readonly pinned: number; readonly summary: number; readonly recent: number };
  /** Of the whole request, by one counter, as `tokens_after`. */
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** Index of the first message that differs from the input: what a prompt cache can no longer use. */
  readonly first_changed: number;
  /** What stayed and is shorter: long tool results, texts larger than the room. */
  readonly shortened: readonly ShortenedMessage[];
  /** What was wrong with the list as it came, and was healed. */
  readonly repairs: readonly { readonly index: number; readonly kind: string }[];
  /** Ids of tool calls that will never be answered. */
  readonly dead_calls: readonly string[];
}

/** Something was saved, and the save is confirmed: a transcript before a message leaves, a summary record after. */
export interface ArchivalEvent extends EventBase {
  readonly event: "compact.archival";
  readonly step: number;
  /** `fs`, `s3` or `memory`. */
  readonly storage_adapter: string;
  readonly what: "transcript" | "summary";
  /** Path or key of what was saved. */
  readonly location: string;
  /** The same, where it is a file. */
  readonly file_path?: string;
  /** The key of the object in its bucket, where it is one. */
  readonly s3_key?: string;
}

/** An archived step that left under the retention policy. Nothing leaves without one. */
export interface ExpiredEvent extends EventBase {
  readonly event: "compact.expired";
  readonly step: number;
  readonly storage_adapter: string;
  /** What the policy went by: older than its age, or the oldest while the archive was above its size. */
  readonly reason: "age" | "size";
  /** Of the files that left. */
  readonly bytes: number;
}

/** Something failed: an attempt, or one call of a model. */
export interface ErrorEvent extends EventBase {
  readonly event: "compact.error";
  readonly status: "error";
  /** Kind of the error; of a failed call its code. */
  readonly error_type: string;
  /** More precise than the kind, where there is one: `MODEL_REJECTED`, `TOO_LONG_ANSWER`. */
  readonly code?: string;
  /** What failed, on what, and what to do; never content. */
  readonly message: string;
  /** Action taken: `none`, `pruning-only`, `extractive`, `kept-original`; for a failed call what is tried next: `retry`, `raise-cap`, `halve-cap`, `brief`, `split-input`. */
  readonly fallback: string;
  /** Only for calls of a model: which one, 1-based. */
  readonly attempt?: number;
  /** Number of the compaction in its session; absent where none was begun. */
  readonly step?: number;
  /** How summaries are written: as configured. */
  readonly strategy?: string;
  /** The model that was to write the summary, where that failed; else the conversation's, as configured. */
  readonly model?: string;
  /** Of a model that was to write. */
  readonly provider?: string;
  /** What was thrown by code that is not ours: its kind and code, and where; what it said may quote content. */
  readonly cause?: string;
  /** Absent where it is the conversation. */
  readonly part?: Part;
}

export type Part = "observations" | "decisions" | "memory_files";

/** What the parts besides the conversation tell: counts and ids, never content. `session_id` is where the change belongs. */
interface PartEvent extends EventBase {
  readonly part: Part;
  /** Rows, decisions or files that it is about, at most 1,000. */
  readonly ids: readonly (number | string)[];
  /** Which counts there are is in OBSERVABILITY.md. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What a compaction would do. */
export interface PartPlanEvent extends PartEvent {
  readonly event: "compact.plan";
}

/** A compaction that is done. */
export interface PartAppliedEvent extends PartEvent {
  readonly event: "compact.applied";
}

/** A compaction that was undone, wholly or in part. */
export interface PartRestoredEvent extends PartEvent {
  readonly event: "compact.restored";
}

/** Something to know. */
export interface WarningEvent extends EventBase {
  readonly event: "compact.warning";
  /** `high`: secrets may leave, something was not archived, or the list does not fit. */
  readonly severity: "low" | "high";
  /** `redaction_disabled`, `not_archived`, `limit_exceeded` (high); `usage_implausible`, `retention_failed`, `state_rebuilt` (low). */
  readonly code: string;
  readonly message: string;
}

export type CompactEvent =
  | RunEvent
  | TokenEstimateEvent
  | TriggerDecisionEvent
  | LayerChoiceEvent
  | SummaryCreatedEvent
  | PrunedMessagesEvent
  | ArchivalEvent
  | ExpiredEvent
  | ErrorEvent
  | WarningEvent
  | PartPlanEvent
  | PartAppliedEvent
  | PartRestoredEvent;
