// An attempt as a run: what it emits carries its id, and it ends exactly once.
import { describe, expect, it } from "vitest";
import { type NewCompactEvent, randomHex, startRun } from "../../src/trace/emit.ts";

const warning: NewCompactEvent = {
  event: "compact.warning",
  session_id: "s",
  severity: "low",
  code: "c",
  message: "m",
};

function startAt(times: readonly number[]) {
  const events: NewCompactEvent[] = [];
  const left = [...times];
  const clock = () => left.shift() ?? 0;
  const run = startRun(
    { emit: (event) => void events.push(event) },
    { event: "compact.manual", session_id: "s", note: "tidy up" },
    clock,
  );
  return { run, events };
}

describe("a run", () => {
  it("stamps what it emits with one id, its last event too", () => {
    const { run, events } = startAt([1000, 1250]);
    run.emit(warning);
    run.emit({ ...warning, code: "d" });
    run.end({ outcome: "completed", reason: "manual", step: 3, tokens_before: 8000, tokens_after: 3000 });
    const ids = new Set(events.map(({ run_id }) => run_id));
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(events[0]).toEqual({ ...warning, run_id: [...ids][0] });
    expect(events.at(-1)).toEqual({
      event: "compact.manual",
      session_id: "s",
      note: "tidy up",
      run_id: [...ids][0],
      outcome: "completed",
      reason: "manual",
      step: 3,
      tokens_before: 8000,
      tokens_after: 3000,
      started_at: "1970-01-01T00:00:01.000Z",
      duration_ms: 250,
    });
  });

  it("ends once, by whoever ends it first", () => {
    const { run, events } = startAt([0, 10, 20]);
    run.end({ outcome: "aborted", reason: "manual" });
    run.end({ outcome: "failed", reason: "TypeError" });
    expect(events).toMatchObject([{ outcome: "aborted", duration_ms: 10 }]);
  });

  it("took no less than no time where the clock was set back meanwhile", () => {
    const { run, events } = startAt([5000, 1000]);
    run.end({ outcome: "skipped", reason: "below_trigger" });
    expect(events).toMatchObject([{ started_at: "1970-01-01T00:00:05.000Z", duration_ms: 0 }]);
  });

  it("has an id of its own, a thousand times", () => {
    const ids = Array.from({ length: 1000 }, () => {
      const { run, events } = startAt([0, 0]);
      run.end({ outcome: "skipped", reason: "below_trigger" });
      return events[0]?.run_id;
    });
    expect(new Set(ids).size).toBe(1000);
  });
});

describe("a random id", () => {
  it("has as many digits as were asked for", () => {
    for (const digits of [16, 32]) expect(randomHex(digits)).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`));
  });
});
