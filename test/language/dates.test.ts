import { describe, expect, it } from "vitest";
import { findDates, findDays, latestPeriodEnd, replaceDays } from "../../src/language/dates.ts";

describe("a day", () => {
  it.each([
    ["March 1, 2031", "2031-03-01"],
    ["1st of Sept. 2031", "2031-09-01"],
    ["28-08-2031", "2031-08-28"],
    ["08/28/2031", "2031-08-28"],
    ["3.4.2031", "2031-04-03"],
    ["2031/6/2", "2031-06-02"],
    ["am 3. März 2031", "2031-03-03"],
    ["el 17 de abril de 2031", "2031-04-17"],
    ["le 1er août 2031", "2031-08-01"],
    ["5 марта 2031", "2031-03-05"],
    ["2031年4月17日", "2031-04-17"],
    ["2031년 4월 17일", "2031-04-17"],
    ["03-04-2031", undefined],
    ["Smarch 1, 2031", undefined],
    ["2031-13-01", undefined],
    ["2031-02-30", undefined],
    ["1.2.3.2031", undefined],
  ])("%s", (text, expected) => {
    expect(findDates(text)[0]?.date).toBe(expected);
  });

  it.each(["Decision 1", "generate 3 files", "3 separate calls", "15-22天 → 2031年1-3小时", "May 17:30", "March 2031"])(
    "%s is none",
    (text) => {
      expect(findDays(text)).toEqual([]);
    },
  );

  it("may lack its year, and be a word as well", () => {
    const found = findDays("We may 5 times, on 4月17日, April 18 and 19 June");
    expect(found.map(({ text, month, day, isDoubtful }) => [text, month, day, isDoubtful])).toEqual([
      ["may 5", 5, 5, true],
      ["4月17日", 4, 17, false],
      ["April 18", 4, 18, false],
      ["19 June", 6, 19, false],
    ]);
  });

  it("is replaced where it stands", () => {
    expect(replaceDays("From 2031-02-03 to March 5, 2031.", () => "<day>")).toBe("From <day> to <day>.");
  });
});

describe("a month, a quarter, a half, a year", () => {
  it.each([
    ["by 3/2031", "2031-03-31"],
    ["2/13/2031", "2031-02-28"],
    ["until Q3 2031", "2031-09-30"],
    ["2031 Q1", "2031-03-31"],
    ["H1 2031", "2031-06-30"],
    ["Ende Mai 2031", "2031-05-31"],
    ["в марте 2031", "2031-03-31"],
    ["March 12, 2031", "2031-03-31"],
    ["2031年 5月", "2031-05-31"],
    ["some time in 2033", "2033-12-31"],
    ["in 2031", undefined],
    ["port 2099", undefined],
  ])("%s", (text, expected) => {
    expect(latestPeriodEnd(text, Date.UTC(2031, 0, 1))).toBe(expected);
  });
});
