// Many rounds with a model that forgets or repeats: what code carries does not depend on it.
import { describe, expect, it } from "vitest";
import { mergeLedgers } from "../../src/facts/extract-facts.ts";
import { EMPTY_LEDGER } from "../../src/facts/ledger.ts";
import type { SummaryRequest } from "../../src/summaries/summarizer.ts";
import { assistant, type ChatMessage, turns, user } from "../conversation/support.ts";
import { GOOD, REPAIR, requestOf, type Script, summarizerBench } from "./session.ts";

const PLANTED: readonly ChatMessage[] = [
  user("Ticket INC-40417, region eu-central-9, deadline 2031-04-17 06:30 UTC."),
  assistant("Looking at src/pay/ledger_v3.ts:212, the archive is s3://acme-cold/raw."),
  user("Set maxRetry=17. The approver is Dana Whitfield. The last good commit is 9f8e7d6c5b."),
  assistant("maxRetry=17 is set."),
];
const FACTS = [
  "INC-40417",
  "eu-central-9",
  "2031-04-17 06:30 UTC",
  "src/pay/ledger_v3.ts:212",
  "s3://acme-cold/raw",
  "maxRetry=17",
  "Dana Whitfield",
  "9f8e7d6c5b",
];

/** Rounds as a conversation runs them: each ledger is merged into the carried one, each text is the next one's record. */
async function runRounds(
  rounds: number,
  messagesOf: (round: number) => readonly ChatMessage[],
  script: readonly Script[],
  rest: Partial<SummaryRequest>,
): Promise<readonly { readonly text: string; readonly tokens: number }[]> {
  const { summarizer } = summarizerBench(script);
  const results: { text: string; tokens: number }[] = [];
  let ledger = EMPTY_LEDGER;
  let previous: string | undefined;
  for (let round = 1; round <= rounds; round++) {
    const found = requestOf(messagesOf(round), rest, round);
    ledger = mergeLedgers(ledger, found.ledger);
    const request = { ...found, ledger, ...(previous === undefined ? {} : { previous }) };
    const { text } = await summarizer.summarize(request);
    results.push({ text, tokens: request.count(text) });
    previous = text;
  }
  return results;
}

describe("a model that forgets", () => {
  it("loses none of eight facts in five rounds of saying nothing", async () => {
    const messages = (round: number) =>
      round === 1 ? [...PLANTED, ...turns(10)] : turns(10, (n) => `round ${round} step ${n}`);
    const results = await runRounds(5, messages, ["Work continued."], { maxTokens: 4000 });
    for (const { text, tokens } of results) {
      for (const fact of FACTS) expect(text).toContain(fact);
      expect(tokens).toBeLessThanOrEqual(4000);
    }
  });

  it("loses none when it drops half of what it is shown", async () => {
    const halve: Script = ({ prompt }) => {
      const record = /<record-[0-9a-f]{16}>\n([\s\S]*?)\n<\/record-/.exec(prompt)?.[1] ?? "";
      const lines = record
        .split("\n")
        .map((line) => line.replace(/^\| ?/, ""))
        .filter((line) => line.startsWith("- "));
      return `## Findings and results\n- The work goes on\n${lines.filter((_, n) => n % 2 === 0).join("\n")}`;
    };
    const messages = (round: number) =>
      round === 1 ? [...PLANTED, ...turns(10)] : turns(10, (n) => `round ${round} step ${n}`);
    const results = await runRounds(5, messages, [halve], { maxTokens: 6000 });
    for (const fact of FACTS) expect(results.at(-1)?.text).toContain(fact);
  });
});

describe("a model that repeats everything", () => {
  it("makes one summary within its cap, without nesting, for eight rounds", async () => {
    const echo: Script = ({ prompt, maxTokens }) => {
      const lines = prompt
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .map((line) => line.slice(2).replace(/^#+ /, "## "));
      return `## Findings and results\n${lines.join("\n").slice(0, maxTokens * 2)}`;
    };
    const messages = (round: number) => [
      ...turns(20, (n) => `round ${round} step ${n}`),
      assistant(`State after round ${round}: part ${round} is done.`),
    ];
    const results = await runRounds(8, messages, [echo], { maxTokens: 2500 });
    for (const { text, tokens } of results) {
      expect(tokens).toBeLessThanOrEqual(2500);
      const titles = text.match(/^## .*$/gm) ?? [];
      expect(new Set(titles).size).toBe(titles.length);
      expect(text.match(/^Covers \d+ passages/gm)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(text).not.toMatch(/<\/?(?:COMPACT|transcript|record)-/);
    }
  });
});

describe("finished work", () => {
  it("stays finished although the model says that it was only announced", async () => {
    const steps = [
      user("Do the three phases."),
      assistant("I will start phase 1 now: move the tables."),
      ...REPAIR.slice(2, 6),
      assistant("Phase 1 is done: the tables are moved."),
      user("Confirmed, phase 1 is fine."),
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "t",
            type: "function" as const,
            function: {
              name: "todo_write",
              arguments: JSON.stringify({
                todos: [
                  { content: "phase 1: move the tables", status: "completed" },
                  { content: "phase 2: switch the readers", status: "completed" },
                  { content: "phase 3: drop the old copy", status: "in_progress" },
                ],
              }),
            },
          },
        ],
      },
      { role: "tool", tool_call_id: "t", content: "ok" },
    ];
    const { summarizer } = summarizerBench([
      "## Where things stand\n- Not started: phase 1, move the tables [1.2]\n- I will switch the readers in phase 2 [1.7]\n- Current step: phase 3 [1.9]",
    ]);
    const { text } = await summarizer.summarize(requestOf(steps));
    const plan = text.split("\n## ").find((section) => section.startsWith("Where things stand")) ?? "";
    expect(plan).toMatch(/Done: phase 1.* move the tables/u);
    expect(plan).toContain("phase 2");
    expect(plan).toContain("Current step: phase 3 [1.9]");
    expect(plan).not.toMatch(/Not started: phase 1/);
  });
});

describe("an answer that fits", () => {
  it("gives way to what is essential when the cap bites, the oldest detail first", async () => {
    const many = Array.from(
      { length: 60 },
      (_, n) => `- Detail ${n} of the parser was discussed at some length [1.${(n % 12) + 1}]`,
    );
    const answer = `${GOOD}\n\n## Findings and results\n${many.join("\n")}`;
    const { summarizer } = summarizerBench([answer]);
    const maxTokens = requestOf([]).count(answer) + 20;
    const request = requestOf(REPAIR, { maxTokens });
    const { text } = await summarizer.summarize(request);
    expect(request.count(text)).toBeLessThanOrEqual(maxTokens);
    expect(text).toContain("Good. Use maxRetry=17 from now on, and deploy to eu-central-9 only.");
    expect(text).toContain("Current step: document the option [1.10]");
    expect(text.match(/- Detail \d+/g)?.length).toBeLessThan(60);
    const kept = [...text.matchAll(/- Detail (\d+) [^\n]*\[1\.(\d+)\]/g)].map((match) => Number(match[2]));
    const gone = Math.min(...kept);
    expect(gone).toBeGreaterThan(1);
  });
});
