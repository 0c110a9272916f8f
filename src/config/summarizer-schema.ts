// What writes the summaries: in a file by its type, in code also a summarizer or a model. Which keys go together is
// checked here; factories/ makes the object, and the key comes from the environment alone.
import * as z from "zod/mini";
import type { Model, ModelFunction } from "../models/model.ts";
import type { Summarizer } from "../summaries/summarizer.ts";
import {
  between,
  checked,
  checkedTogether,
  findBaseUrlFault,
  key,
  MOST_TOKENS,
  oneOf,
  strict,
  text,
  whole,
  yesOrNo,
} from "./schema-parts.ts";

const SUMMARIZER_TYPES = ["extractive", "openai-compatible", "anthropic"] as const;
export type SummarizerType = (typeof SUMMARIZER_TYPES)[number];

/** How a model is asked. Absent keys have the values of `SUMMARIZER_DEFAULTS`. */
interface SummarizerSettings {
  /** For one call, milliseconds. */
  readonly timeoutMs?: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** Secrets are taken out of what the model reads. */
  readonly redactInput?: boolean;
  /** The summarizing model's own window. Known for models that are known by name. */
  readonly maxContextTokens?: number;
  /** The most output tokens that may be asked for in one call. */
  readonly maxOutputTokens?: number;
  /** Language of the summary. Without one: the conversation's. */
  readonly language?: string;
}

/** A model in code: a function, our own `Model`, or a language model of the `ai` package (an object or its name). */
export interface ModelSummarizerConfig extends SummarizerSettings {
  readonly model: ModelFunction | Model | object | string;
}

/** A summarizer by its type, as in a configuration file. Its key comes from the environment. */
export interface NamedSummarizerConfig extends SummarizerSettings {
  readonly type: SummarizerType;
  readonly baseUrl?: string;
  readonly model?: string;
}

export type SummarizerConfig = Summarizer | ModelSummarizerConfig | NamedSummarizerConfig;

export const SUMMARIZER_DEFAULTS = { timeoutMs: 30_000, temperature: 0, seed: 42, redactInput: true } as const;

const settings = {
  timeoutMs: key(whole(100, 3_600_000), "Milliseconds that one call of the model may take.", {
    default: SUMMARIZER_DEFAULTS.timeoutMs,
  }),
  temperature: key(between(0, 2), "Passed to the model; 0 for the most repeatable summary.", {
    default: SUMMARIZER_DEFAULTS.temperature,
  }),
  seed: key(whole(0, 2_147_483_647), "Passed to models that take one.", { default: SUMMARIZER_DEFAULTS.seed }),
  redactInput: key(yesOrNo, "Takes secrets out of what the model reads.", { default: SUMMARIZER_DEFAULTS.redactInput }),
  maxContextTokens: key(whole(1000, MOST_TOKENS), "The summarizing model's own window, in tokens.", {
    note: "known for models known by name",
    example: 32_000,
  }),
  maxOutputTokens: key(whole(64, MOST_TOKENS), "The most tokens that one answer of the model may be asked for.", {
    note: "as many as the summary may have",
    example: 4_000,
  }),
  language: key(
    text.check(z.maxLength(60, "must be the name of a language")),
    "Language of the summary, as a name or a code: German, de.",
    { note: "the conversation's", example: "English" },
  ),
};

const baseUrl = checked(text, (address) => findBaseUrlFault(address));

const summarizerBlock = strict({
  type: key(oneOf(SUMMARIZER_TYPES), "What writes the summaries: code (extractive), or a model.", {
    default: "extractive",
  }),
  baseUrl: key(
    baseUrl,
    "Where the model is: any server that speaks the type's protocol. Plain http on this machine and private networks only.",
    { note: "the provider's own", example: "http://localhost:11434/v1" },
  ),
  model: key(text, "The summarizing model's name. Every type but extractive needs one.", { example: "gpt-4o-mini" }),
  ...settings,
});

/** Extractive by name may keep the other keys: a variable can switch the model off for one run. */
function faultsBetween({ type, model, baseUrl: address }: z.infer<typeof summarizerBlock>) {
  if (type !== undefined && type !== "extractive" && model === undefined)
    return [{ path: ["model"], message: `must be given for the type ${type}` }];
  if (type !== undefined || (model === undefined && address === undefined)) return [];
  return [{ path: ["type"], message: "must be given with a model: openai-compatible or anthropic" }];
}

/** The block of a configuration file, and `{type}` in code. */
export const summarizerSchema = checkedTogether(summarizerBlock, faultsBetween);

const modelSummarizerSchema = strict({
  model: z.custom<object | string>(
    (value) => (typeof value === "object" && value !== null) || typeof value === "function" || isFilled(value),
    "must be a model: an async function, an object with complete(), or a language model of the ai package",
  ),
  ...settings,
});

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** What `CompactManager` takes. Told apart by shape first, so that the faults are those of the form that was meant. */
export const summarizerConfigSchema = z.custom<SummarizerConfig>().check((context) => {
  const given: unknown = context.value;
  if (isSummarizer(given)) return;
  const form = formOf(given);
  if (form === undefined) {
    const message = "must be a summarizer (kind, summarize), {model: ...} or {type: ...}";
    context.issues.push({ code: "custom", message, input: "" });
    return;
  }
  const parsed = form.safeParse(given, { reportInput: true });
  if (!parsed.success) context.issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]));
});

export function isSummarizer(value: unknown): value is Summarizer {
  return typeof value === "object" && value !== null && typeof (value as Partial<Summarizer>).summarize === "function";
}

export function summarizerKind(config: SummarizerConfig | undefined): Summarizer["kind"] {
  if (config === undefined) return "extractive";
  if (isSummarizer(config)) return config.kind;
  return "type" in config && config.type === "extractive" ? "extractive" : "model";
}

function formOf(value: unknown): z.ZodMiniType | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // A model by itself, where an object that holds it is due.
  if (!("model" in value) && ["complete", "doGenerate"].some((name) => name in value)) return undefined;
  if ("type" in value || "baseUrl" in value) return summarizerSchema;
  return modelSummarizerSchema;
}
