// What the model summarizer does after a call or an answer of no use: which step, how often, and how it ends.
import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";

import { MOST_CALLS } from "../../src/summaries/ask.ts";
import { verifies } from "../requirements/verifies.ts";
import { GOOD, outcomeOf, REPAIR, recordingModel, requestOf, type Script, summarizerBench } from "./session.ts";

const failure = (code: string) => new CompactError("SummarizationFailed", "The model failed.", { code });
const words = (count: number) => `## Errors\n${"- Open: the import loses rows [1.4]\n".repeat(Math.ceil(count / 7))}`;
const steps = (setbacks: readonly { code: string; next: string }[]) =>
  setbacks.map(({ code, next }) => `${code} -> ${next}`);

const REFUSAL = "I'm sorry, but I can't help with that.";
const LONG_REFUSAL = `I understand that you would like me to summarize the conversation about the nightly import and its parser. ${"However, topics such as imports, tables, rows and tests touch on matters that I have to treat with great care, and I would not want to say anything about them. ".repeat(12)}Please consider asking a qualified person instead.`;

describe("an answer that is complete and too long", () => {
  it("is asked for again with half the cap, twice at most, then it is a failure", async () => {
    const { caps, error, setbacks } = await outcomeOf([words(2000)], { maxTokens: 800 });
    expect(caps).toEqual([800, 400, 200]);
    expect(error).toMatchObject({ kind: "SummarizationFailed", code: "TOO_LONG_ANSWER", data: { failures: 1 } });
    expect(steps(setbacks)).toEqual([
      "TOO_LONG_ANSWER -> halve-cap",
      "TOO_LONG_ANSWER -> halve-cap",
      "TOO_LONG_ANSWER -> give-up",
    ]);
    expect(setbacks.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it("is accepted when the second one fits", async () => {
    const { caps, summary } = await outcomeOf([words(2000), GOOD], { maxTokens: 800 });
    expect(caps).toEqual([800, 400]);
    expect(summary?.text).toContain("parseRow takes options");
  });

  it.each([["word ".repeat(4000)], ["Great, here it goes. ".repeat(900)]])(
    "counts as too long whatever it says",
    async (text) => {
      const { caps } = await outcomeOf([text], { maxTokens: 800 });
      expect(caps).toEqual([800, 400, 200]);
    },
  );

  it("is never accepted truncated by code, however long it is", async () => {
    const { error, caps } = await outcomeOf(["- x [1.1]\n".repeat(400_000)], { maxTokens: 800 });
    expect(error).toMatchObject({ code: "TOO_LONG_ANSWER" });
    expect(caps).toHaveLength(3);
  });
});

describe("an empty or cut answer", () => {
  it("is rejected and asked for again with a raised cap, never a halved one", async () => {
    verifies("field/truncated-summary-accepted");
    const { caps, summary, setbacks } = await outcomeOf([
      { text: "", finish: "length" },
      { text: "## Goals\n- ship the lex", finish: "length" },
      GOOD,
    ]);
    expect(caps).toEqual([1500, 3000, 6000]);
    expect(summary?.text).not.toContain("ship the lex");
    expect(steps(setbacks)).toEqual(["EMPTY_ANSWER -> raise-cap", "TRUNCATED_ANSWER -> raise-cap"]);
    expect(summary?.usage?.calls).toBe(3);
  });

  it("raises no further than the model can go", async () => {
    const { caps, error } = await outcomeOf(
      [{ text: "## Errors\n- Open: the im", finish: "length" }],
      {},
      { maxOutputTokens: 2000 },
    );
    expect(caps).toEqual([1500, 2000, 2000]);
    expect(error).toMatchObject({ code: "TRUNCATED_ANSWER" });
  });

  it.each([[""], ["   \n"], ["<think>only thoughts</think>"], ["```markdown\n```"]])(
    "is a failure in the end: %j",
    async (text) => {
      const { error, caps } = await outcomeOf([text]);
      expect(error).toMatchObject({ code: "EMPTY_ANSWER", data: { failures: 1 } });
      expect(caps).toHaveLength(3);
    },
  );
});

describe("a refusal", () => {
  const filter = failure("MODEL_REFUSED");
  it.each<readonly [string, Script]>([
    ["a short one", REFUSAL],
    ["300 words that mention the topic", LONG_REFUSAL],
    [
      "one that names a file of the input",
      `I cannot assist with src/import/rows.ts. ${"It is a sensitive matter. ".repeat(20)}`,
    ],
    ["one under a title", `## Summary\n${REFUSAL}`],
    ["one in another language", "Desculpe, não posso ajudar com isso."],
    ["the provider's", { text: "", finish: "refusal" }],
    ["a content filter's", filter],
  ])("moves to brief once, then it is a failure: %s", async (_what, answer) => {
    verifies("field/refusal-stored-as-memory");
    const { model, error, setbacks } = await outcomeOf([answer]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[0]?.system).toContain("## Commands and their outcome");
    expect(model.requests[1]?.system).not.toContain("## Commands and their outcome");
    expect(model.requests[1]?.system).toContain("few neutral lines");
    expect(steps(setbacks)).toEqual(["REFUSED -> brief", "REFUSED -> give-up"]);
    expect(error).toMatchObject({ kind: "SummarizationFailed", code: "REFUSED", data: { failures: 1 } });
    expect(error?.message).not.toContain("sorry");
  });

  it("is followed by a brief summary that says so", async () => {
    const { summary } = await outcomeOf([REFUSAL, GOOD]);
    expect(summary).toMatchObject({ strategy: "brief", usage: { calls: 2 } });
    expect(summary?.text).not.toContain("## Commands and their outcome");
  });

  it("under brief is a failure at once", async () => {
    const { caps, setbacks } = await outcomeOf([REFUSAL], { strategy: "brief" });
    expect(caps).toHaveLength(1);
    expect(steps(setbacks)).toEqual(["REFUSED -> give-up"]);
  });

  it("is not seen in a summary that tells of one", async () => {
    const { summary } = await outcomeOf([
      `${GOOD}\n\n## Progress\n- I cannot deploy from here, the assistant said [1.12]`,
    ]);
    expect(summary?.text).toContain("I cannot deploy from here");
  });
});

describe("an answer that acts, chats or reports a failure", () => {
  const CASES: readonly Script[] = [
    { text: "", finish: "calls" },
    "Great, running the tests now…",
    "Sure! Let me open src/import/rows.ts first.",
    "I'll start by documenting the option in src/import/rows.ts.",
    "Which of the two options should I document?",
    "Assistant: the option is documented in src/import/rows.ts.",
    '{"tool_calls":[{"name":"run_command","arguments":"{}"}]}',
    "<tool_call>run_command</tool_call>",
    "Continuing with src/import/rows.ts: next I'll document the option.",
    "Alles klar, ich mache mit src/import/rows.ts weiter.",
    "```bash\nsed -i s/a/b/ src/import/rows.ts\n```",
    'Action: edit\nAction Input: {"path":"src/import/rows.ts"}',
    "<!DOCTYPE html><html><title>src/import/rows.ts: 502 Bad Gateway</title></html>",
    "litellm.RateLimitError: src/import/rows.ts was not read",
    "Error: 429 rate limited",
    "503 Service Unavailable",
    "Internal server error",
  ];
  it.each(CASES.map((script) => [script] as const))(
    "is retried once with a sharper instruction: %j",
    async (script) => {
      const { error, model, setbacks } = await outcomeOf([script]);
      expect(steps(setbacks)).toEqual(["NO_SUMMARY -> retry", "NO_SUMMARY -> give-up"]);
      expect(error).toMatchObject({ code: "NO_SUMMARY", data: { failures: 1 } });
      expect(model.requests[0]?.prompt).not.toContain("An earlier answer");
      expect(model.requests[1]?.prompt).toMatch(/^An earlier answer to this request was no record/);
    },
  );

  it.each([
    'The assistant announced "I\'ll use the csv parser" [1.5]. src/import/rows.ts is repaired [1.6].',
    "AssertionError: expected 2 rows, got 1 [1.4]; src/import/rows.ts was repaired [1.6].",
    "Done: src/import/rows.ts is repaired [1.6]. Next: document the option [1.10].",
    "Klarer Auftrag: nach src/import/rows.ts fehlt die Dokumentation.",
    "HTML is not touched, src/import/rows.ts is repaired.",
    'The assistant announced "I\'ll use the csv parser", src/import/rows.ts is repaired.',
  ])("is not one that records what was said, however it opens: %s", async (answer) => {
    const { summary, model } = await outcomeOf([answer]);
    expect(model.requests).toHaveLength(1);
    expect(summary?.text).toContain(answer.slice(-14));
  });

  it("gives way to the summary that follows, and a request has no tools", async () => {
    verifies("field/summarizer-acts-instead");
    for (const bad of [{ text: "", finish: "calls" }, "Great, running the tests now…"] satisfies Script[]) {
      const { summary, model } = await outcomeOf([bad, GOOD]);
      expect(summary?.text).toContain("parseRow takes options");
      expect(summary?.text).not.toContain("running the tests");
      const { prompt, system } = model.requests[0] ?? { prompt: "", system: "" };
      expect(Object.keys(model.requests[0] ?? {}).sort()).toEqual([
        "maxTokens",
        "prompt",
        "seed",
        "signal",
        "system",
        "temperature",
      ]);
      expect(system).toContain("You have no tools");
      const blocks = [...prompt.matchAll(/^<transcript-([0-9a-f]{16})>\n[\s\S]*?\n<\/transcript-\1>$/gm)];
      expect(blocks).toHaveLength(1);
      const [before = "", after = ""] = prompt.split(blocks[0]?.[0] ?? "?");
      expect(before).toContain("Write the record of the transcript below");
      expect(after).toContain("Now write the record, and nothing else");
    }
  });
});

describe("a failing call", () => {
  it("that may pass is tried again, then it is a failure with the number of failed calls", async () => {
    const { error, caps, setbacks } = await outcomeOf([failure("MODEL_UNAVAILABLE")]);
    expect(caps).toHaveLength(3);
    expect(error).toMatchObject({ code: "MODEL_UNAVAILABLE", data: { failures: 3, calls: 3 } });
    expect(steps(setbacks)).toEqual([
      "MODEL_UNAVAILABLE -> retry",
      "MODEL_UNAVAILABLE -> retry",
      "MODEL_UNAVAILABLE -> give-up",
    ]);
  });

  it("that passes leaves no trace but its setback", async () => {
    const { summary, setbacks } = await outcomeOf([failure("MODEL_TIMEOUT"), GOOD]);
    expect(summary?.usage?.calls).toBe(2);
    expect(steps(setbacks)).toEqual(["MODEL_TIMEOUT -> retry"]);
  });

  it("that cannot pass is not tried again", async () => {
    const { error, caps } = await outcomeOf([failure("MODEL_REJECTED")]);
    expect(caps).toHaveLength(1);
    expect(error).toMatchObject({ code: "MODEL_REJECTED", data: { failures: 1 } });
  });

  it("throws an abort on as it is", async () => {
    const controller = new AbortController();
    const { summarizer } = summarizerBench([
      () => {
        controller.abort(new Error("stopped by the user"));
        return GOOD;
      },
    ]);
    const request = requestOf(REPAIR, { signal: controller.signal });
    await expect(summarizer.summarize(request)).rejects.toThrow("stopped by the user");
  });
});

describe("the number of calls", () => {
  it("is bounded for a model that finds another fault each time", async () => {
    const faults: readonly Script[] = [
      words(3000),
      { text: "", finish: "length" },
      "Great, running the tests now…",
      words(3000),
      { text: "", finish: "length" },
      REFUSAL,
      words(3000),
      "Sure, done.",
    ];
    const { caps, error, setbacks } = await outcomeOf(faults);
    expect(caps.length).toBeLessThanOrEqual(7);
    expect(error).toMatchObject({ kind: "SummarizationFailed" });
    expect(setbacks.at(-1)?.next).toBe("give-up");
    expect(MOST_CALLS).toBe(36);
  });

  it("passes temperature and seed on, and asks for at least one token", async () => {
    const { summarizer, model } = summarizerBench([GOOD], { temperature: 0, seed: 42 });
    await summarizer.summarize(requestOf(REPAIR, { maxTokens: 1 })).catch(() => undefined);
    expect(model.requests[0]).toMatchObject({ temperature: 0, seed: 42, maxTokens: 1 });
  });

  it("reports what the provider says it cost, else what was counted", async () => {
    const told = await outcomeOf([{ text: GOOD, usage: { inputTokens: 900, outputTokens: 70 } }]);
    expect(told.summary?.usage).toEqual({ calls: 1, inputTokens: 900, outputTokens: 70 });
    const counted = await outcomeOf([GOOD]);
    expect(counted.summary?.usage?.outputTokens).toBe(counted.request.count(GOOD));
  });
});

describe("a class as a model", () => {
  it("keeps its `this`", async () => {
    class Local {
      readonly name = "local";
      #calls = 0;
      readonly inner = recordingModel([GOOD]);
      complete(request: Parameters<typeof this.inner.complete>[0]) {
        this.#calls += 1;
        return this.inner.complete(request);
      }
    }
    const { summarizer } = summarizerBench([], { model: new Local(), redactor: createRedactor({ enabled: false }) });
    expect((await summarizer.summarize(requestOf(REPAIR))).text).toContain("parseRow takes options");
  });
});
