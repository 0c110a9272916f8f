// What a proxy has done, as Prometheus reads it. Counts only: no text, no key, no name of a session.
import type { UsageFigures } from "./usage.ts";

export interface Metrics {
  request(outcome: string): void;
  compaction(before: number, after: number): void;
  usage(figures: UsageFigures): void;
  /** Milliseconds from a whole request to the moment when it goes on. */
  added(milliseconds: number): void;
  failed(kind: "upstream" | "compaction"): void;
  /** Of this process. `saved`: tokens that compactions took from the prompts that they were made for. */
  totals(): { readonly compactions: number; readonly saved: number };
  text(): string;
}

const PREFIX = "agent_compact_proxy";
const BUCKETS = [1, 3, 5, 15, 50, 150, 500, 1500, 5000];

export function createMetrics(): Metrics {
  const counts = new Map<string, number>();
  const add = (name: string, value = 1) => counts.set(name, (counts.get(name) ?? 0) + value);
  const buckets = BUCKETS.map(() => 0);
  const total = { count: 0, sum: 0 };
  return {
    request: (outcome) => add(`requests_total{outcome="${outcome}"}`),
    compaction(before, after) {
      add("compactions_total");
      add("tokens_before_compaction_total", before);
      add("tokens_saved_total", Math.max(0, before - after));
    },
    usage({ input, cacheRead, cacheWritten, output }) {
      add('provider_tokens_total{kind="input"}', input);
      add('provider_tokens_total{kind="cache_read"}', cacheRead);
      add('provider_tokens_total{kind="cache_written"}', cacheWritten);
      add('provider_tokens_total{kind="output"}', output);
    },
    added(milliseconds) {
      total.count++;
      total.sum += milliseconds;
      for (const [at, most] of BUCKETS.entries()) if (milliseconds <= most) buckets[at] = (buckets[at] ?? 0) + 1;
    },
    failed: (kind) => add(`failures_total{kind="${kind}"}`),
    totals: () => ({
      compactions: counts.get("compactions_total") ?? 0,
      saved: counts.get("tokens_saved_total") ?? 0,
    }),
    text() {
      const lines = [...counts].sort().map(([name, value]) => `${PREFIX}_${name} ${value}`);
      const steps = BUCKETS.map((most, at) => `${PREFIX}_added_milliseconds_bucket{le="${most}"} ${buckets[at]}`);
      return [
        `# HELP ${PREFIX}_requests_total Requests by what was done with them.`,
        `# TYPE ${PREFIX}_requests_total counter`,
        ...lines,
        `# TYPE ${PREFIX}_added_milliseconds histogram`,
        ...steps,
        `${PREFIX}_added_milliseconds_bucket{le="+Inf"} ${total.count}`,
        `${PREFIX}_added_milliseconds_sum ${total.sum.toFixed(3)}`,
        `${PREFIX}_added_milliseconds_count ${total.count}`,
        "# TYPE process_resident_memory_bytes gauge",
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        "",
      ].join("\n");
    },
  };
}
