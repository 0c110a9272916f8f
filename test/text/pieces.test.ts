import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { piecesOf } from "../../src/text/words.ts";

const textsOf = (text: string) => piecesOf(text).map(({ start, end }) => text.slice(start, end));
const codeOf = (text: string) =>
  piecesOf(text).flatMap(({ start, end, isCode }) => (isCode ? [text.slice(start, end)] : []));

const LONG =
  "The cents did not add up because each line was rounded by itself. The largest remainder takes the rest now. Is that what you meant?";

describe("pieces of a text", () => {
  it("have the number of their item with them", () => {
    const items = ["1. Round each rate once, not each line. ", "2. Keep the old rounding for what was sent already."];
    expect(textsOf(items.join(""))).toEqual(items);
  });

  it("are the text, without a gap or an overlap", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom("```", "~~~ts", "- one\n- two", LONG, "這是第一句話。這是第二句話！", "🙂".repeat(90)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join("\n");
        expect(textsOf(text).join("")).toBe(text);
        expect(textsOf(text)).not.toContain("");
      }),
    );
  });

  it("are the lines of a list and the sentences of a long line", () => {
    expect(textsOf("Two things:\n- ship it\n- tell them")).toEqual(["Two things:\n", "- ship it\n", "- tell them"]);
    expect(textsOf(`${LONG}\nDone.`)).toEqual([
      "The cents did not add up because each line was rounded by itself. ",
      "The largest remainder takes the rest now. ",
      "Is that what you meant?\n",
      "Done.",
    ]);
  });

  it("are sentences in scripts without spaces too", () => {
    const first =
      "我们决定把超时时间改成三十秒，因为上游服务在高峰期经常需要二十多秒才能返回结果，重试只会让情况更糟。";
    const second = "请不要再改动迁移文件夹里的任何东西，那些文件已经在生产环境里运行过了，谁也不应该再碰它们！";
    expect(textsOf(first + second)).toEqual([first, second]);
  });

  it("are whole lines inside of fences, however long, and the fences themselves are code", () => {
    const long = `const message = "${LONG}";`;
    const text = `So:\n\`\`\`ts\n${long}\n\`\`\`\nThat is all.`;
    expect(codeOf(text)).toEqual(["```ts\n", `${long}\n`, "```\n"]);
    expect(codeOf("~~~\nx\n~~~\ny")).toEqual(["~~~\n", "x\n", "~~~\n"]);
    expect(codeOf("```\nnever closed\nand on")).toEqual(["```\n", "never closed\n", "and on"]);
  });

  it("are none of an empty text", () => {
    expect(piecesOf("")).toEqual([]);
  });

  it("stay few of a text of many lines: the rest is one", () => {
    const text = "x\n".repeat(10_000);
    expect(textsOf(text).join("")).toBe(text);
    expect(textsOf(text).length).toBeLessThanOrEqual(2_001);
  });

  it.each([
    ["one line without a sentence's end", "word ".repeat(60_000)],
    ["nothing but ends of sentences", ". ".repeat(150_000)],
    ["abbreviations", "e.g. Mr. A. B. ".repeat(20_000)],
    ["combining marks", `a${"\u0301".repeat(300_000)}`],
    ["empty lines", "\n".repeat(300_000)],
    ["fences", "```\n".repeat(75_000)],
    ["Chinese without a stop", "字".repeat(300_000)],
  ])("take time in proportion to the text: %s", (_what, text) => {
    const timeOf = (read: string) => {
      const start = performance.now();
      piecesOf(read);
      return performance.now() - start;
    };
    timeOf(text.slice(0, text.length / 4));
    const quarter = Math.min(...[0, 1, 2].map(() => timeOf(text.slice(0, text.length / 4))));
    const whole = Math.min(...[0, 1, 2].map(() => timeOf(text)));
    expect(whole).toBeLessThan(quarter * 12 + 50);
  });
});
