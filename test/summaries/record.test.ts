// What is written of the ranked pieces: labels, speakers, what a model said already, what stands whole.
import { describe, expect, it } from "vitest";
import { type RecordRequest, writeRecord } from "../../src/summaries/record.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { assistant, type ChatMessage, pair, user } from "../conversation/support.ts";
import { requestOf } from "./session.ts";
import { workSession } from "./work-session.ts";

function write(messages: readonly ChatMessage[], rest: Partial<RecordRequest> = {}) {
  const { ledger, count } = requestOf(messages);
  const room = 2000;
  return runThrough(writeRecord({ ledger, count, room, strategy: "task_state", header: ["Head."], ...rest }));
}

const CHAT: readonly ChatMessage[] = [
  user("[2031-05-04 10:00] Ana: I start at the bakery on Monday."),
  assistant("[2031-05-04 10:00] Ben: Great! My brother opens his cafe in June, he needs bread."),
  user("[2031-05-04 10:00] Ana: Tell him to call me, we bake from four in the morning."),
  assistant("[2031-05-09 18:30] Ben: He called, he takes forty rolls a day."),
];

describe("a talk between equals", () => {
  it("has its speakers' names, and a date once until it changes", () => {
    const { text } = write(CHAT);
    expect(text).toContain("[2031-05-04 10:00] Ana: I start at the bakery on Monday.");
    expect(text).toContain("\nBen: Great! My brother opens his cafe in June, he needs bread.");
    expect(text.match(/2031-05-04/gu)).toHaveLength(1);
    expect(text.match(/2031-05-09 18:30/gu)).toHaveLength(1);
    expect(text).not.toMatch(/User:|Assistant:|Where things stand/);
  });
});

describe("beside a model's text", () => {
  it("what it lacks comes before what it says already", () => {
    const messages = [
      user("Count the lamps in hall seven and write the number into docs/lamps.md."),
      ...pair(["e"], "ok", "write_file", { path: "docs/lamps.md", content: "Hall seven: 48 lamps." }),
      assistant("Hall seven has 48 lamps, and docs/lamps.md says so."),
      user("The porter wants brass hooks beside each door, too."),
      assistant("Noted."),
    ];
    const given = [{ section: "progress", text: "- Hall seven has 48 lamps, docs/lamps.md says so [1.4]" }] as const;
    const { text } = write(messages, { given, room: 110 });
    expect(text.match(/48 lamps, /gu)).toHaveLength(1);
    expect(text).toContain("brass hooks");
    expect(text).not.toContain("Last report");
    const written = [{ section: "written", text: "- docs/lamps.md: the number of lamps [1.2]" }] as const;
    expect(write(messages, { given: written }).text.match(/- docs\/lamps\.md/gu)).toHaveLength(1);
  });

  it("a text of somebody else's stands whole above", () => {
    const { text } = write(workSession(5), { above: "Work continued.\nAs planned.", header: [] });
    expect(text.startsWith("Work continued.\nAs planned.\n")).toBe(true);
    expect(text).toContain("## Files changed");
  });
});

describe("where things stand", () => {
  it("names the last request with the word that kept it going, and what was reported", () => {
    const { text } = write([
      user("Move the three reading rooms to the second floor."),
      assistant("Room one is moved."),
      user("go on"),
      ...pair(["m"], "ok", "move_room", { room: 2 }),
      assistant("Room two is moved, room three waits for its keys."),
    ]);
    expect(text).toMatch(/- Last request: "Move the three [^"]*" \[1\.1\], then "go on" \[1\.3\]/);
    expect(text).toMatch(/- Last report: Room two is moved, room three waits for its keys\. \[1\.6\]/);
  });

  it("leaves to what stays what is newer there", () => {
    const old = [
      user("Move the three reading rooms to the second floor."),
      ...pair(["m"], "ok", "move_room", { room: 1 }),
      assistant("Room one is moved."),
    ];
    const said = [user("Leave room two where it is."), assistant("It stays.")];
    const { ledger: staying } = requestOf([...old, ...said]);
    expect(write(old).text).toContain("- Last report: Room one is moved. [1.4]");
    expect(write(old, { staying }).text).not.toContain("Where things stand");
    const { ledger: asked } = requestOf([...old, user("Leave room two where it is.")]);
    const { text } = write(old, { staying: { ...asked, statements: [] } });
    expect(text).not.toContain("Last request");
    expect(text).toContain("- Last report: Room one is moved. [1.4]");
  });

  it("calls no report what was said before a call, and no question open that was answered", () => {
    const begun = [user("Move the three reading rooms to the second floor."), assistant("Room one first.")];
    expect(write([...begun, ...pair(["m"], "ok", "move_room", { room: 1 })]).text).toContain(
      "- Under way: Room one first. [1.2]",
    );
    const asked = [
      user("Move the reading rooms."),
      ...pair(["m"], "three", "list_rooms", { floor: 1 }),
      assistant("Which of the three comes first?"),
    ];
    expect(write(asked).text).toContain("- Open question: Which");
    expect(write([...asked, user("Room three.")]).text).not.toContain("Open question");
  });

  it("begins at a word where the report is one long line", () => {
    const line = Array.from({ length: 200 }, (_, n) => `shelf${n}`).join(" ");
    expect(write([user("List all of the shelves, please."), assistant(line)]).text).toMatch(
      /- Last report: … shelf\d+ /,
    );
  });
});

it("fills its room, and says what it left", () => {
  const { text, left, units } = write(workSession(200), { room: 2500 });
  const { count } = requestOf([]);
  expect(count(text)).toBeLessThanOrEqual(2500);
  expect(count(text)).toBeGreaterThan(2500 * 0.9);
  expect(left.messages).toBeGreaterThan(0);
  expect(units.kept).toBeLessThan(units.all);
});

it("writes nothing where not even what stands around the text fits", () => {
  expect(write(workSession(3), { room: 1, header: ["A header of many words that needs more."] }).text).toBe("");
  const { text, left } = write(workSession(3), { room: 0, header: [] });
  expect(text).toBe("");
  expect(left.messages).toBeGreaterThan(0);
});
