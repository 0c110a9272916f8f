// A real session compacted several times, with a viewer and a collector beside each other: how often each kind of event
// was emitted, and seen at each end.
import { createMemoryArchive } from "../../../src/archive/archives.ts";
import { CompactManager } from "../../../src/conversation.ts";
import { FORMATS } from "../../../src/factories/formats.ts";
import { detectInput } from "../../../src/providers/detect-format.ts";
import { createAriadneSink } from "../../../src/trace/ariadne-sink.ts";
import { createCallbackSink } from "../../../src/trace/callback-sink.ts";
import { createOtlpSink } from "../../../src/trace/otlp-sink.ts";
import { corpusFiles, readText } from "../../corpus/corpus.ts";
import { startViewer } from "../viewer/viewer.ts";
import { startCollector } from "./collector.ts";

export interface SeenEvents {
  readonly name: string;
  readonly emitted: number;
  readonly viewer: number;
  readonly collector: number;
}

export interface RecordedRun {
  readonly messages: number;
  readonly compactions: number;
  readonly events: readonly SeenEvents[];
  /** What the sinks said. */
  readonly lines: readonly string[];
  readonly dropped: number;
}

const ROUNDS = 4;

/** Undefined without AGENT_CORPUS. */
export async function recordRun(): Promise<RecordedRun | undefined> {
  const [file] = corpusFiles("derived", /^openai-chat-.*\.json\.gz$/);
  const found = file === undefined ? undefined : detectInput(JSON.parse(readText(file)), FORMATS);
  if (found === undefined) return undefined;
  const [viewer, collector] = await Promise.all([startViewer(), startCollector()]);
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const emitted: string[] = [];
  const sinks = [createAriadneSink({ url: viewer.url, write }), createOtlpSink({ url: collector.url, write })];
  const callback = createCallbackSink(({ event }) => emitted.push(event));
  const manager = new CompactManager({ archive: createMemoryArchive(), trace: [...sinks, callback] });
  await compactInRounds(manager, found.messages);
  await manager.close();
  await Promise.all([viewer.close(), collector.close()]);
  // The viewer's rows say besides which of several they are.
  const [shown, collected] = [viewer.spans, collector.spans].map((spans) =>
    spans.map(({ name }) => name?.split(" ")[0]),
  );
  return {
    messages: found.messages.length,
    compactions: countOf(emitted, "compact.pruned_messages"),
    events: [...new Set(emitted)].sort().map((name) => ({
      ...{ name, emitted: countOf(emitted, name) },
      ...{ viewer: countOf(shown ?? [], name), collector: countOf(collected ?? [], name) },
    })),
    lines,
    dropped: sinks.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

/** Part by part, as a session grows; flushed after each as an agent does that waits for a person. */
async function compactInRounds(manager: CompactManager, messages: readonly unknown[]): Promise<void> {
  const size = Math.ceil(messages.length / ROUNDS);
  let list: readonly unknown[] = [];
  for (let from = 0; from < messages.length; from += size) {
    list = await manager.preflight("recorded", [...list, ...messages.slice(from, from + size)]);
    list = await manager.manualCompact("recorded", list);
    await manager.flush();
  }
}

function countOf(names: readonly (string | undefined)[], name: string): number {
  return names.filter((candidate) => candidate === name).length;
}
