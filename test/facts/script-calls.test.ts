// Hosts whose model has one tool that runs a script: the calls in the script are found, by reading it alone.
import { describe, expect, it } from "vitest";
import { readScriptCalls } from "../../src/facts/script-calls.ts";

const calls = (source: string) => readScriptCalls(source).map(({ name, input }) => [name, input]);
const run = (cmd: string) => ["exec_command", { cmd }];

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: scripts with templates
describe("the calls of tools in a script", () => {
  it.each<[string, string, unknown]>([
    [
      "arguments as JSON",
      'const r = await tools.exec_command({"cmd":"npm test"});\ntext(r.output ?? r);',
      [run("npm test")],
    ],
    [
      "a text",
      'text(await tools.apply_patch("*** Begin Patch\\n+port = 1\\n"));',
      [["apply_patch", "*** Begin Patch\n+port = 1\n"]],
    ],
    [
      "a server's tool",
      "await tools.mcp__memory__mem_save({title: 'Port', n: 8_443, on: true, no: null})",
      [["mcp__memory__mem_save", { title: "Port", n: 8443, on: true, no: null }]],
    ],
    [
      "a name in brackets",
      'await tools["web.run"]({q: "x"}); await tools?.plan({})',
      [
        ["web.run", { q: "x" }],
        ["plan", {}],
      ],
    ],
    ["no arguments", "await tools.list_agents()", [["list_agents", undefined]]],
    [
      "a template",
      "const dir = 'src';\nawait tools.exec_command({ cmd: `ls ${dir}/${name} \\`x\\``, n: 1.5 });",
      [["exec_command", { cmd: "ls src/${name} `x`", n: 1.5 }]],
    ],
    ["a raw template", "await tools.apply_patch(String.raw`a\\n${'b'}`)", [["apply_patch", "a\\nb"]]],
    [
      "a constant, put together",
      'const patch = ["*** Begin Patch", "+a"].join("\\n") + "\\n";\nlet more = patch;\nmore += "+b";\nawait tools.apply_patch(more.trim());',
      [["apply_patch", "*** Begin Patch\n+a\n+b"]],
    ],
    [
      "short names, a spread, a nested list",
      "const cmd = 'ls'; const o = {workdir: '/x'}; tools.exec_command({ ...o, cmd, edits: [{ oldText: 'a', newText: 'b' }] })",
      [["exec_command", { workdir: "/x", cmd: "ls", edits: [{ oldText: "a", newText: "b" }] }]],
    ],
    [
      "what nobody can know is left out",
      "tools.exec_command({ cmd: pick(1, [2]), workdir: '/x', n: a ? 1 : 2, yield_time_ms: limit ?? 3 })",
      [["exec_command", { workdir: "/x" }]],
    ],
    [
      "calls side by side",
      'const [a, b] = await Promise.all([\n  tools.exec_command({cmd: "a"}),\n  tools.exec_command({cmd: "b"}),\n]);',
      [run("a"), run("b")],
    ],
    [
      "a loop over a list",
      'for (const cmd of ["a", "b"]) { await tools.exec_command({ cmd }); }',
      [run("a"), run("b")],
    ],
    [
      "a loop over pairs",
      'for (const [name, cmd] of [["x", "a"], ["y", "b"]]) await tools.exec_command({ cmd, name })',
      [
        ["exec_command", { cmd: "a", name: "x" }],
        ["exec_command", { cmd: "b", name: "y" }],
      ],
    ],
    [
      "a list that is mapped",
      'const list = ["a", "b"];\nawait Promise.all(list.map(async (cmd) => { text(await tools.exec_command({ cmd })); }));',
      [run("a"), run("b")],
    ],
    [
      "a list of objects that is mapped",
      '[{ cmd: "a" }, { cmd: "b" }].forEach(({ cmd }) => tools.exec_command({ cmd }))',
      [run("a"), run("b")],
    ],
    [
      "a helper",
      'const run = async (cmd) => {\n  const r = await tools.exec_command({ cmd });\n  text(r.output);\n};\nawait run("a");\nawait run("b");',
      [run("a"), run("b")],
    ],
    [
      "a helper without a semicolon",
      'const run = cmd => tools.exec_command({ cmd })\nawait run("a")\nawait run("b")',
      [run("a"), run("b")],
    ],
    [
      "a function",
      'async function run(cmd, dir) { return tools.exec_command({ cmd, dir }); }\nrun("a", "/x");',
      [["exec_command", { cmd: "a", dir: "/x" }]],
    ],
    [
      "a helper given to a loop",
      'const run = (cmd) => tools.exec_command({ cmd });\nawait Promise.all(["a", "b"].map(run));',
      [run("a"), run("b")],
    ],
    [
      "tools that were taken out",
      'const { exec_command, apply_patch } = tools;\nconst sh = tools.exec_command;\nawait exec_command({ cmd: "a" }); await sh({ cmd: "b" }); await apply_patch("x")',
      [run("a"), run("b"), ["apply_patch", "x"]],
    ],
    [
      "a call in a template",
      'text(`${(await tools.exec_command({ cmd: "a" })).output} tools.exec_command({cmd: "b"})`)',
      [run("a")],
    ],
    [
      "comments, strings and expressions",
      '// tools.exec_command({cmd: "a"})\n/* tools.exec_command({cmd: "b"}) */\nconst s = "tools.exec_command({cmd: \'c\'})".replace(/["\'`(]/g, "");\nmy.tools.exec_command({ cmd: "d" });\ntools.exec_command({ cmd: "e" })',
      [run("e")],
    ],
    [
      "a line that sets the tool",
      '// @exec: {"yield_time_ms": 1000}\nawait tools.exec_command({ cmd: "a" });',
      [run("a")],
    ],
    ["no call", "const tools = 1; text(tools.length + 'x')", []],
  ])("%s", (_, source, expected) => {
    expect(calls(source)).toEqual(expected);
  });

  it("never runs anything, and costs no more than the script is long", () => {
    const hostile = [
      "tools.a(".repeat(8_000),
      "tools.a({b:".repeat(8_000),
      `${"[".repeat(20_000)}tools.a()`,
      `const a = "${"x".repeat(1_000)}"; ${"a = a + a; ".repeat(1_000)} tools.a(a)`,
      `let a = ["x"]; ${"a = [a, a]; ".repeat(1_000)} tools.a({a})`,
      "const f = (x) => { f(x); f(x); tools.a({x}); }; f(1);".repeat(400),
      "tools.a(`${".repeat(6_000),
      "tools(/[".repeat(10_000),
      `for (const x of [${"1,".repeat(10_000)}]) { ${"tools.a({x});".repeat(1_000)} }`,
      "tools.a({ __proto__: { polluted: 1 }, constructor: 2 })",
      "tools.a('\\u{110000}\\",
    ];
    for (const source of hostile) {
      const start = process.cpuUsage();
      readScriptCalls(source);
      expect(process.cpuUsage(start).user / 1_000, source.slice(0, 40)).toBeLessThan(5_000);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  }, 60_000);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: scripts with templates
