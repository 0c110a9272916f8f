// The signs by which pieces of text are ranked, each on a conversation of a few messages.
import { describe, expect, it } from "vitest";
import { type RankedPiece, rankPieces } from "../../src/summaries/rank.ts";
import { type Unit, unitsOf } from "../../src/summaries/units.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { assistant, type ChatMessage, pair, user } from "../conversation/support.ts";
import { requestOf } from "./session.ts";

function rank(messages: readonly ChatMessage[]) {
  const request = requestOf(messages);
  const units = unitsOf(request.ledger);
  const pieces = runThrough(rankPieces(units, ({ worth }: Unit) => worth, request.count));
  const textOf = ({ unit, start, end }: RankedPiece) => units[unit]?.text.slice(start, end).trim() ?? "";
  const placeOf = (words: string) => pieces.findIndex((piece) => textOf(piece).includes(words));
  return { units, pieces, placeOf, texts: pieces.map(textOf) };
}

const step = (id: string) => pair([id], "ok", "run_command", { command: `make part-${id}` });

describe("a piece is worth more", () => {
  it("when it closes what was asked than when it is a step on the way", () => {
    const { placeOf } = rank([
      user("Why does the import stop?"),
      assistant("The loader opens the second file."),
      ...step("a"),
      assistant("The loader closes the second file."),
      ...step("b"),
      assistant("The loader skips the second file."),
      user("Thanks."),
    ]);
    expect(placeOf("skips the second")).toBeLessThan(placeOf("opens the second"));
    expect(placeOf("skips the second")).toBeLessThan(placeOf("closes the second"));
  });

  it("when it tells something than when it announces the call behind it", () => {
    const { placeOf } = rank([
      user("Why does the import stop?"),
      assistant("The loader skips the second file.\nNow let me look into the loader."),
      ...step("a"),
      assistant("It stops at line nine."),
    ]);
    expect(placeOf("skips the second")).toBeLessThan(placeOf("let me look"));
  });

  it("when it has words: a fence or a rule stands only between two that do", () => {
    const { texts } = rank([user("How is it run?"), assistant("Like this:\n\n---\n```bash\nmake night\n```\n")]);
    expect(texts).not.toContain("```bash");
    expect(texts).not.toContain("---");
    expect(texts).toContain("make night");
  });

  it("when it is the question at the end of a message than in its middle", () => {
    const { placeOf } = rank([
      user("Clean the folder up."),
      assistant(
        "What do the older folders hold, and who reads them? The folder holds reports that nobody has opened since spring, most of them in two copies. Should the older reports move to the attic, or should they go?",
      ),
    ]);
    expect(placeOf("move to the attic")).toBeLessThan(placeOf("who reads them"));
  });

  it("when it is newer, all else being the same", () => {
    const turn = (word: string) => [user(`Look at the ${word} shelf.`), ...step(word), assistant(`Done with ${word}.`)];
    const { placeOf } = rank(["red", "green", "brown", "blue"].flatMap(turn));
    expect(placeOf("Look at the blue")).toBeLessThan(placeOf("Look at the red"));
  });

  it("when later words come back to what it names", () => {
    const { placeOf } = rank([
      user("Two things are odd about the night run."),
      assistant("It leaves a quokkafile behind.\nIt leaves a wombatfile behind.\nIt ends at three."),
      user("Tell me more of the quokkafile."),
      ...step("a"),
      assistant("The quokkafile is empty."),
    ]);
    expect(placeOf("leaves a quokkafile")).toBeLessThan(placeOf("leaves a wombatfile"));
  });

  it("when it names and counts than when it is friendly", () => {
    const { placeOf } = rank([
      user("Hi Ana, it was so lovely to see you again, you are always so kind to everybody!"),
      assistant("Hello! I moved to Porto in May 2031 and work for Quintela there, three days a week."),
      user("How nice for you! You must be so glad about it, you have wanted that for so long."),
    ]);
    expect(placeOf("moved to Porto")).toBe(0);
  });
});

describe("a sentence that was said twice", () => {
  it("stands once, where it was said last", () => {
    const said = "The nightly backup must be verified by hand.";
    const { units, pieces, texts } = rank([
      user(said),
      assistant("Yes."),
      user(`${said}\nOnce more.`),
      assistant("Yes."),
    ]);
    const places = texts.flatMap((text, at) => (text === said ? [units[pieces[at]?.unit ?? 0]] : []));
    const talk = places.filter((unit) => unit?.section === "talk");
    expect(talk.map((unit) => unit?.source.message)).toEqual([3]);
  });
});

it("ranks a long text's further pieces lower, so that short texts stay whole", () => {
  const long = Array.from({ length: 60 }, (_, n) => `Shelf ${n} holds ${n * 3} folders of reports from the archive.`);
  const { placeOf } = rank([user(long.join("\n")), assistant("I see."), user("The lamp is broken."), assistant("ok")]);
  expect(placeOf("lamp is broken")).toBeLessThan(10);
});
