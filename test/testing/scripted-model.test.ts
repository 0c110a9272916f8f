import { describe, expect, it } from "vitest";
import { MODEL_FAILURE_CODES } from "../../src/models/model.ts";
import { createScriptedModel, type ScriptedError } from "../../src/testing.ts";
import { failureOf, modelRequest } from "../models/requests.ts";

describe("a scripted model", () => {
  it("plays its steps in order, then the last one again", async () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    const model = createScriptedModel(["one", { text: "tw", finish: "length", usage }, { finish: "refusal" }]);
    const answers = [];
    for (let call = 0; call < 4; call++) answers.push(await model.complete(modelRequest()));
    expect(answers).toEqual([
      { text: "one", finish: "stop" },
      { text: "tw", finish: "length", usage },
      { text: "", finish: "refusal" },
      { text: "", finish: "refusal" },
    ]);
  });

  it("can end with its script", async () => {
    const model = createScriptedModel(["one"], { whenOver: "fail" });
    await model.complete(modelRequest());
    expect((await failureOf(model.complete(modelRequest()))).message).toContain("is over");
    expect((await failureOf(createScriptedModel([]).complete(modelRequest()))).code).toBe("MODEL_REJECTED");
  });

  it("can be a function of the call and its number", async () => {
    const model = createScriptedModel((call, number) => `${number}: ${call.prompt}`);
    await model.complete(modelRequest({ prompt: "a" }));
    expect((await model.complete(modelRequest({ prompt: "b" }))).text).toBe("2: b");
  });

  it("writes down every call, the failed ones too", async () => {
    const model = createScriptedModel([{ error: "rejected" }, "fine"]);
    await failureOf(model.complete(modelRequest({ seed: 42, signal: new AbortController().signal })));
    await model.complete(modelRequest());
    expect(model.calls).toEqual([modelRequest({ seed: 42 }), modelRequest()]);
  });

  it("knows every failure there is", async () => {
    const errors: ScriptedError[] = ["unavailable", "timeout", "refused", "too_long", "rejected"];
    const codes = [];
    for (const error of errors) {
      codes.push((await failureOf(createScriptedModel([{ error }]).complete(modelRequest()))).code);
    }
    expect(codes).toEqual(MODEL_FAILURE_CODES);
  });

  it("fails with status and wish to wait, or with anything at all", async () => {
    const model = createScriptedModel([{ error: "unavailable", status: 429, retryAfterMs: 5 }, { throws: "a text" }]);
    expect((await failureOf(model.complete(modelRequest()))).data).toEqual({ status: 429, retryAfterMs: 5 });
    await expect(model.complete(modelRequest())).rejects.toBe("a text");
  });

  it("hangs or delays until its signal fires", async () => {
    for (const step of [{ hang: true } as const, { text: "late", delayMs: 60_000 }]) {
      const caller = new AbortController();
      const running = createScriptedModel([step]).complete(modelRequest({ signal: caller.signal }));
      setTimeout(() => caller.abort("enough"), 5);
      await expect(running).rejects.toBe("enough");
    }
  });

  it("enforces its window and its cap when it has them", async () => {
    const model = createScriptedModel(["fine"], {
      maxContextTokens: 20,
      maxOutputTokens: 10,
      count: (text) => text.length,
    });
    expect((await failureOf(model.complete(modelRequest({ maxTokens: 11 })))).code).toBe("MODEL_REJECTED");
    expect((await failureOf(model.complete(modelRequest({ maxTokens: 5, prompt: "123456" })))).code).toBe(
      "MODEL_INPUT_TOO_LONG",
    );
    expect((await model.complete(modelRequest({ maxTokens: 5, prompt: "12345" }))).text).toBe("fine");
    expect(model).toMatchObject({ maxContextTokens: 20, maxOutputTokens: 10 });
  });
});
