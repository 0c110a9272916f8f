// An entry goes into a text of a host's configuration and out again: nothing else moves, and what cannot be is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addEntry, readValue, removeEntry, standingOf } from "../../../src/cli/install/merge.ts";

const SERVER = { what: "server", at: ["servers", "agent-compact"], value: { command: "/n", args: ["/m", "mcp"] } };
const HOOK = {
  what: "hook",
  at: ["hooks", "Before"],
  value: { hooks: [{ command: "/n /m hook" }] },
  isListed: true,
} as const;
const LINE = { what: "line", at: ["statusLine"], value: { command: "/n /m status-line" } };
const ALL = [SERVER, HOOK, LINE];

const add = (text: string, entries: typeof ALL = ALL, format: "json" | "toml" = "json") =>
  entries.reduce((left, entry) => addEntry(format, left, entry, "settings"), text);
const remove = (text: string, before: string, entries: typeof ALL = ALL, format: "json" | "toml" = "json") =>
  [...entries]
    .reverse()
    .reduce<string | undefined>(
      (left, entry) =>
        left === undefined ? left : removeEntry(format, left, entry, readValue(format, before, "settings")),
      text,
    );

describe("JSON", () => {
  it("keeps comments, commas at ends, tabs and line ends where they are", () => {
    const before =
      '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"other": { "command": "x" }, // the other\r\n\t},\r\n\t/* last */\r\n}\r\n';
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
    [
      "four spaces",
      '{\n    "a": [\n        1\n    ],\n    "hooks": {\n        "Before": [\n            { "hooks": [] }\n        ]\n    }\n}',
    ],
    ["a byte order mark", '\uFEFF{\n  "a": 1\n}\n'],
    ["a key that is no prototype", '{"__proto__":null,"servers":{"__proto__":{"a":1}},"hooks":{"__proto__":2}}'],
  ])("goes into %s and out again", (_, before) => {
    const after = add(before);
    for (const entry of ALL) expect(standingOf(readValue("json", after, ""), entry)).toBe("same");
    expect(readValue("json", remove(after, before) ?? "", "")).toEqual(readValue("json", before, ""));
  });

  it("goes into whatever people have, and nothing else is changed", () => {
    const settings = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6, noNullPrototype: true });
    fc.assert(
      fc.property(settings, fc.constantFrom("", "  ", "\t"), (found, step) => {
        const before = JSON.stringify(found, undefined, step);
        const kept = JSON.parse(before);
        const after = add(before);
        expect(JSON.parse(after)).toMatchObject({ statusLine: LINE.value });
        expect(JSON.parse(remove(after, before) ?? "")).toEqual(kept);
      }),
    );
  });

  it("keeps a comment that was written before it later", () => {
    const before = '{\n  "a": 1 // one\n}\n';
    const after = add(before).replace('"statusLine"', '// mine\n  "statusLine"');
    expect(remove(after, before)).toBe('{\n  "a": 1 // one\n  // mine\n}\n');
  });

  it("is left where it was changed, and passed over where it was taken out", () => {
    const after = add("{}", [LINE]);
    expect(remove(after.replace("/n", "/other"), "{}", [LINE])).toBeUndefined();
    expect(remove('{ "a": 1 }', "{}", [LINE])).toBe('{ "a": 1 }');
  });
});

describe("an entry of a person", () => {
  const server = (value: unknown) => standingOf({ servers: { memory: value } }, SERVER);
  const hook = (command: string) => standingOf({ hooks: { Before: [{ hooks: [{ command }] }] } }, HOOK);

  it.each([
    [{ command: "npx", args: ["-y", "agent-compact", "mcp"] }],
    [{ command: "agent-compact", args: ["mcp", "--db", "x"] }],
    [{ type: "local", command: ["npx", "agent-compact@0.1.0", "mcp"] }],
    [{ command: "node", args: ["/lib/agent-compact/dist/cli/main.js", "mcp"] }],
  ])("that starts our server is known: %j", (value) => expect(server(value)).toBe("other"));

  it("that calls our hook is known", () => {
    for (const command of [
      "agent-compact hook",
      "npx -y agent-compact hook --archive-dir x",
      "/bin/agent-compact hook",
    ])
      expect(hook(command)).toBe("other");
  });

  it("that only names a folder like us is another's", () => {
    expect(server({ command: "files", args: ["/home/me/agent-compact"] })).toBe("absent");
    expect(hook("lint /home/me/agent-compact/src")).toBe("absent");
  });
});

describe("TOML", () => {
  it.each([
    ["an empty file", ""],
    ["no line break at the end", '# mine\nmodel = "m"'],
    ["tables", '[servers.other] # mine\ncommand = "x"\n\n[[list]]\nat = 1979-05-27T07:32:00Z\n'],
    ["dotted keys", 'servers.other = { command = "x" }\n'],
    ["a key that is no prototype", '__proto__ = { a = 1 }\n[servers.__proto__]\ncommand = "x"\n'],
    ["lines of Windows", '[servers.other]\r\ncommand = "x"\r\n'],
  ])("gets a table behind %s, which goes again", (_, before) => {
    const after = add(before, [SERVER], "toml");
    expect(after.startsWith(before)).toBe(true);
    expect(standingOf(readValue("toml", after, ""), SERVER)).toBe("same");
    const ended = before === "" || before.endsWith("\n") ? before : `${before}\n`;
    expect(remove(after, before, [SERVER], "toml")).toBe(ended);
  });

  it("is left where a key was added to the table", () => {
    const after = `${add("", [SERVER], "toml")}timeout = 3\n`;
    expect(remove(after, "", [SERVER], "toml")).toBeUndefined();
  });
});
