import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { aiderReader, readAiderHistory } from "../../../src/session-files/aider.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";

interface Message {
  readonly role: string;
  readonly content: readonly { readonly text: string }[];
}

const HEADER = "# aider chat started at 2026-01-02 10:00:00";
const read = (...lines: readonly string[]) => readAiderHistory([HEADER, ...lines].join("\n"));
/** Who said what; the host's in brackets. */
const said = ({ messages }: { readonly messages: readonly unknown[] }) =>
  (messages as readonly Message[]).map(({ role, content }) => [
    role,
    ...content.map((block) => (isHostWritten(block) ? `[${block.text}]` : block.text)),
  ]);

describe("reading an aider chat history", () => {
  it("tells prompts, answers and what the host printed apart", () => {
    const history = read(
      "",
      "> Aider v0.80.0  ",
      "> Main model: claude-y with diff edit format  ",
      "",
      "#### Rename cart to basket,  ",
      "####   ",
      "#### everywhere  ",
      "",
      "I rename it.",
      "",
      "#### Why",
      "> a quotation",
      "",
      "Because.",
      "",
      "> Applied edit to src/cart.ts  ",
      "> Commit 1a2b3c4 rename  ",
      "",
      "#### thanks  ",
    );
    expect(said(history)).toEqual([
      ["user", "[Aider v0.80.0\nMain model: claude-y with diff edit format]", "Rename cart to basket,\n\neverywhere"],
      ["assistant", "I rename it.\n\n#### Why\n> a quotation\n\nBecause."],
      ["user", "[Applied edit to src/cart.ts\nCommit 1a2b3c4 rename]", "thanks"],
    ]);
    expect(history.sources).toEqual([
      [3, 4, 6, 7, 8],
      [10, 12, 13, 15],
      [17, 18, 20],
    ]);
    expect(history).toMatchObject({ sessionId: undefined, model: "claude-y", notes: [] });
    expect(anthropicFormat.validate(history.messages)).toEqual([]);
  });

  it("joins the sessions of a file and says so", () => {
    const history = read("#### first  ", "", "one", "", HEADER, "", "#### second  ", "", "two");
    expect(said(history)).toEqual([
      ["user", "first"],
      ["assistant", "one"],
      ["user", "second"],
      ["assistant", "two"],
    ]);
    expect(history.notes).toEqual([
      { code: "joined_sessions", message: "2 sessions in the file were joined, one after another" },
    ]);
  });

  it("keeps a text of several lines that a command printed together, quotations and empty lines in it", () => {
    const history = read(
      "#### /run pytest  ",
      "> === test session starts ===",
      "tests/test_cart.py F",
      "    ",
      ">   assert total == 3",
      "=== 1 failed ===  ",
      "",
      "#### fix it  ",
      "",
      "Done.",
    );
    expect(said(history)).toEqual([
      [
        "user",
        "[/run pytest]",
        "[=== test session starts ===\ntests/test_cart.py F\n    \n>   assert total == 3\n=== 1 failed ===]",
        "fix it",
      ],
      ["assistant", "Done."],
    ]);
  });

  it("takes orders to the host for what they are, and a question put by a command for a question", () => {
    const prompts = ["/add src/cart.ts", "!make", "/ask why?", "/usr/bin/env is missing", "// a comment", "/ex"];
    const history = read(...prompts.flatMap((prompt) => [`#### ${prompt}  `, ""]));
    expect(said(history)).toEqual([
      ["user", "[/add src/cart.ts]", "[!make]", "/ask why?", "/usr/bin/env is missing", "// a comment", "[/ex]"],
    ]);
  });

  it("counts the costs after an answer as the host's", () => {
    const history = read(
      "#### hi  ",
      "",
      "Hello!",
      "",
      "> Tokens: 9 sent.",
      "Cost: $0.01 message.  ",
      "",
      "#### go on  ",
    );
    expect(said(history)).toEqual([
      ["user", "hi"],
      ["assistant", "Hello!"],
      ["user", "[Tokens: 9 sent.\nCost: $0.01 message.]", "go on"],
    ]);
  });

  it("reads a file whose white space at line ends was cut, and one with Windows line ends", () => {
    const lines = ["> Aider v1  ", "", "#### do it  ", "#### now  ", "", "Done.", "", "> Applied edit to a.ts  "];
    const whole = said(read(...lines));
    expect(whole).toEqual([
      ["user", "[Aider v1]", "do it\nnow"],
      ["assistant", "Done."],
      ["user", "[Applied edit to a.ts]"],
    ]);
    expect(said(read(...lines.map((line) => line.trimEnd())))).toEqual(whole);
    expect(said(readAiderHistory(`\ufeff${[HEADER, ...lines].join("\r\n")}`))).toEqual(whole);
  });

  it("takes what stands before the first mark of a file that was cut for nobody's words", () => {
    const history = readAiderHistory(["the end of something", "", "#### go on  ", "", "Yes.", "", HEADER].join("\n"));
    expect(said(history)).toEqual([
      ["user", "[the end of something]", "go on"],
      ["assistant", "Yes."],
    ]);
  });

  it("leaves out an empty prompt, and gives an empty list for a history without a word", () => {
    expect(read("#### <blank>  ", "").messages).toEqual([]);
    expect(readAiderHistory("").messages).toEqual([]);
  });

  it("is told by the line that begins a session, wherever it stands", () => {
    expect(aiderReader.matchesText?.(`rest\n\n${HEADER}\n`)).toBe(true);
    expect(aiderReader.matchesText?.(`\ufeff${HEADER}`)).toBe(true);
    expect(aiderReader.matchesText?.(`See "${HEADER}"`)).toBe(false);
    expect(aiderReader.matchesText?.("# Notes\n\n#### heading\n> quotation\n")).toBe(false);
    expect(aiderReader.matches([{ role: "user", content: HEADER }])).toBe(false);
  });

  it("takes a line of megabytes and a hundred thousand lines", () => {
    const history = read("#### go  ", "", "x".repeat(5_000_000), ...Array.from({ length: 100_000 }, () => "> y  "));
    expect(history.messages).toHaveLength(3);
  });
});

