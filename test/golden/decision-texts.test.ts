// The texts that code writes of decisions, word for word. A change of wording shows as a difference in the file: read it,
// and update with `npx vitest run test/golden -u` when it is what you wanted.
import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../src/decisions/decision.ts";
import { createTextWriter } from "../../src/decisions/texts/text-writer.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { createModelSummarizer } from "../../src/summaries/model-summarizer.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import { createScriptedModel } from "../../src/testing.ts";
import { decisionOf, REVIEWED } from "../decisions/texts/records.ts";
import { verifies } from "../requirements/verifies.ts";

const records: readonly RawDecision[] = [
  REVIEWED,
  {
    id: "short",
    decision: "Use one log per service",
    reasons: [{ type: "pattern", text: "One place to look" }],
  },
  {
    id: "failure",
    decision: "Deploy the new scheduler on a Friday evening without a second pair of eyes, because the window was free",
    reasons: [
      { type: "authority", text: "The release was promised for the week.", strength: 0.3 },
      { type: "analysis", text: "The change touches no more than 4 files; the tests are green.", strength: 0.6 },
    ],
    outcome: "failure",
    actual_result: "Jobs of 3 customers ran twice between 22:10 and 01:40. INC-2207 was opened by support.",
    lessons: "- Never deploy on a Friday after 15:00.\n- A green suite says nothing about `cron` on two hosts.",
  },
  {
    id: "markdown",
    decision: "Keep guardrails as YAML files",
    context:
      "## Background\n\nGuardrails could also be rows of the vector store. Then they would be found by likeness, e.g. for a misspelt tool.\n\n```yaml\nid: no-push\n```\n",
  },
  {
    id: "chinese",
    decision:
      "把价格表缓存在商店自己的进程里，而不是放在共享的集群中，因为价格表每天只改两次却每分钟被读九百次，而且集群在六月之前不能扩容，每次读取都要十一毫秒",
    reasons: ["价格表每天只改两次。不要在六月之前扩容。"],
    actual_result: "p95 从 410 ms 降到 60 ms。",
  },
];

describe("golden texts of decisions", () => {
  it("by code", async () => {
    verifies("decisions/process-summarize");
    const write = async () => {
      const writer = createTextWriter({
        summarizer: createExtractiveSummarizer(),
        count: (text) => text.length,
        redact: (text) => text,
      });
      const parts: string[] = [];
      for (const raw of records) {
        const decision = decisionOf(raw);
        const [digest, summary] = [await writer.write(decision, "digest"), await writer.write(decision, "summary")];
        parts.push(`## ${decision.id}\n\ndigest: ${digest.text}\n\nsummary: ${summary.text}\n`);
      }
      return parts.join("\n");
    };
    const text = await write();
    expect(await write()).toBe(text);
    await expect(text).toMatchFileSnapshot("decision-texts.md");
  });

  it("what a model is asked, seed 42 and temperature 0", async () => {
    const model = createScriptedModel(["Work continued."]);
    const summarizer = createModelSummarizer({
      model,
      redactor: createRedactor(),
      extractive: createExtractiveSummarizer(),
      seed: 42,
      temperature: 0,
    });
    const writer = createTextWriter({ summarizer, count: (text) => text.length / 4, redact: (text) => text });
    await writer.write(decisionOf(REVIEWED), "summary");
    await writer.write(decisionOf(REVIEWED), "digest");
    const asked = model.calls.map(
      ({ system, prompt, seed, temperature }) =>
        `${system}\n\n--- prompt, seed ${seed}, temperature ${temperature} ---\n\n${prompt}`,
    );
    await expect(`${asked.join("\n\n======\n\n")}\n`).toMatchFileSnapshot("model/decision.prompts.md");
  });
});
