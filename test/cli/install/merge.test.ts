// An entry goes into a text of a host's configuration and out again: nothing else moves, and what cannot be is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addEntry, readValue, removeEntry, standingOf } from "../../../src/cli/install/merge.ts";

const SERVER = { what: "server", at: ["servers", "agent-compact"], value: { command: "/n", args: ["/m", "mcp"] } };
const HOOK = { what: "hook", at: ["hooks", "Before"], value: { hooks: [{ command: "/n /m hook" }] }, isListed: true } as const;
const LINE = { what: "line", at: ["statusLine"], value: { command: "/n /m status-line" } };
const ALL = [SERVER, HOOK, LINE];

const add = (text: string, entries: typeof ALL = ALL, format: "json" | "toml" = "json") =>
  entries.reduce((left, entry) => addEntry(format, left, entry, "settings"), text);
const remove = (text: string, before: string, entries: typeof ALL = ALL, format: "json" | "toml" = "json") =>
  [...entries].reverse().reduce<string | undefined>(
    (left, entry) => (left === undefined ? left : removeEntry(format, left, entry, readValue(format, before, "settings"))),
    text,
  );

describe("JSON", () => {
  it("keeps comments, commas at ends, tabs and line ends where they are", () => {
    const before = '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"other": { "command": "x" }, // the other\r\n\t},\r\n\t/* last */\r\n}\r\n';
    const after = add(before);
    expect(after).toMatchInlineSnapshot(`
      "{
      	// mine
      	"servers": {
      		"other": { "command": "x" }, // the other
      		"agent-compact": {
      			"command": "/n",
      			"args": [
      				"/m",
      				"mcp"
      			]
      		},
      	},
      	/* last */
      	"hooks": {
      		"Before": [
      			{
      				"hooks": [
      					{
      						"command": "/n /m hook"
      					}
      				]
      			}
      		]
      	},
      	"statusLine": {
      		"command": "/n /m status-line"
      	},
      }
      "
    `);
    expect(remove(after, before)).toBe(before);
  });

  it.each([
    ["an empty file", ""],
    ["an empty object", "{}"],
    ["one line", '{"a":1,"servers":{"other":{}},"hooks":{"Before":[{"hooks":[]}]}}'],
    ["an empty list", '{\n  "hooks": { "Before": [] }\n}\n'],
    ["comments alone", "{\n  // nothing yet\n}\n"],
    ["four spaces", '{\n    "a": [\n        1\n    ],\n    "hooks": {\n        "Before": [\n            { "hooks": [] }\n        ]\n    }\n}'],
    ["a byte order mark", '\uFEFF{\n  "a": 1\n}\n'],
  ])("goes into %s and out again", (_, before) => {
    const after = add(before);
    for (const entry of ALL) expect(standingOf(readValue("json", after, ""), entry)).toBe("same");
    expect(readValue("json", remove(after, before) ?? "", "")).toEqual(readValue("json", before, ""));
  });
});
