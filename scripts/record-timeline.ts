// Records what docs/timeline.svg shows: one run of the example session, with a model that stands for yours. It declines
// once, after 0.4 s, and answers after 1.3 s; all other times are those of this machine. Run it: npx unrun scripts/record-timeline.ts
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompactEvent, CompactManager, createCallbackSink } from "../src/index.ts";
import { createScriptedModel } from "../src/testing/scripted-model.ts";
import { TIMELINE } from "./timeline-picture.ts";

const { messages } = JSON.parse(readFileSync("examples/transcripts/coding-session.json", "utf8")) as {
  readonly messages: readonly unknown[];
};
const folder = mkdtempSync(join(tmpdir(), "agent-compact-timeline-"));
const events: CompactEvent[] = [];
const manager = new CompactManager({
  model: "gpt-4o",
  maxContextTokens: 32_000,
  archive: { path: folder },
  summarizer: {
    model: createScriptedModel(
      [
        { error: "refused", delayMs: 400 },
        { text: "## Decisions\n- taxOf keeps its signature [1.35]", delayMs: 1300 },
      ],
      { name: "your-model" },
    ),
  },
  trace: [createCallbackSink((event) => void events.push(event))],
});
await manager.preflight("coding-session", messages);
await manager.close();
rmSync(folder, { recursive: true, force: true });
writeFileSync(TIMELINE, events.map((event) => `${JSON.stringify(shown(event))}\n`).join(""));

/** The summary's text and the folder of this machine say nothing about time. */
function shown(event: CompactEvent): object {
  if (event.event === "compact.summary_created") return { ...event, payload: JSON.stringify({ summary: "..." }) };
  if (event.event !== "compact.archival") return event;
  const location = event.location.replace(folder, ".compact/archive");
  return { ...event, location, file_path: location };
}
