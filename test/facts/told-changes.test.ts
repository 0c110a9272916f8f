// A change that is told in words of its own: which earlier value it replaces, and what only sounds like it.
import { describe, expect, it } from "vitest";
import { changesStepwise } from "../../src/facts/changes/apply-changes.ts";
import { findChanges } from "../../src/facts/changes/find-changes.ts";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { mergeLedgers } from "../../src/facts/merge-ledgers.ts";
import { overtakeStepwise } from "../../src/facts/overtake.ts";
import { anthropicFormat } from "../../src/formats/anthropic-format.ts";
import { runThrough } from "../../src/tokens/turns/stepwise.ts";
import { verifies } from "../requirements/verifies.ts";

type Said = readonly ["user" | "assistant", string];
const changes = (said: readonly Said[]) =>
  findChanges(said.map(([by, text], at) => ({ by, text, source: { step: 1, message: at + 1 } }))).map(
    ({ oldValue, nowValue }) => `${oldValue} > ${nowValue}`,
  );
const users = (...texts: readonly string[]) => texts.map((text) => ["user", text] as const);
const ledgerOf = (step: number, said: readonly Said[]) =>
  extractFacts(
    said.map(([role, content], at) => ({
      view: anthropicFormat.view({ role, content }),
      source: { step, message: at + 1 },
    })),
    (text) => text,
  );

describe("a value that is replaced in a sentence of another shape", () => {
  it.each([
    [
      "The crawler waits 20 seconds between pages.",
      "That is too slow, have the crawler wait 5 seconds.",
      "20 seconds > 5 seconds",
    ],
    ["Invoices go out on 2031-03-01.", "Invoices are delayed, they go out on 2031-03-09.", "2031-03-01 > 2031-03-09"],
    ["Uploads are limited to 20 MB.", "Scratch that. Uploads: 45 MB.", "20 MB > 45 MB"],
    [
      "Traces land on trace-1.internal:4317.",
      "As of today traces land on trace-9.internal:4319.",
      "trace-1.internal:4317 > trace-9.internal:4319",
    ],
    ["Das Archiv hält 30 Tage vor.", "Beim Archiv genügen doch 14 Tage.", "30 Tage > 14 Tage"],
    ["La reunión es el 12 de mayo.", "Han aplazado la reunión al 19 de mayo.", "12 de mayo > 19 de mayo"],
    ["Le robot fait 3 tentatives.", "Finalement le robot fera 8 tentatives.", "3 tentatives > 8 tentatives"],
    ["A fila aceita 40 mensagens.", "Na verdade a fila aceita 90 mensagens.", "40 mensagens > 90 mensagens"],
    ["日志保留 30 天。", "日志改成保留 90 天吧。", "30 天 > 90 天"],
    ["リトライは 3 回です。", "リトライはやっぱり 5 回にしてください。", "3 回 > 5 回"],
  ])("%s %s", (before, after, expected) => {
    expect(changes(users(before, after))).toEqual([expected]);
  });

  it("knows what the assistant reports to have changed, but not what it only says", () => {
    const before = ["user", "A token lives 15 minutes."] as const;
    expect(changes([before, ["assistant", "Done: I raised the token lifetime to 60 minutes."]])).toEqual([
      "15 minutes > 60 minutes",
    ]);
    expect(changes([before, ["assistant", "Right now the token takes 60 minutes."]])).toEqual([]);
  });

  it("follows several changes of one thing", () => {
    const said = users(
      "The crawler keeps 20 pages.",
      "Make the crawler keep 30 pages instead.",
      "Sorry, the crawler keeps 50 pages after all.",
    );
    expect(changes(said)).toEqual(["20 pages > 30 pages", "30 pages > 50 pages"]);
  });
});

describe("what only sounds like a change", () => {
  it.each<readonly [string, readonly string[]]>([
    ["another kind of setting", ["The worker timeout is 30 seconds.", "The worker delay is now 45 seconds."]],
    ["another side", ["Production runs 12 replicas.", "Staging now runs 4 replicas."]],
    [
      "another part of one thing",
      ["The api gateway has 30 replicas.", "As of today the api workers have 12 replicas."],
    ],
    ["another unit", ["The cache keeps 30 minutes.", "The cache now keeps 400 rows."]],
    ["another shape", ["The cache is cleared on 2031-02-03.", "The cache now has 64 MB."]],
    ["no word of change", ["The crawler opens 20 pages.", "Somebody saw the crawler open 31 pages."]],
    ["a question", ["The crawler opens 20 pages.", "Should the crawler open 30 pages instead?"]],
    ["a condition", ["The crawler opens 20 pages.", "If the crawler moved to 30 pages, we would be blocked."]],
    ["a prohibition", ["The crawler opens 20 pages.", "Don't raise the crawler to 30 pages."]],
    ["a guess", ["The crawler opens 20 pages.", "Maybe the crawler went up to 30 pages."]],
    ["nothing in common", ["The crawler opens 20 pages.", "The brochure now has 30 pages."]],
    [
      "two that could be meant",
      ["Crawler A opens 20 pages.", "Crawler B opens 30 pages.", "The crawler opens 40 pages now."],
    ],
    ["numbers of a list", ["Do step 3 of the crawler.", "Now do step 4 of the crawler."]],
    ["what is about nothing", ["We have 20 of them.", "Now we have 30 of them."]],
  ])("%s", (_name, texts) => {
    expect(changes(users(...texts))).toEqual([]);
  });
});

describe("told changes in the ledger", () => {
  const before = users("A token lives 15 minutes.");
  const after = users("Turns out that is too short, let tokens live 60 minutes.");
  const marks = (values: ReturnType<typeof ledgerOf>["values"]) =>
    values.map(({ value, supersededBy }) => [value, supersededBy === undefined ? "current" : "replaced"]);
  const expected = [
    ["15 minutes", "replaced"],
    ["60 minutes", "current"],
  ];

  it("are marked within a round, over rounds, and once only", () => {
    verifies("field/exact-facts-decay");
    expect(marks(ledgerOf(1, [...before, ...after]).values)).toEqual(expected);
    const merged = mergeLedgers(ledgerOf(1, before), ledgerOf(2, after));
    expect(marks(merged.values)).toEqual(expected);
    expect(marks(mergeLedgers(merged, ledgerOf(3, users("Thanks, go on."))).values)).toEqual(expected);
  });

  it("mark the old value also where the new one is still in the conversation", () => {
    const overtaken = runThrough(overtakeStepwise(ledgerOf(1, before), ledgerOf(2, after)));
    expect(marks(overtaken.values)).toEqual(expected.slice(0, 1));
  });

  it.each(["7 a ", "now 7 pages. ", "改 7 天。", "é 7\n"])("end on a megabyte of %j", (unit) => {
    const said = ledgerOf(1, users("The crawler opens 20 pages."));
    const long = {
      userMessages: [
        {
          kind: "user_message",
          author: "user",
          blocks: [unit.repeat(1_000_000 / unit.length)],
          source: { step: 2, message: 1 },
        },
      ],
      statements: [],
    } as const;
    expect(runThrough(changesStepwise(said, long))).toBeInstanceOf(Array);
  });
});
