// What a session taught, as rows: one a request, in the words of those who spoke.
import { describe, expect, it } from "vitest";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { lessonsOf } from "../../src/summaries/lessons.ts";
import { createTokenCounter } from "../../src/tokens/create-token-counter.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { assistant, type ChatMessage, pair, user } from "../conversation/support.ts";

const counter = createTokenCounter({ encoding: "o200k_base" });

const inputsOf = (messages: readonly ChatMessage[], step: number) =>
  messages.map((message, at) => ({ view: openaiChatFormat.view(message), source: { step, message: at + 1 } }));

function learn(...readings: readonly (readonly ChatMessage[])[]) {
  const ledger = extractFacts(
    readings.flatMap((messages, at) => inputsOf(messages, at + 1)),
    (text) => text,
  );
  return runThrough(lessonsOf(ledger, (text) => counter.count(text)));
}

const edit = (id: string, path: string) =>
  pair([id], "ok", "edit_file", { path, old_string: "parse(line)", new_string: "parse(line, options)" });

const WORK: readonly ChatMessage[] = [
  user("The nightly import of the tariff table loses rows with quotes in them, please find out why and mend it."),
  assistant("Let me run the tests first."),
  ...pair(["a"], "FAIL rows.test.ts\nError: expected 2 rows, got 1", "run_command", {
    command: "npx vitest run rows.test.ts",
  }),
  assistant("The regular expression ends a field at the first quote, so a doubled quote ends the row too early."),
  ...edit("b", "/srv/app/src/import/rows.ts"),
  ...pair(["c"], "Tests 4 passed (4)", "run_command", { command: "npx vitest run rows.test.ts" }),
  assistant(
    "The import keeps such rows now: a doubled quote is read as one quote. All 4 tests pass. Should the old rows be imported again, or do they stay as they are?",
  ),
  user("import them again, but only those of March"),
  ...edit("d", "/srv/app/scripts/again.ts"),
  assistant("The script `scripts/again.ts` imports the rows of March anew and leaves all other months as they are."),
  user("continue"),
  assistant("It has run: 412 rows of March were imported, none was refused."),
  user("thanks, that is all for today then"),
  assistant("You are welcome."),
];

describe("what a session taught", () => {
  it("is a row for each request that came to something: the cause, what concludes it, what was settled, what changed", () => {
    const [mended, settled, ...rest] = learn(WORK);
    expect(rest).toEqual([]);
    expect(mended).toMatchObject({ type: "bugfix", from: { step: 1, message: 1 }, to: { step: 1, message: 10 } });
    expect(mended?.title).toMatch(/^The nightly import of the tariff table loses rows/);
    for (const told of [
      "a doubled quote ends the row too early",
      "All 4 tests pass",
      "Changed so far: src/import/rows.ts",
    ])
      expect(mended?.content).toContain(told);
    // What only announces, what tools said, and what is asked and answered next.
    for (const left of ["Let me run", "expected 2 rows", "Should the old rows"])
      expect(mended?.content).not.toContain(left);
    expect(settled).toMatchObject({ type: "decision", from: { step: 1, message: 11 }, to: { step: 1, message: 16 } });
    for (const told of ["Question: Should the old rows be imported again", "only those of March", "412 rows of March"])
      expect(settled?.content).toContain(told);
  });

  it("has what was proposed with the answer that settled it, one row an answer", () => {
    const [first, second, ...rest] = learn([
      user("How shall the ferry timetable be stored, so that a change of the season is one edit and nothing is lost?"),
      assistant(
        "A table of seasons, each with its first day, and the departures of each by pier. Does this layout fit?",
      ),
      user("yes"),
      assistant(
        "The import reads the sheets of the harbour office once a week and refuses a sheet without a season. Is once a week right?",
      ),
      user("no, each night"),
      assistant("Noted: each night."),
    ]);
    expect(rest).toEqual([]);
    expect(first?.content).toBe(
      "Asked: How shall the ferry timetable be stored, so that a change of the season is one edit and nothing is lost?\n" +
        "A table of seasons, each with its first day, and the departures of each by pier. …\n" +
        "Question: Does this layout fit?\nAnswered: yes",
    );
    expect(second?.title).toBe("Is once a week right? no, each night");
    expect(second?.content).toBe(
      "The import reads the sheets of the harbour office once a week and refuses a sheet without a season. …\n" +
        "Question: Is once a week right?\nAnswered: no, each night\nNoted: each night.",
    );
  });

  it("takes for an answer only what speaks of the question or is short, and once where the question is always the same", () => {
    const ask =
      "All of this is written down now and stands in the second table. Ready for the next one, or for a break?";
    const rows = learn([
      user("Write the hours of the ferry to the islands down, and those of the night bus too."),
      assistant(ask),
      user("the third column of the table should be as wide as the others, and the heading of it in bold letters"),
      assistant(ask),
      user("now the prices, please"),
      assistant("The prices stand there now: of a day, of a week, and of a season, each with its first day."),
    ]);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ content }) => content.includes("Answered: "))).toEqual([]);
  });

  it("has a name that stays when the session is read again and has gone on", () => {
    const keys = learn(WORK.slice(0, 12)).map(({ key }) => key);
    expect(learn(WORK).map(({ key }) => key)).toEqual(keys);
    expect(learn(WORK.slice(0, 12), WORK).map(({ key }) => key)).toEqual(keys);
    const again = learn([...WORK, ...WORK.slice(0, 8)]);
    expect(again).toHaveLength(3);
    expect(new Set(again.map(({ key }) => key)).size).toBe(3);
  });

  it("is nothing where nobody asked", () => {
    expect(learn([])).toEqual([]);
    expect(learn([assistant("Hello, what may I do for you today? I can read, write and run.")])).toEqual([]);
  });
});
