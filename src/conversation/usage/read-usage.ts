// Reads how many tokens a model call took, as its provider reports it, in whichever of the usual spellings.

export interface OccupiedTokens {
  /** The whole prompt, cached or not. */
  readonly input: number;
  /** The answer, which is part of the next prompt. */
  readonly output: number;
}

type Figures = Readonly<Record<string, unknown>>;

/** Spellings of the whole prompt: what was cached is a part of it, also where a proxy puts it beside once more. */
const WHOLE_PROMPT = ["prompt_tokens", "promptTokens", "promptTokenCount", "prompt_token_count"];
const INPUT = ["input_tokens", "inputTokens", "input"];
const OUTPUT = [
  "output_tokens",
  "completion_tokens",
  "outputTokens",
  "completionTokens",
  "candidatesTokenCount",
  "candidates_token_count",
  "output",
];
/** Anthropic and its relatives report cached tokens beside the input; elsewhere they are a part of it (`…_details`). */
const CACHE_READ = ["cache_read_input_tokens", "cacheReadInputTokens", "cache_read", "cacheRead"];
const CACHE_WRITTEN = [
  "cache_creation_input_tokens",
  "cacheCreationInputTokens",
  "cacheWriteInputTokens",
  "cache_creation",
  "cache_write",
  "cacheWrite",
];

/** Undefined when there are no figures, or figures that no call has. */
export function readUsage(usage: unknown): OccupiedTokens | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const figures = usage as Figures;
  const input = readInput(figures);
  return input === undefined ? undefined : { input, output: first(figures, OUTPUT) ?? 0 };
}

function readInput(figures: Figures): number | undefined {
  const whole = first(figures, WHOLE_PROMPT);
  const input = first(figures, INPUT);
  // Proxies fill in both, and one of them with nothing.
  if (input === undefined || (whole ?? 0) > 0) return whole;
  return input + (first(figures, CACHE_READ) ?? 0) + (first(figures, CACHE_WRITTEN) ?? 0);
}

/** The first that is more than nothing. */
function first(figures: Figures, names: readonly string[]): number | undefined {
  const found = names.map((name) => totalOf(figures[name])).filter(isCount);
  return found.find((figure) => figure > 0) ?? found[0];
}

function isCount(figure: unknown): figure is number {
  return typeof figure === "number" && Number.isFinite(figure) && figure >= 0;
}

/** The models of `ai` break their figures down, with the sum beside. */
function totalOf(figure: unknown): unknown {
  return typeof figure === "object" && figure !== null && "total" in figure ? figure.total : figure;
}
