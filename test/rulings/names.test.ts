// What the specs show to a user is called as they call it, wherever a user meets it; code is camelCase inside.
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../src/config/describe-config.ts";
import { type CompactConfig, CompactError, CompactManager, createMemoryArchive } from "../../src/index.ts";
import { bench, summaryOf, system, turns, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";

/** Of the configuration file, as the contract lists them. */
const KEYS = {
  "": "version enabled model max_context_tokens reserved_output_tokens policy summarizer telemetry storage redaction",
  policy:
    "trigger_pct hard_cap_buffer keep_recent_turns keep_tool_io_pairs roles_never_prune strategy target_pct summary_max_tokens on_summary_failure state_tools shorten_tool_results strip_reasoning",
  summarizer: "type base_url model timeout_ms temperature seed redact_input",
  telemetry: "console jsonl ariadne_url otlp_url",
  storage: "adapter path bucket prefix kms_key_id required",
  redaction: "enabled patterns allow pii",
};

const EVENTS =
  "compact.token_estimate compact.trigger_decision compact.archival compact.summary_created compact.pruned_messages";

type Schema = { readonly properties?: Readonly<Record<string, Schema>> };

describe("names", () => {
  it("of keys, events, classes, archive files and the summary are those of the specs", async () => {
    verifies("rulings/names-of-the-specs");
    const schema = configJsonSchema() as Schema;
    for (const [block, keys] of Object.entries(KEYS)) {
      const properties = block === "" ? schema.properties : schema.properties?.[block]?.properties;
      expect(Object.keys(properties ?? {}), block).toEqual(expect.arrayContaining(keys.split(" ")));
    }
    const config: CompactConfig = { maxContextTokens: 9000, archive: createMemoryArchive() };
    expect(new CompactManager(config)).toHaveProperty("preflight");
    expect(() => new CompactManager({ max_context_tokens: 1 } as never)).toThrow(CompactError);
    const { manager, events, archive } = bench(config);
    const output = await manager.manualCompact("s", [system("s"), ...turns(10), user("go")], {
      note: "user-requested",
    });
    expect(summaryOf(output)).toMatch(/^<COMPACT-SUMMARY v1>/);
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(EVENTS.split(" ")));
    const [step] = await archive.steps("s");
    expect(step?.transcript).toMatch(/s\/transcript-pre-compact-001\.jsonl$/);
    expect(step?.summary).toMatch(/s\/summary-001\.json$/);
  });
});
