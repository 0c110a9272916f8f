// What the assistant reported when it ended a step, and what it asked at the end of it.
import { describe, expect, it } from "vitest";
import { extractStatements } from "../../src/facts/kinds/user-messages.ts";
import { said } from "./spoken-messages.ts";

const report = (text: string) => extractStatements(said([["assistant", text]]))[0]?.text ?? "";
const LONG = `Both services start now. ${"The log is quiet and nothing else was touched. ".repeat(20)}`;

describe("statements", () => {
  it("keeps a short one whole, and of a long one the opening", () => {
    expect(report("Done, all green.")).toBe("Done, all green.");
    expect(report(LONG)).toBe(LONG.slice(0, 400));
  });

  it.each(["Shall I drop the old table too?", "¿Borro también la tabla vieja?", "要不要也删除旧表?现在还在用吗?"])(
    "keeps what it asks at its end: %s",
    (question) => {
      const text = report(`${LONG}\n\n**${question}**`);
      expect(text.startsWith("Both services start now.")).toBe(true);
      expect(text).toContain(question.split(/(?<=\?)(?=.)/).at(-1));
      expect(text.length).toBeLessThanOrEqual(410);
    },
  );

  it("takes no question from the middle", () => {
    expect(report(`${LONG}\n\nWhy did it fail? The port was taken.\n\nIt is fixed.`)).not.toContain("Why");
  });
});
