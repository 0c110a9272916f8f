// What every sink has to do, run on each implementation.
import { describe, expect, it } from "vitest";
import type { Redacted } from "../../src/redaction/redacted.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";
import type { TraceSink } from "../../src/trace/trace-sink.ts";

export interface OpenSink {
  readonly sink: TraceSink;
  /** The events that arrived at the other end, in order. */
  read(): Promise<readonly unknown[]>;
}

export function warning(code: string, sessionId = "s"): Redacted<CompactEvent> {
  const event = { event: "compact.warning", session_id: sessionId, at: "2026-01-01T00:00:00.000Z", severity: "low" };
  return { ...event, code, message: "a\n你好 \u2028 <b>" } as unknown as Redacted<CompactEvent>;
}

/** `open` gives a working sink, `openBroken` one whose other end fails. */
export function sinkContract(name: string, open: () => Promise<OpenSink>, openBroken: () => Promise<TraceSink>): void {
  describe(`sink contract: ${name}`, () => {
    it("delivers 1,000 events whole and in order", async () => {
      const { sink, read } = await open();
      const events = Array.from({ length: 1_000 }, (_, n) => warning(`c${n}`));
      for (const event of events) sink.emit(event);
      await sink.flush();
      expect(await read()).toEqual(events);
      expect(sink.name).not.toBe("");
    });

    it("takes the event as it is at that moment, and leaves it unchanged", async () => {
      const { sink, read } = await open();
      const event = { ...warning("before") } as { code: string };
      sink.emit(Object.freeze({ ...event }) as unknown as Redacted<CompactEvent>);
      sink.emit(event as unknown as Redacted<CompactEvent>);
      event.code = "after";
      await sink.flush();
      expect((await read()).map((arrived) => (arrived as { code: string }).code)).toEqual(["before", "before"]);
    });

    it("flushes with nothing to do, and again after more", async () => {
      const { sink, read } = await open();
      await sink.flush();
      sink.emit(warning("one"));
      await sink.flush();
      sink.emit(warning("two"));
      await sink.flush();
      expect(await read()).toHaveLength(2);
    });

    it("neither throws nor rejects when the other end fails", async () => {
      const sink = await openBroken();
      for (let n = 0; n < 10; n++) expect(() => sink.emit(warning(`c${n}`))).not.toThrow();
      await expect(sink.flush()).resolves.toBeUndefined();
    });
  });
}
