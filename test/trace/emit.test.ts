import { describe, expect, it } from "vitest";
import type { Redacted, Redactor } from "../../src/redaction/redactor.ts";
import { createCallbackSink } from "../../src/trace/callback-sink.ts";
import { createTrace, type NewCompactEvent } from "../../src/trace/emit.ts";
import type { TraceSink } from "../../src/trace/trace-sink.ts";

/** Takes one word out: what a real redactor finds is not the question here. */
const redactor: Redactor = {
  isEnabled: true,
  find: () => [],
  text: (text) => text.replaceAll("hunter2", "<REDACTED>") as Redacted<string>,
  json: <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll("hunter2", "<REDACTED>")) as Redacted<T>,
};
const event: NewCompactEvent = {
  event: "compact.warning",
  session_id: "s",
  severity: "high",
  code: "c",
  message: "password is hunter2",
};
const broken: TraceSink = {
  name: "broken",
  emit: () => {
    throw new Error("broken");
  },
  flush: () => Promise.reject(new Error("broken")),
};

describe("createTrace", () => {
  it("stamps, redacts and hands to all sinks, past a broken one", async () => {
    const seen: unknown[][] = [[], []];
    const [first, second] = seen.map((events) => createCallbackSink((arrived) => events.push(arrived)));
    const trace = createTrace(
      [first, broken, second].filter((sink) => sink !== undefined),
      redactor,
      () => 0,
    );
    trace.emit(event);
    await expect(trace.flush()).resolves.toBeUndefined();
    const expected = { ...event, message: "password is <REDACTED>", at: "1970-01-01T00:00:00.000Z" };
    expect(seen).toEqual([[expected], [expected]]);
    expect(event.message).toBe("password is hunter2");
    expect(trace.failures).toBe(2);
  });

  it("sends nothing that could not be redacted", () => {
    const events: unknown[] = [];
    const failing: Redactor = {
      ...redactor,
      json: () => {
        throw new Error("broken");
      },
    };
    const trace = createTrace([createCallbackSink((arrived) => events.push(arrived))], failing, () => 0);
    trace.emit(event);
    expect([events.length, trace.failures]).toEqual([0, 1]);
  });

  it("keeps sinks from changing each other's events", () => {
    const codes: string[] = [];
    const meddler = createCallbackSink((arrived) => Object.assign(arrived, { code: "changed" }));
    const witness = createCallbackSink((arrived) => codes.push((arrived as { code: string }).code));
    createTrace([meddler, witness], redactor, () => 0).emit(event);
    expect(codes).toEqual(["c"]);
  });

  it("counts what a sink rejects with, and lets none change what the others get", async () => {
    const seen: unknown[] = [];
    const rejecting = { ...broken, emit: async () => Promise.reject(new Error("later")) };
    const greedy: TraceSink = {
      ...broken,
      emit: (arrived) => void delete (arrived as { code?: string }).code,
    };
    const last: TraceSink = { name: "last", emit: (arrived) => void seen.push(arrived), flush: async () => {} };
    const trace = createTrace([rejecting, greedy, last], redactor, () => 0);
    trace.emit(event);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toMatchObject([{ code: "c" }]);
    expect(trace.failures).toBe(2);
  });
});