describe.skipIf(isCorpusAbsent)("a real aider chat history", () => {
  it.each(corpusFiles(/aider/))("%s: every line of every prompt is in a user's message", (name) => {
    const text = readCorpusText(name);
    const history = readAiderHistory(text);
    const lines = text.split("\n");
    const sessions = lines.filter((line) => line.startsWith("# aider chat started at "));
    expect(history.notes.map(({ message }) => message)).toEqual([
      `${sessions.length} sessions in the file were joined, one after another`,
    ]);
    const takenBy = new Map<number, string>();
    for (const [at, { role }] of (history.messages as readonly Message[]).entries()) {
      for (const line of history.sources[at] ?? []) takenBy.set(line, role);
    }
    const prompts = lines.flatMap((line, at) => (/^#### .*\S.* {2}$/.test(line) ? [at + 1] : []));
    expect(prompts.length).toBeGreaterThan(1000);
    const isBlank = (line: number) => lines[line - 1]?.trim() === "#### <blank>";
    expect(prompts.filter((line) => takenBy.get(line) !== "user" && !isBlank(line))).toEqual([]);
    const filled = lines.flatMap((line, at) =>
      line.trim() !== "" && !line.startsWith("# aider chat") ? [at + 1] : [],
    );
    const lost = filled.filter((line) => !takenBy.has(line) && !isBlank(line));
    expect(lost.filter((line) => !/^(?:>|####)\s*$/.test(lines[line - 1] ?? ""))).toEqual([]);
    expect(anthropicFormat.heal(history.messages).repairs).toEqual([]);
    expect(anthropicFormat.validate(history.messages)).toEqual([]);
  });
});
