// Nothing from a file drives the terminal: escape sequences in ids and texts are shown, not sent.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { besideOwnColours, colorsOf, printableTerminal, type Terminal } from "../../src/cli/terminal.ts";
import { printable } from "../../src/text/printable.ts";
import { call, newFolder } from "./command-line.ts";

describe("printable", () => {
  it.each([
    ["tabs\tand line ends\r\n", "tabs\tand line ends\r\n"],
    ["\u001b]0;title\u0007 \u001b[2J \r over \u009b5A", "\\u001b]0;title\\u0007 \\u001b[2J \\u000d over \\u009b5A"],
    ["a \u001b[31mred\u001b[8mhidden\u001b[0m", "a \\u001b[31mred\\u001b[8mhidden\\u001b[0m"],
    [
      "turned \u202e \u2066 \u200f, zero\u200bwidth, soft\u00adhyphen",
      "turned \\u202e \\u2066 \\u200f, zero\\u200bwidth, soft\\u00adhyphen",
    ],
    ["one\u2028two\u2029", "one\\u2028two\\u2029"],
    ["join\u200der, \ufe0f, \u3164, \u{e0041}", "join\\u200der, \\ufe0f, \\u3164, \\udb40\\udc41"],
    ["👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم é ñ 日本 한글", "👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم é ñ 日本 한글"],
  ])("%j", (text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printable(shown)).toBe(shown);
  });

  it("means the same where it stands in JSON", () => {
    const value = { text: "a\u0085\u202e\u200b\u2028\u{e0041}b" };
    expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
  });
});

describe("the terminal", () => {
  const open = () => {
    let written = "";
    const stream = { isTTY: true, write: (content: string | Uint8Array) => (written += String(content)) };
    const terminal = printableTerminal({
      argv: [],
      stdin: [],
      stdout: stream,
      stderr: stream,
      cwd: "/",
      env: {},
    } as never);
    return { terminal: terminal as Terminal, written: () => written };
  };

  it("gets our colours, and none that a text brings", () => {
    const { terminal, written } = open();
    const { bold, red } = colorsOf(terminal.stdout, terminal);
    terminal.stdout.write(`${bold(`title ${red("bad")} \u001b[8mhidden`)} \u001b[32mgreen`);
    expect(written()).toBe("\u001b[1mtitle \u001b[31mbad\u001b[39m \\u001b[8mhidden\u001b[22m \\u001b[32mgreen");
  });

  it("takes no colour for ours that a text imitates", () => {
    const { terminal, written } = open();
    const { bold } = colorsOf(terminal.stdout, terminal);
    const seen = bold("x");
    expect(besideOwnColours(seen)).toBe(seen);
    terminal.stdout.write("\u001b[1234;5678;31mred");
    expect(written()).toBe("\\u001b[1234;5678;31mred");
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there; the colours are ours
const OBEYED = /\u001b(?!\[(?:[12]|2[2-4]|3\d)m)|\u0007|\u009b|\u202e|\u200b/;

describe("a session file with escape sequences", () => {
  const id = "s\u001b]0;owned\u0007\u001b[2J";
  const line = (type: string, uuid: string, parentUuid: string | null, content: string) =>
    JSON.stringify({ type, uuid, parentUuid, sessionId: id, message: { role: type, content } });

  it("is compacted, searched and expanded without any of them reaching the terminal", async () => {
    const cwd = newFolder();
    const lines = Array.from({ length: 60 }, (_, n) =>
      line(
        n % 2 === 0 ? "user" : "assistant",
        `u${n}`,
        n === 0 ? null : `u${n - 1}`,
        `\u001b[8mhidden\u001b[0m \u202e\u200b${n} ${"word ".repeat(60)}`,
      ),
    );
    writeFileSync(join(cwd, "session.jsonl"), `${lines.join("\n")}\n`);
    const commands = [
      ["conversation", "session.jsonl"],
      ["facts", "session.jsonl"],
      ["inspect", "session.jsonl"],
      ["archive", "list"],
      ["archive", "search", "hidden"],
      ["archive", "expand", "1.3"],
      ["archive", "expand", "1.3", "--session-id", "none\u001b[2J"],
    ];
    for (const argv of commands) {
      const { stdout, stderr } = await call(argv, { cwd, isTerminal: true });
      expect(`${stdout}${stderr}`, argv.join(" ")).not.toMatch(OBEYED);
      expect(`${stdout}${stderr}`).not.toBe("");
    }
  });
});
