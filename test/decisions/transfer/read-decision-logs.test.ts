// Many decisions on one Markdown page, and pages of templates that say their standing in other ways and languages.
import { describe, expect, it } from "vitest";
import { readDecisionRecords } from "../../../src/decisions/import/read-decision-records.ts";

const read = (...texts: readonly string[]) =>
  readDecisionRecords(texts.map((text, at) => ({ name: `docs/${at === 0 ? "DECISIONS" : `page-${at}`}.md`, text })));
const records = (text: string) => read(text).records;
const page = (name: string, text: string) => readDecisionRecords([{ name, text }]).records[0];

describe("a log of decisions on one page", () => {
  it("gives a record for each numbered heading, and finds what took whose place", () => {
    const log = `# Architecture Decision Records

What this is.

## ADR-001: Keep one queue

**Date**: 2031-01-02
**Status**: Superseded by ADR-002

### Context
Two were slow.

### Decision
One queue.

---

## ADR-002: Keep two queues

**Date**: 2031-02-03
**Status**: Accepted

### Decision
Two queues.

\`\`\`markdown
## ADR-NNN: Title
\`\`\`
`;
    expect(records(log)).toMatchObject([
      { id: "ADR-001-Keep-one-queue", decision: "Keep one queue", status: "superseded", date: "2031-01-02" },
      { id: "ADR-002-Keep-two-queues", decision: "Keep two queues", status: "accepted" },
    ]);
    expect(records(log)[0]).toMatchObject({ superseded_by: "ADR-002-Keep-two-queues", context: "Two were slow." });
    expect(read(log).faults).toEqual([]);
  });

  it("reads headings with a day, and lines in place of sections; equal titles stay apart", () => {
    const log = `# Decision Log

### 2031-03-04 — Drop the cache
- **Decision**: no cache at all
- **Why**: it lied

### [2031-03-05] Retry
- **Decision**: three times
- **Status**: active

### [2031-03-05] Retry
- **Decision**: five times
`;
    expect(records(log)).toMatchObject([
      {
        id: "2031-03-04-drop-the-cache",
        decision: "Drop the cache: no cache at all",
        date: "2031-03-04",
        reasons: [{ type: "analysis", text: "it lied" }],
      },
      { id: "2031-03-05-retry", status: "active", date: "2031-03-05" },
      { id: "2031-03-05-retry-2", decision: "Retry: five times" },
    ]);
  });

  it("reads the rows of a table of decisions", () => {
    const log = `# Decisions

| # | Date | Decision | Rationale | Status |
|---|------|----------|-----------|--------|
| 1 | 2031-01-01 | Use **pnpm** | speed | Accepted |
| 2 | 2031-02-01 | Use vitest | modules | Superseded |
`;
    expect(records(log)).toMatchObject([
      { id: "Use-pnpm", decision: "Use pnpm", date: "2031-01-01", status: "accepted" },
      { id: "Use-vitest", reasons: [{ text: "modules" }], status: "superseded" },
    ]);
  });

  it("leaves a record whole that numbers the decisions in it", () => {
    const record = `# Use one queue\n\n- Status: accepted\n\n## D1: size\n\n**Decision:** 5\n\n## D2: order\n\n**Decision:** first\n`;
    const sections = `# Use one queue\n\n## Status\n\nAccepted\n\n## Decision\n\nOne.\n\n## D1: size\n\n**Why:** a\n\n## D2: order\n\n**Why:** b\n`;
    expect(records(record).map(({ id }) => id)).toEqual(["DECISIONS"]);
    expect(records(sections).map(({ id }) => id)).toEqual(["DECISIONS"]);
  });
});

describe("a page of another template", () => {
  it("may begin with a table instead of a title", () => {
    const text = `| Status   | Date       | Author(s) |\n|:---------|:-----------|:----------|\n| Accepted | 2031-01-19 | me |\n\n## Context\n\nSlow.\n\n## Decision\n\nSplit it.\n`;
    expect(page("adr/001-split-the-queue.md", text)).toMatchObject({
      decision: "Split the queue",
      status: "accepted",
      date: "2031-01-19",
      context: "Slow.",
    });
    const rows = `# Split\n\n| | |\n|---|---|\n| **Status** | Deprecated |\n| **Date** | 12 March 2031 |\n\n## Decision\n\nYes.\n`;
    expect(page("a.md", rows)).toMatchObject({ decision: "Split", status: "deprecated", date: "2031-03-12" });
  });

  it("may have its title in the front matter, numbered sections, and marks around its standing", () => {
    const front = `---\ntitle: Split the queue\ncreated: 2031-02-03\n---\n\n## 1. Status\n\nStatus: Accepted ✅\n\n## 2. Decision\n\nYes.\n`;
    expect(page("a.md", front)).toMatchObject({ decision: "Split the queue", status: "accepted", date: "2031-02-03" });
    const loud = `📆 Date: 2031-03-04\n\n# STATUS\naccepted\n\n# DECISION\nWe will shout.\n`;
    expect(page("0026-shout.md", loud)).toMatchObject({ decision: "Shout", status: "accepted", date: "2031-03-04" });
  });

  it("may tell the history of its standing: the last counts", () => {
    const text = `# Split\n\n## Status\n\n2031-04-05 proposed\n\n2031-05-06 accepted\n\n## Decision\n\nYes.\n`;
    expect(page("a.md", text)).toMatchObject({ status: "accepted", date: "2031-05-06" });
  });

  it.each([
    ["日期: 2031-01-02\n\n## 状态\n\n已接受\n\n## 背景\n\n慢。\n\n## 决策\n\n使用缓存。", "慢。"],
    ["日付: 2031年1月2日\n\n## ステータス\n\n承認済み\n\n## コンテキスト\n\n遅い\n\n## 決定\n\n使う。", "遅い"],
    ["Fecha: 2031-01-02\n\n## Estado\n\nAceptado\n\n## Contexto\n\nx\n\n## Decisión\n\nUsaremos una.", "x"],
    ["Date : 2031-01-02\n\n## Statut\n\nAccepté\n\n## Contexte\n\nx\n\n## Décision\n\nUne.", "x"],
    ["Datum: 02.01.2031\n\n## Status\n\nAkzeptiert\n\n## Kontext\n\nx\n\n## Entscheidung\n\nEine.", "x"],
  ])("may be in another language: %s", (body, context) => {
    expect(page("a.md", `# 13. Cache\n\n${body}\n`)).toMatchObject({
      decision: "Cache",
      status: "accepted",
      date: "2031-01-02",
      context,
    });
  });
});
