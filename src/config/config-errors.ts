// Turns faults into one error that names each field as the documentation does, where its value stands, what was
// expected, and what was probably meant.
import type * as z from "zod/mini";
import { CompactError } from "../errors.ts";
import { conversationConfigSchema } from "./conversation-schema.ts";
import { fieldsOf } from "./schema-fields.ts";
import { describeUnknownKey, fieldPath, suggestValue } from "./schema-parts.ts";
import { storageSchema } from "./storage-schema.ts";
import { summarizerSchema } from "./summarizer-schema.ts";

/** Where a value comes from. */
export type ConfigSource =
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "variable"; readonly name: string };

export interface ConfigFault {
  /** `policy.trigger_pct`; empty for the whole. */
  readonly path: string;
  /** Completes the sentence that the path starts. */
  readonly message: string;
  readonly source?: ConfigSource | undefined;
  /** What to do, where more can be said than that the field is to be corrected. */
  readonly hint?: string | undefined;
}

const MOST_SHOWN = 3;
const PLAIN_HINT =
  "Correct the field; `agent-compact config schema` and the documentation list every key with its default.";

/** One `InvalidConfig` for all faults: `policy.trigger_pct must be 0.0-1.0`. */
export function configError(faults: readonly ConfigFault[]): CompactError {
  const first = faults.slice(0, MOST_SHOWN);
  const shown = first.map(describeFault);
  const hints = new Set(first.map(({ hint }) => hint ?? PLAIN_HINT));
  const more = faults.length > MOST_SHOWN ? `; and ${faults.length - MOST_SHOWN} more` : "";
  return new CompactError("InvalidConfig", `${shown.join("; ")}${more}`, {
    hint: [...hints].join(" "),
    data: { faults },
  });
}

/** `compact.yaml:4: policy.trigger_pct must be 0.0-1.0` */
export function describeFault({ path, message, source }: ConfigFault): string {
  const sentence = `${path === "" ? "the configuration" : path} ${message}`;
  if (source?.kind === "file") return `${source.file}:${source.line}: ${sentence}`;
  return source === undefined ? sentence : `${sentence} (from the environment variable ${source.name})`;
}

type Place = (path: readonly PropertyKey[]) => ConfigSource | undefined;

/**
 * @param known every key by its whole path, as the caller writes it: for one that is right but stands in the wrong block.
 * @param sourceOf where a path stands
 */
export function faultsOf(
  issue: z.core.$ZodIssue,
  known: () => readonly string[],
  sourceOf: Place = () => undefined,
): readonly ConfigFault[] {
  const path = fieldPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const lines = issue.message.split("\n");
    return issue.keys.map((key, index) => {
      const line = lines[index] ?? "is not a known key";
      const message = line.endsWith("a known key") ? describeUnknownKey(key, [], known()) : line;
      return { path: path === "" ? key : `${path}.${key}`, message, source: sourceOf([...issue.path, key]) };
    });
  }
  const meant = suggestValue(issue.message, issue.input);
  const message = meant === undefined ? issue.message : `${issue.message}: did you mean ${meant}?`;
  const hint: unknown = issue.code === "custom" ? issue.params?.hint : undefined;
  return [{ path, message, source: sourceOf(issue.path), ...(typeof hint === "string" ? { hint } : {}) }];
}

/** Throws `InvalidConfig` with the path of each field at fault; changes nothing. */
export function checkConversationConfig(config: unknown): void {
  const parsed = conversationConfigSchema.safeParse(config, { reportInput: true });
  if (!parsed.success) throw configError(parsed.error.issues.flatMap((issue) => faultsOf(issue, keysInCode)));
}

function keysInCode(): readonly string[] {
  const blocks = [
    fieldsOf(conversationConfigSchema),
    fieldsOf(summarizerSchema, ["summarizer"]),
    fieldsOf(storageSchema, ["archive"]),
  ];
  return blocks.flat().map(({ path }) => path.join("."));
}
