// Times of preflights with and without sinks, in turns within one run, so that what the machine does besides falls on
// all alike.
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { createAriadneSink } from "../../src/trace/ariadne-sink.ts";
import { createOtlpSink } from "../../src/trace/otlp-sink.ts";
import type { TraceSink } from "../../src/trace/trace-sink.ts";
import { startCollector } from "../../test/trace/collector/collector.ts";
import { warning } from "../../test/trace/viewer/sample-events.ts";
import { startViewer } from "../../test/trace/viewer/viewer.ts";
import { percentile, type Time, timed } from "../observations/timing.ts";
import { sessionMessages } from "../tokens/session-text.mjs";

export interface PreflightFigure {
  readonly sink: string;
  /** By the clock. */
  readonly p50: number;
  readonly p99: number;
  /** Of the processor: what other programs did meanwhile is no part of it. */
  readonly processor99: number;
  readonly added50: number;
  readonly added99: number;
}

export interface EmitFigure {
  readonly sink: string;
  readonly p50: number;
  readonly p99: number;
  readonly ofThree: number;
}

interface Traced {
  readonly sink: string;
  readonly trace: readonly TraceSink[];
}

const WARM_UP = 50;

export async function measurePreflights(messages: number, rounds: number): Promise<readonly PreflightFigure[]> {
  return withSinks(async (sinks) => {
    const rows = sinks.map(({ sink, trace }) => ({
      sink,
      times: [] as Time[],
      manager: new CompactManager({ archive: createMemoryArchive(), maxContextTokens: 50_000_000, trace }),
    }));
    const before: readonly unknown[] = sessionMessages(7, messages);
    for (let round = 0; round < rounds + WARM_UP; round++) {
      const list = [...before, { role: "user", content: `And part ${round}, please.` }];
      // Each begins as often as another: the first of a round meets what was left behind.
      for (let turn = 0; turn < rows.length; turn++) {
        const row = rows[(turn + round) % rows.length];
        await anotherTurn();
        const time = await timed(() => row?.manager.preflight("bench", list));
        if (round >= WARM_UP) row?.times.push(time);
      }
    }
    const figures = rows.map(({ sink, times }) => {
      const [clock, processor] = [times.map((time) => time.clock), times.map((time) => time.processor)];
      const ofClock = { p50: percentile(clock, 0.5), p99: percentile(clock, 0.99) };
      return { sink, ...ofClock, processor50: percentile(processor, 0.5), processor99: percentile(processor, 0.99) };
    });
    const [plain] = figures;
    return figures.map((figure) => ({
      ...figure,
      added50: figure.processor50 - (plain?.processor50 ?? 0),
      added99: figure.processor99 - (plain?.processor99 ?? 0),
    }));
  });
}

/** Of `emit` alone; the queue is full after a while, which is the slowest it can be. */
export async function measureEmits(count: number): Promise<readonly EmitFigure[]> {
  return withSinks(async (sinks) => {
    const figures: EmitFigure[] = [];
    for (const { sink, trace } of sinks) {
      const [single, triple]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < count; turn++) {
        const event = warning(`c${turn}`);
        await anotherTurn();
        single.push(timeOf(() => emitTimes(trace, event, 1)));
        triple.push(timeOf(() => emitTimes(trace, event, 3)));
      }
      const [p50, p99] = [percentile(single, 0.5), percentile(single, 0.99)];
      figures.push({ sink, p50, p99, ofThree: percentile(triple, 0.99) });
    }
    return figures;
  });
}

function emitTimes(trace: readonly TraceSink[], event: ReturnType<typeof warning>, count: number): void {
  for (let time = 0; time < count; time++) for (const sink of trace) sink.emit(event);
}

/** What waits in the background gets its turn outside of what is measured. */
function anotherTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

async function withSinks<Result>(measure: (sinks: readonly Traced[]) => Promise<Result>): Promise<Result> {
  const [viewer, collector, hole] = await Promise.all([startViewer(), startCollector(), startViewer()]);
  hole.behave({ isBlackHole: true });
  const write = (): void => {};
  const sinks: readonly Traced[] = [
    { sink: "none", trace: [] },
    // Events are made and redacted for it as for any other.
    { sink: "one that does nothing", trace: [{ name: "nothing", emit: () => {}, flush: async () => {} }] },
    { sink: "Ariadne", trace: [createAriadneSink({ url: viewer.url, write })] },
    { sink: "OTLP", trace: [createOtlpSink({ url: collector.url, write })] },
    { sink: "Ariadne, black hole", trace: [createAriadneSink({ url: hole.url, write })] },
    { sink: "OTLP, black hole", trace: [createOtlpSink({ url: hole.url, write })] },
  ];
  const result = await measure(sinks);
  await Promise.all(sinks.flatMap(({ trace }) => trace.map((sink) => sink.shutdown?.())));
  await Promise.all([viewer.close(), collector.close(), hole.close()]);
  return result;
}
