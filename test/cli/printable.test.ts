// Nothing from a file drives the terminal: escape sequences in ids and texts are shown, not sent.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { printable } from "../../src/cli/printable.ts";
import { call, newFolder } from "./command-line.ts";

describe("printable", () => {
  it("shows controls and keeps colours, tabs and line ends", () => {
    expect(printable("a\u001b[31mred\u001b[0m\tb\r\n")).toBe("a\u001b[31mred\u001b[0m\tb\r\n");
    expect(printable("\u001b]0;title\u0007 \u001b[2J \r over \u009b5A \u202e")).toBe(
      "\\u001b]0;title\\u0007 \\u001b[2J \\u000d over \\u009b5A \\u202e",
    );
  });
});

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
        `\u001b[8mhidden ${n} ${"word ".repeat(60)}`,
      ),
    );
    writeFileSync(join(cwd, "session.jsonl"), `${lines.join("\n")}\n`);
    const commands = [
      ["conversation", "session.jsonl"],
      ["facts", "session.jsonl"],
      ["inspect", "session.jsonl"],
      ["archive", "list"],
      ["archive", "search", "hidden 2"],
      ["archive", "expand", "1.3"],
      ["archive", "expand", "1.3", "--session-id", "none\u001b[2J"],
    ];
    for (const argv of commands) {
      const { stdout, stderr } = await call(argv, { cwd, isTerminal: true });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(`${stdout}${stderr}`, argv.join(" ")).not.toMatch(/\u001b(?!\[[\d;]*m)|\u0007|\u009b/);
      expect(`${stdout}${stderr}`).not.toBe("");
    }
  });
});
