// What a decision log, its policies and its texts are made of when nobody says otherwise. Adding an implementation is one
// line here.
import { apiKeyFor } from "../config/api-key.ts";
import type { ConfigFile } from "../config/file-schema.ts";
import { type SummarizerConfig, summarizerKind } from "../config/summarizer-schema.ts";
import { createCstpYamlDecisionLog } from "../decisions/cstp-yaml-decision-log.ts";
import type { DecisionLog } from "../decisions/decision-log.ts";
import { decisionPolicies, type Policies, type PolicyChanges } from "../decisions/levels.ts";
import { createSqliteDecisionLog } from "../decisions/sqlite-decision-log.ts";
import { TEXT_STRATEGY } from "../decisions/texts/extractive-texts.ts";
import { createTextWriter, type TextWriter } from "../decisions/texts/text-writer.ts";
import { lazy } from "../lazy.ts";
import type { RedactorOptions } from "../redaction/redactor.ts";
import { checkRedactorOptions } from "../redaction/user-patterns.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { summaryConfigOf } from "./conversation-config.ts";

/** A folder of CSTP records (`decisions/YYYY/MM/DATE-decision-ID.yaml`), or a SQLite file. */
export type DecisionLogPlace = { readonly dir: string } | { readonly db: string };

/** `create` makes the folder or file where none is; otherwise that is NotFound. */
export type DecisionLogOptions = DecisionLogPlace & { readonly create?: boolean | undefined };

/** A decision log, opened at its first use: a place that cannot be opened is an error of that use. Node only. */
export function openDecisionLog({ create = false, ...place }: DecisionLogOptions): DecisionLog {
  return "dir" in place
    ? createCstpYamlDecisionLog({ path: place.dir, create })
    : createSqliteDecisionLog({ path: place.db, create });
}

type WrittenPolicy = NonNullable<NonNullable<ConfigFile["decisions"]>["policies"]>[string];

/** The policies of a configuration, in the order in which they are asked. Throws `InvalidConfig`. */
export function decisionPoliciesOf({ decisions = {} }: Pick<ConfigFile, "decisions">): Policies {
  const { policy = {}, policies = {} } = decisions;
  return decisionPolicies(
    changesOf(policy),
    Object.entries(policies).map(([name, written]): PolicyChanges => ({ name, ...changesOf(written) })),
  );
}

export interface DecisionTextOptions {
  /** As for `CompactManager`. Default: by code, no model. */
  readonly summarizer?: SummarizerConfig | undefined;
  /** Of what a model is sent. */
  readonly redaction?: RedactorOptions | undefined;
  /** Name under which its texts are kept. */
  readonly model?: string | undefined;
}

/** Writes the texts of a cycle: what `compactDecisions` and `applyDecisionCompaction` take as `texts`. Throws `InvalidConfig`. */
export function createDecisionTextWriter({ summarizer, redaction, model }: DecisionTextOptions = {}): TextWriter {
  checkRedactorOptions(redaction);
  const apiKey = apiKeyFor(summarizer);
  const writer = lazy(async () => {
    const { readsRedacted, writingParts } = await import("./summarizer.ts");
    const { redactor, ...parts } = writingParts({ summarizer, redaction }, apiKey);
    const redact = (text: string) => (readsRedacted(summarizer) ? redactor.text(text) : text);
    return createTextWriter({ ...parts, redact, model });
  });
  return {
    strategy: TEXT_STRATEGY,
    model: model ?? summarizerKind(summarizer),
    write: async (...input) => (await writer()).write(...input),
  };
}

/** Whoever writes summaries writes the texts of decisions, too: code unless a model is configured. Throws `InvalidConfig`. */
export function decisionTextWriterOf(config: ConfigFile): TextWriter {
  const { summarizer, redaction } = summaryConfigOf(config);
  const model = config.summarizer?.type === "extractive" ? undefined : config.summarizer?.model;
  return createDecisionTextWriter({ summarizer, redaction, model });
}

/** What is absent says nothing; the default's value stands in its place. */
function changesOf({ enabled, thresholds, ...rest }: WrittenPolicy): Omit<PolicyChanges, "name"> {
  return withoutUndefined({
    ...rest,
    isEnabled: enabled,
    thresholds: thresholds && withoutUndefined(thresholds),
  });
}
