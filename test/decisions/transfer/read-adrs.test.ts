import { describe, expect, it } from "vitest";
import { readDecisionRecords } from "../../../src/decisions/import/read-decision-records.ts";
import { readDecision } from "../../../src/decisions/read-decision.ts";

function read(...pages: readonly (readonly [string, string])[]) {
  return readDecisionRecords(pages.map(([name, text]) => ({ name, text })));
}

function one(text: string, name = "docs/adr/0007-use-one-queue.md") {
  const { records, faults } = read([name, text]);
  expect(faults).toEqual([]);
  expect(records).toHaveLength(1);
  return records[0] ?? {};
}

const MADR4 = `---
status: "accepted"
date: 2031-04-17
decision-makers: [R. One, R. Two]
---

# Use one queue for all imports

## Context and Problem Statement

Imports stand in three queues. Who looks for one looks in three places.

## Decision Drivers

* one place to look
* at most 5 minutes of waiting

## Considered Options

* One queue
* A queue per customer
* [No queue](https://example.test/none)

## Decision Outcome

Chosen option: "One queue", because it is the only one that can be watched
and does not need a second scheduler.

### Consequences

* Good, because one dashboard is enough
* Bad, because a long import holds up the others

## Pros and Cons of the Options

### One queue

* Good, because simple
`;

describe("an ADR", () => {
  it("of MADR 4 becomes a record with context, reasons and alternatives", () => {
    expect(one(MADR4)).toEqual({
      id: "0007-use-one-queue",
      decision: "Use one queue for all imports",
      date: "2031-04-17",
      category: "architecture",
      status: "accepted",
      context: "Imports stand in three queues. Who looks for one looks in three places.",
      reasons: [
        { type: "analysis", text: "it is the only one that can be watched and does not need a second scheduler." },
      ],
      alternatives: ["A queue per customer", "No queue"],
      decision_outcome: expect.stringContaining('Chosen option: "One queue", because'),
      decision_drivers: ["one place to look", "at most 5 minutes of waiting"],
      consequences: ["Good, because one dashboard is enough", "Bad, because a long import holds up the others"],
      deciders: "[R. One, R. Two]",
    });
  });

  it("of MADR 2 has its standing in a list", () => {
    const record = one(`# Use one queue

* Status: superseded by [ADR-0012](0012-use-kafka.md)
* Deciders: all of us
* Date: 2031-04-17 <!-- when last updated -->

Technical Story: TS-12

## Context and Problem Statement

Three queues.

## Decision Outcome

Chosen option: "A queue", because:

* it is simple
* it is here
`);
    expect(record).toMatchObject({
      decision: "Use one queue: A queue",
      status: "superseded",
      superseded_by: "0012-use-kafka",
      date: "2031-04-17",
      deciders: "all of us",
      reasons: [
        { type: "analysis", text: "it is simple" },
        { type: "analysis", text: "it is here" },
      ],
    });
    expect(readDecision(record, { name: "x" }).decision).toMatchObject({ supersededBy: "0012-use-kafka" });
  });

  it("in the manner of Nygard has sections", () => {
    const record = one(`# 7. Use one queue

Date: 2031-04-17

## Status

Accepted

Supercedes [2. Use three queues](0002-use-three-queues.md)

## Context

Three queues are two too many.

## Decision

We will use one queue, since it can be watched.

## Consequences

Imports wait longer.
`);
    expect(record).toMatchObject({
      decision: "Use one queue",
      status: "accepted",
      date: "2031-04-17",
      context: "Three queues are two too many.",
      reasons: [{ text: "We will use one queue, since it can be watched." }],
      supersedes: ["0002-use-three-queues"],
    });
  });

  it.each([
    ["status: {proposed}\ndate: {2031-06-23}", { status: "proposed", date: "2031-06-23" }],
    ["status: 'Accepted'\ndate: 2031/06/23", { status: "accepted", date: "2031-06-23" }],
    ["status: ✅ Accepted (by all)\ndate: 2031-06-23T10:00:00Z", { status: "accepted", date: "2031-06-23T10:00:00Z" }],
    ["status: Deprecated # since May\ndate: 23.06.2031", { status: "deprecated", date: "2031-06-23" }],
    ["status: superseded by ADR-0012", { status: "superseded", superseded_by: "ADR-0012" }],
    ["status: superseded by 0012-use-kafka", { status: "superseded", superseded_by: "0012-use-kafka" }],
    ["status: Superseded", { status: "superseded" }],
  ])("understands %s", (front, expected) => {
    expect(one(`---\n${front}\n---\n\n# T\n\n## Decision\n\nYes.\n`)).toMatchObject(expected);
  });

  it("is read where the line that opens its front matter is lost", () => {
    const record = one("status: proposed\ndate: 2031-03-23\ndeciders: all\n---\n\n# T\n\n## Decision\n\nYes.\n");
    expect(record).toMatchObject({ decision: "T", status: "proposed", date: "2031-03-23", deciders: "all" });
  });

  it("has no status or date where the template's choices still stand", () => {
    const record = one(
      `---\nstatus: {proposed | accepted}\ndate: {YYYY-MM-DD when updated}\n---\n\n# T\n\n## Decision\n\nYes.\n`,
    );
    expect(record).not.toHaveProperty("status");
    expect(record).not.toHaveProperty("date");
  });

  it.each([
    ["Chosen option: **Option 2 - One queue** with the following limits:\n\n- five", "T: Option 2 - One queue"],
    ["Chosen: 3. Ship one queue plus a lock", "T: Ship one queue plus a lock"],
    ["Chosen option:\n\n**One queue** — fast enough — because it is there.", "T: One queue — fast enough"],
    ["We talked for long.", "T"],
    ["Chosen option 5.", "T"],
  ])("names what was chosen: %s", (outcome, decision) => {
    expect(one(`---\nstatus: accepted\n---\n# T\n\n## Decision Outcome\n\n${outcome}\n`).decision).toBe(decision);
  });

  it("that speaks of its option by number names it", () => {
    const options = "## Considered Options\n\n- Three queues\n- One queue\n\n";
    const { decision, alternatives, reasons } = one(
      `# T\n\n${options}## Decision Outcome\n\nOption 2: it can be watched by one person.`,
    );
    expect({ decision, alternatives, reasons }).toEqual({
      decision: "T: One queue",
      alternatives: ["Three queues"],
      reasons: [{ type: "analysis", text: "it can be watched by one person." }],
    });
  });

  it("is read with carriage returns, a mark before the text, setext titles, fences and NUL", () => {
    const text =
      "\ufeffUse one queue\r\n=============\r\n\r\nStatus: accepted\r\n\r\nContext\r\n-------\r\n\r\n```\r\n# no title\r\n```\r\nThree\u0000 queues.\r\n";
    expect(one(text)).toMatchObject({
      decision: "Use one queue",
      status: "accepted",
      context: "```\n# no title\n```\nThree\ufffd queues.",
    });
  });
});

