import { describe, expect, it } from "vitest";
import { leftOutOf, unsupportedIn } from "../../../src/observations/compaction/check-summary.ts";
import type { Observation } from "../../../src/observations/observation.ts";
import { row } from "../rows.ts";

const ROWS = [
  { title: "Gate", content: "The gate listens on port 8443 since 2026-01-12; Mirabel asked for it." },
  {
    title: "Retries",
    content: "`retryLater` in src/gate/retry.ts waits four seconds, five times. Never retry a payment.",
  },
  { title: "Release", content: "Version 2.4.1 went out on March 3 with 1,204 rows moved." },
].map((changes, at): Observation => ({ id: at + 41, ...row(changes) }) as Observation);

const unsupported = (content: string, title = "Compacted 3 notes") => unsupportedIn({ title, content }, ROWS);

describe("a summary", () => {
  it.each([
    "The gate is on 8443 since January 12, for Mirabel. Retries: 4 s, 5 times, in `retryLater` (src/gate/retry.ts).",
    "Of #41 to #43: 2.4.1 was released on 2026-03-03, 1204 rows moved.",
    "1. Port 8443\n2. Five retries\n7. Release 2.4.1",
    "Two of the three notes are about 2 things; it waits 4 seconds.",
    "Both the gate and the release went well. Nothing else matters.",
    "Der Port des Tores ist 8443, und die Zahlung wird nie wiederholt, sagt der Bericht an die Leitung.",
  ])("that says what the rows say is not doubted: %s", async (content) => {
    expect(await unsupported(content)).toEqual([]);
  });

  it.each([
    ["The gate is on 8444.", "8444"],
    ["The gate moved on 2026-01-13.", "2026-01-13"],
    ["The gate moved on 2025-01-12.", "2025-01-12"],
    ["See src/gate/again.ts for it.", "src/gate/again.ts"],
    ["The function `retryNow` waits.", "retryNow"],
    ["It was asked for by Zebulon in winter, as all of the others were before.", "Zebulon"],
    ["It waits two seconds.", "two"],
    ["As #97 says, it is so.", "97"],
    ["Release 2.4.2 went out.", "2.4.2"],
  ])("names what no row has: %s", async (content, named) => {
    const found = await unsupported(content);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(named);
  });

  it("is told what it leaves out: rules, names, numbers and days, not words", async () => {
    const content = "The gate is on 8443 since 2026-01-12. Retries wait four seconds.";
    expect(await leftOutOf({ title: "Gate", content }, ROWS)).toEqual([
      { id: 42, facts: ["Never retry a payment.", "src/gate/retry.ts", "retryLater"] },
      { id: 43, facts: ["2.4.1", "1,204", "March 3"] },
    ]);
    const whole = `${content} Payments are never retried (\`retryLater\`, src/gate/retry.ts). 2.4.1: March 3, 1,204 rows.`;
    expect(await leftOutOf({ title: "Gate", content: whole }, ROWS)).toEqual([]);
  });
});
