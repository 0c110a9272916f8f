// Reads how many tokens a model call took, as its provider reports it, in whichever of the usual spellings.

export interface OccupiedTokens {
  /** The whole prompt, cached or not. */
  readonly input: number;
  /** The answer, which is part of the next prompt. */
  readonly output: number;
}

/** Undefined when there are no figures, or figures that no call has. */
export function readUsage(usage: unknown): OccupiedTokens | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const figures = usage as Readonly<Record<string, unknown>>;
  const input = first(figures, ["input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "input"]);
  if (input === undefined) return undefined;
  const output = first(figures, ["output_tokens", "completion_tokens", "outputTokens", "completionTokens", "output"]);
  return { input: input + cachedBeside(figures), output: output ?? 0 };
}

/** Anthropic and its relatives report cached tokens beside the input; elsewhere they are a part of it (`…_details`). */
function cachedBeside(figures: Readonly<Record<string, unknown>>): number {
  const read = first(figures, ["cache_read_input_tokens", "cacheReadInputTokens", "cache_read", "cacheRead"]);
  const written = first(figures, [
    "cache_creation_input_tokens",
    "cacheCreationInputTokens",
    "cache_creation",
    "cache_write",
    "cacheWrite",
  ]);
  return (read ?? 0) + (written ?? 0);
}

function first(figures: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined {
  for (const name of names) {
    const figure = figures[name];
    if (typeof figure === "number" && Number.isFinite(figure) && figure >= 0) return figure;
  }
  return undefined;
}
