// What the tests of attempts share: a manager whose events also stand on disk, and the runs that they make up.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type CompactEvent, type ConversationConfig, createFsArchive } from "../../../src/index.ts";
import type { RunEvent } from "../../../src/trace/compact-event.ts";
import { createJsonlSink } from "../../../src/trace/jsonl-sink.ts";
import { isRunEnd } from "../../../src/trace/span.ts";
import { bench } from "../support.ts";

export interface Run {
  readonly events: readonly CompactEvent[];
  readonly end: RunEvent;
}

export function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "agent-compact-attempts-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** As `bench`, with an archive of files and its `events.jsonl`. */
export function onDisk(config: ConversationConfig = {}, path = newFolder()) {
  const jsonl = createJsonlSink({ path });
  const made = bench({ archive: createFsArchive({ path }), ...config, trace: [jsonl] });
  /** Of a session, as they stand in its file; a plain id is the name of its folder. */
  const written = async (sessionId: string): Promise<readonly CompactEvent[]> => {
    await jsonl.flush();
    const lines = readFileSync(join(path, sessionId, "events.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map((line) => JSON.parse(line));
  };
  return { ...made, path, written };
}

/** An event as the file has it: a summary that the archive holds is named. */
export function asInFile(event: CompactEvent): CompactEvent {
  if (event.event !== "compact.summary_created" || event.location === undefined) return event;
  const { location, ...rest } = event;
  return { ...rest, payload: JSON.stringify({ summary_ref: location }) };
}

/** Checks that each run has at most one estimate and one decision, and one end, which is its last event. */
export function runsOf(events: readonly CompactEvent[]): readonly Run[] {
  const byId = new Map<string, CompactEvent[]>();
  for (const event of events) {
    if (event.run_id !== undefined) byId.set(event.run_id, [...(byId.get(event.run_id) ?? []), event]);
  }
  return [...byId.values()].map((ofRun) => {
    const names = ofRun.map(({ event }) => event);
    expect(ofRun.filter(isRunEnd), names.join(" ")).toHaveLength(1);
    expect(names.filter((name) => name === "compact.token_estimate").length).toBeLessThanOrEqual(1);
    expect(names.filter((name) => name === "compact.trigger_decision").length).toBeLessThanOrEqual(1);
    const end = ofRun.at(-1);
    if (end === undefined || !isRunEnd(end)) throw new Error(`a run ends with ${end?.event}`);
    expect(end.reason).not.toBe("");
    return { events: ofRun, end };
  });
}

export function only(runs: readonly Run[]): Run {
  const [run] = runs;
  if (run === undefined || runs.length > 1) throw new Error(`${runs.length} runs`);
  return run;
}