describe("a folder of ADRs", () => {
  it("leaves out what is no record, and says why", () => {
    const { records, faults } = read(
      ["adr/README.md", "# Decisions\n\n1. Copy the template\n"],
      ["adr/index.md", "# Index\n\n- [One](0001-one.md)\n"],
      [
        "adr/adr-template.md",
        "---\nstatus: {proposed | accepted}\n---\n# {short title}\n\n## Decision Outcome\n\n{x}\n",
      ],
      [
        "adr/0000-new.md",
        "---\nstatus: {proposed | accepted}\n---\n# {short title of solved problem}\n\n## Decision Outcome\n",
      ],
      ["adr/notes.md", "# Notes\n\nNothing decided.\n"],
      ["adr/empty.md", "\n"],
      ["adr/0001-one.md", MADR4],
    );
    expect(records.map(({ id }) => id)).toEqual(["0001-one"]);
    expect(faults.map(({ id, code }) => `${id} ${code}`)).toEqual([
      "adr/README.md NOT_A_RECORD",
      "adr/index.md NOT_A_RECORD",
      "adr/adr-template.md NOT_A_RECORD",
      "adr/0000-new.md NOT_A_RECORD",
      "adr/notes.md NOT_A_RECORD",
      "adr/empty.md NOT_A_RECORD",
    ]);
    for (const { message } of faults) expect(message).toMatch(/ is left out: it .{5,80}\.$/);
  });

  it("keeps records with one number apart, and finds what superseded a record", () => {
    const page = (status: string) => `---\nstatus: ${status}\n---\n# T\n\n## Decision\n\nYes.\n`;
    const { records } = read(
      ["a/adrs/ADR-001.md", page("accepted")],
      ["b/adrs/ADR-001.md", page("superseded by [ADR-002](./ADR-002.md)")],
      ["b/adrs/ADR-002.md", page("accepted")],
      ["c/0016-one.md", page("superseded by ADR-0017")],
      ["c/0016-two.md", page("superseded by ADR-0016")],
      ["c/0017-three.md", page("accepted")],
    );
    expect(records.map(({ id, superseded_by: by }) => [id, by])).toEqual([
      ["a-ADR-001", undefined],
      ["b-ADR-001", "ADR-002"],
      ["ADR-002", undefined],
      ["0016-one", "0017-three"],
      ["0016-two", "0016-one"],
      ["0017-three", undefined],
    ]);
  });
});
