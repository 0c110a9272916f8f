// What every sink has to do, run on each implementation.
import { describe, expect, it } from "vitest";
import type { Redacted } from "../../src/redaction/redactor.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";
import type { TraceSink } from "../../src/trace/trace-sink.ts";

export interface OpenSink {
  readonly sink: TraceSink;
  /** What arrived at the other end, in order: whole events, or what `read` says of each. */
  read(): Promise<readonly unknown[]>;
  close?(): Promise<void>;
}

export interface BrokenSink {
  readonly sink: TraceSink;
  /** Makes the other end work, and gives how to read what arrives from then on. Absent where it cannot recover. */
  repair?(): Promise<() => Promise<readonly unknown[]>>;
  close?(): Promise<void>;
}

export interface SinkSuite {
  /** A working sink. */
  open(): Promise<OpenSink>;
  /** Each way in which the other end fails, by name. */
  readonly broken: Readonly<Record<string, () => Promise<BrokenSink>>>;
  /** A sink that keeps at most that many, its other end held up until `read` is called. Absent where nothing queues. */
  openFull?(queueLimit: number): Promise<OpenSink>;
  /** The code of a warning that arrived, where the other end does not show the event as it was. */
  codeOf?(arrived: unknown): unknown;
  /** By default 1,000. */
  readonly events?: number;
}

export function warning(code: string, sessionId = "s"): Redacted<CompactEvent> {
  const event = { event: "compact.warning", session_id: sessionId, at: "2026-01-01T00:00:00.000Z", severity: "low" };
  return { ...event, code, message: "a\n你好 \u2028 <b>" } as unknown as Redacted<CompactEvent>;
}

/** Longest that a flush may take with the other end broken, with room for a slow machine. */
const FLUSH_MS = 4_000;

export function sinkContract(name: string, suite: SinkSuite): void {
  const codesOf = (arrived: readonly unknown[]) =>
    arrived.map(suite.codeOf ?? ((event) => (event as { readonly code?: unknown }).code));
  const emitted = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `c${from + n}`);
  const emitAll = (sink: TraceSink, codes: readonly string[]) => {
    for (const code of codes) sink.emit(warning(code));
  };

  describe(`sink contract: ${name}`, () => {
    it("delivers events whole and in order", async () => {
      const { sink, read, close } = await suite.open();
      const codes = emitted(0, suite.events ?? 1_000);
      emitAll(sink, codes);
      await sink.flush();
      const arrived = await read();
      expect(codesOf(arrived)).toEqual(codes);
      if (suite.codeOf === undefined) expect(arrived).toEqual(codes.map((code) => warning(code)));
      expect(sink.name).not.toBe("");
      expect(sink.dropped ?? 0).toBe(0);
      await close?.();
    });

    it("takes the event as it is at that moment, and leaves it unchanged", async () => {
      const { sink, read, close } = await suite.open();
      const event = { ...warning("before") } as { code: string };
      sink.emit(Object.freeze({ ...event }) as unknown as Redacted<CompactEvent>);
      sink.emit(event as unknown as Redacted<CompactEvent>);
      event.code = "after";
      await sink.flush();
      expect(codesOf(await read())).toEqual(["before", "before"]);
      await close?.();
    });

    it("flushes with nothing to do, and again after more", async () => {
      const { sink, read, close } = await suite.open();
      await sink.flush();
      sink.emit(warning("one"));
      await Promise.all([sink.flush(), sink.flush()]);
      sink.emit(warning("two"));
      await sink.flush();
      expect(codesOf(await read())).toEqual(["one", "two"]);
      await close?.();
    });

    it("delivers what was emitted before its shutdown, and counts what comes after", async () => {
      const { sink, read, close } = await suite.open();
      emitAll(sink, ["one", "two"]);
      await Promise.all([sink.shutdown?.(), sink.shutdown?.()]);
      expect(() => sink.emit(warning("late"))).not.toThrow();
      await sink.flush();
      await sink.shutdown?.();
      expect(codesOf(await read())).toEqual(["one", "two"]);
      expect(sink.dropped).toBe(1);
      await close?.();
    });

    for (const [how, openBroken] of Object.entries(suite.broken))
      it(`neither throws, nor rejects, nor holds anybody up: ${how}`, async () => {
        const rejections: unknown[] = [];
        const note = (reason: unknown) => rejections.push(reason);
        process.on("unhandledRejection", note);
        const { sink, repair, close } = await openBroken();
        expect(() => emitAll(sink, emitted(0, 10))).not.toThrow();
        await ended(sink.flush());
        const read = await repair?.();
        if (read !== undefined) {
          await recovers(sink);
          expect(codesOf(await read()).slice(-1)).toEqual(["works"]);
        }
        await ended(Promise.resolve(sink.shutdown?.()));
        // Rejections are told after the microtasks.
        await new Promise((resolve) => setTimeout(resolve, 10));
        process.off("unhandledRejection", note);
        expect(rejections).toEqual([]);
        await close?.();
      });

    const { openFull } = suite;
    if (openFull !== undefined)
      it("drops the oldest from a full queue and counts them", async () => {
        const { sink, read, close } = await openFull(10);
        emitAll(sink, emitted(0, 25));
        const arrived = codesOf(await read());
        expect(arrived.slice(-10)).toEqual(emitted(15, 25));
        expect(arrived.length + (sink.dropped ?? 0)).toBe(25);
        await close?.();
      });
  });
}

async function ended(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("late"), FLUSH_MS);
  });
  expect(await Promise.race([work, late])).toBeUndefined();
  clearTimeout(timer);
}

/** A sink may leave an end that failed alone for a while: the last event that was emitted is the one that counts. */
async function recovers(sink: TraceSink): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const before = sink.dropped ?? 0;
    sink.emit(warning("works"));
    await sink.flush();
    if ((sink.dropped ?? 0) === before) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
