import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CompactError } from "../../src/errors.ts";
import { completeWithRetries, type RetryOptions } from "../../src/models/complete-with-retries.ts";
import type { Model } from "../../src/models/model.ts";
import { createOpenaiCompatibleModel } from "../../src/models/openai-compatible-model.ts";
import { createScriptedModel, type ModelStep, startScriptedServer } from "../../src/testing.ts";
import { verifies } from "../requirements/verifies.ts";
import { failureOf, KEY, modelRequest } from "./requests.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Sleeps that take no time, and are written down. */
function noSleep(options: RetryOptions = {}): { readonly slept: number[]; readonly options: RetryOptions } {
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
  };
  return { slept, options: { sleep, random: () => 1, ...options } };
}

const modelThat = (complete: Model["complete"]): Model => ({ name: "odd", complete });

describe("completing with retries", () => {
  it("hands on the first good answer and the request as it is", async () => {
    const model = createScriptedModel(["fine"]);
    const { slept, options } = noSleep();
    expect(await completeWithRetries(model, modelRequest({ seed: 42 }), options)).toEqual({
      text: "fine",
      finish: "stop",
    });
    expect(model.calls).toEqual([modelRequest({ seed: 42 })]);
    expect(slept).toEqual([]);
  });

  it.each<ModelStep>([{ error: "unavailable" }, { error: "timeout" }, { throws: new Error("socket hang up") }])(
    "asks again after %j, later each time",
    async (step) => {
      const model = createScriptedModel([step, step, "fine"]);
      const seen: [string, number][] = [];
      const { slept, options } = noSleep({ onRetry: (failure, attempt) => seen.push([failure.kind, attempt]) });
      expect((await completeWithRetries(model, modelRequest(), options)).text).toBe("fine");
      expect(slept).toEqual([500, 1_000]);
      expect(seen).toEqual([
        ["SummarizationFailed", 1],
        ["SummarizationFailed", 2],
      ]);
    },
  );

  it.each<ModelStep>([
    { error: "refused" },
    { error: "too_long" },
    { error: "rejected" },
    { throws: new TypeError("undefined is not a function") },
  ])("asks once only after %j", async (step) => {
    const model = createScriptedModel([step, "fine"]);
    const { slept, options } = noSleep();
    const failure = await failureOf(completeWithRetries(model, modelRequest(), options));
    expect(failure.data.failures).toBe(1);
    expect(model.calls).toHaveLength(1);
    expect(slept).toEqual([]);
  });

  it("gives up after its attempts, with the last failure and their number", async () => {
    const model = createScriptedModel([
      { error: "timeout" },
      { error: "unavailable", status: 500 },
      { error: "unavailable", status: 503 },
      "too late",
    ]);
    const failure = await failureOf(completeWithRetries(model, modelRequest(), noSleep().options));
    expect([failure.kind, failure.code]).toEqual(["SummarizationFailed", "MODEL_UNAVAILABLE"]);
    expect(failure.data).toEqual({ status: 503, failures: 3 });
    expect(model.calls).toHaveLength(3);
  });

  it.each([
    [0, [250, 500]],
    [1, [500, 1_000]],
  ])("spreads its pauses by chance: %d", async (chance, expected) => {
    const model = createScriptedModel([{ error: "unavailable" }]);
    const { slept, options } = noSleep({ random: () => chance });
    await failureOf(completeWithRetries(model, modelRequest(), options));
    expect(slept).toEqual(expected);
  });

  it("never waits longer by itself than eight seconds", async () => {
    const { slept, options } = noSleep({ attempts: 9 });
    await failureOf(completeWithRetries(createScriptedModel([{ error: "unavailable" }]), modelRequest(), options));
    expect(slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  });

  it("waits as long as the provider asks, and never shorter than its own pause", async () => {
    const model = createScriptedModel([
      { error: "unavailable", retryAfterMs: 7_000 },
      { error: "unavailable", retryAfterMs: 10 },
      "fine",
    ]);
    const { slept, options } = noSleep();
    await completeWithRetries(model, modelRequest(), options);
    expect(slept).toEqual([7_000, 1_000]);
  });

  it("gives up at once when the provider asks for more than half a minute", async () => {
    const model = createScriptedModel([{ error: "unavailable", status: 429, retryAfterMs: 30_001 }, "fine"]);
    const { slept, options } = noSleep();
    const failure = await failureOf(completeWithRetries(model, modelRequest(), options));
    expect(failure.message).toContain("asks to wait 31 s");
    expect(failure.data).toEqual({ status: 429, retryAfterMs: 30_001, failures: 1 });
    expect(slept).toEqual([]);
  });

  it("asks a real server again, as its header says", async () => {
    const server = await startScriptedServer([
      { status: 429, headers: { "retry-after": "3" } },
      { fault: "reset" },
      { text: "fine" },
    ]);
    const model = createOpenaiCompatibleModel({ baseUrl: server.openaiUrl, model: "m", apiKey: KEY });
    const { slept, options } = noSleep();
    expect((await completeWithRetries(model, modelRequest(), options)).text).toBe("fine");
    expect(slept).toEqual([3_000, 1_000]);
    await server.close();
  });

  it("hands on errors of ours that are not about the call", async () => {
    const server = await startScriptedServer(["fine"]);
    const model = modelThat(async () => {
      createOpenaiCompatibleModel({ baseUrl: "nowhere", model: "m" });
      return { text: "", finish: "stop" };
    });
    const failure = await failureOf(completeWithRetries(model, modelRequest(), noSleep().options));
    expect([failure.kind, failure.data.failures]).toEqual(["InvalidConfig", 1]);
    await server.close();
  });
});

describe("a model that hangs", () => {
  it.each([false, true])("is given up at each attempt's end (ignores its signal: %s)", async (ignoresAbort) => {
    const model = createScriptedModel([{ hang: true, ignoresAbort }]);
    const { slept, options } = noSleep({ timeoutMs: 20 });
    const failure = await failureOf(completeWithRetries(model, modelRequest(), options));
    expect([failure.code, failure.data.failures]).toEqual(["MODEL_TIMEOUT", 3]);
    expect(failure.message).toContain("20 ms");
    expect(slept).toEqual([500, 1_000]);
  });

  it.each(["hang", "drip"] as const)("is given up over HTTP too (%s), and answers later", async (fault) => {
    const server = await startScriptedServer([{ fault }, "fine"]);
    const model = createOpenaiCompatibleModel({ baseUrl: server.openaiUrl, model: "m" });
    const seen: CompactError[] = [];
    const { options } = noSleep({ timeoutMs: 300, onRetry: (failure) => seen.push(failure) });
    expect((await completeWithRetries(model, modelRequest(), options)).text).toBe("fine");
    expect(seen.map(({ code }) => code)).toEqual(["MODEL_TIMEOUT"]);
    await server.close();
  });

  it("may reject or answer after it was given up", async () => {
    let endLate = (): void => {};
    const late = new Promise<void>((resolve) => {
      endLate = resolve;
    });
    const model = modelThat(async () => {
      await late;
      throw new Error("nobody waits for this");
    });
    const failure = await failureOf(
      completeWithRetries(model, modelRequest(), noSleep({ timeoutMs: 5, attempts: 1 }).options),
    );
    expect(failure.code).toBe("MODEL_TIMEOUT");
    endLate();
    // An unhandled rejection in this turn of the loop would fail the whole run.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("is waited for without end when told so", async () => {
    const model = createScriptedModel([{ text: "fine", delayMs: 10 }]);
    const { options } = noSleep({ timeoutMs: Number.POSITIVE_INFINITY });
    expect((await completeWithRetries(model, modelRequest(), options)).text).toBe("fine");
  });

  it("leaves no timer behind, in success, failure and abort", async () => {
    vi.useFakeTimers();
    await completeWithRetries(createScriptedModel(["fine"]), modelRequest());
    expect(vi.getTimerCount()).toBe(0);

    const failing = failureOf(completeWithRetries(createScriptedModel([{ error: "unavailable" }]), modelRequest()));
    await vi.runAllTimersAsync();
    expect((await failing).data.failures).toBe(3);
    expect(vi.getTimerCount()).toBe(0);

    const caller = new AbortController();
    const sleeping = completeWithRetries(
      createScriptedModel([{ error: "unavailable" }]),
      modelRequest({ signal: caller.signal }),
    );
    const outcome = sleeping.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1);
    caller.abort("enough");
    expect(await outcome).toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the caller's signal", () => {
  it("ends the call at once with its own reason, whatever the model does", async () => {
    for (const ignoresAbort of [false, true]) {
      const caller = new AbortController();
      const reason = new Error("the user left");
      const model = createScriptedModel([{ hang: true, ignoresAbort }]);
      const running = completeWithRetries(model, modelRequest({ signal: caller.signal }), noSleep().options);
      caller.abort(reason);
      await expect(running).rejects.toBe(reason);
      expect(model.calls).toHaveLength(1);
    }
  });

  it("fired before the call, lets none happen", async () => {
    const model = createScriptedModel(["fine"]);
    const signal = AbortSignal.abort();
    await expect(completeWithRetries(model, modelRequest({ signal }))).rejects.toBe(signal.reason);
    expect(model.calls).toEqual([]);
  });

  it("ends a pause between attempts, also one that does not listen", async () => {
    const caller = new AbortController();
    const model = createScriptedModel([{ error: "unavailable" }, "fine"]);
    const sleep = (): Promise<void> => {
      caller.abort("enough");
      return new Promise(() => {});
    };
    await expect(completeWithRetries(model, modelRequest({ signal: caller.signal }), { sleep })).rejects.toBe("enough");
    expect(model.calls).toHaveLength(1);
  });

  it("is listened to and never fired, and nothing listens afterwards", async () => {
    verifies("field/compaction-looks-like-cancel");
    const caller = new AbortController();
    const signals: (AbortSignal | undefined)[] = [];
    const model = modelThat((request) => {
      signals.push(request.signal);
      return new Promise(() => {});
    });
    const { options } = noSleep({ timeoutMs: 5 });
    await failureOf(completeWithRetries(model, modelRequest({ signal: caller.signal }), options));
    expect(caller.signal.aborted).toBe(false);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true]);
    expect(signals).not.toContain(caller.signal);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });
});
