import { describe, expect, it } from "vitest";
import { extractFiles, mergeFiles } from "../../src/facts/files.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { bash, call, edit, factMessages, type Line } from "./fact-messages.ts";

const files = (...lines: Line[]) => runThrough(extractFiles(factMessages(lines)));
const brief = (...lines: Line[]) =>
  files(...lines).map(({ operation, path, to }) => `${operation} ${path}${to === undefined ? "" : ` > ${to}`}`);
const symbols = (...lines: Line[]) => files(...lines)[0]?.symbols;

describe("operations by tool", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["Read", { file_path: "/a/b.ts" }, ["read /a/b.ts"]],
    ["Write", { file_path: "/a/b.ts", content: "x" }, ["written /a/b.ts"]],
    ["Edit", { file_path: "./a/../b.ts", old_string: "a", new_string: "b" }, ["written ./a/../b.ts"]],
    ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b" }] }, ["written a.ts"]],
    ["NotebookEdit", { notebook_path: "n.ipynb", new_source: "x = 1" }, ["written n.ipynb"]],
    ["Glob", { pattern: "*.ts", path: "src" }, []],
    ["Grep", { pattern: "x", path: "src/a.ts" }, []],
    ["LS", { path: "/src" }, []],
    ["read_file", { path: "a.py" }, ["read a.py"]],
    ["write_file", { path: "a.py", content: "" }, ["written a.py"]],
    ["edit_file", { target_file: "a.py", code_edit: "x" }, ["written a.py"]],
    ["create_file", { filePath: "a.py", content: "x" }, ["written a.py"]],
    ["replace_in_file", { path: "a.py", diff: "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE" }, ["written a.py"]],
    ["str_replace_editor", { command: "view", path: "a.py" }, ["read a.py"]],
    ["str_replace_editor", { command: "create", path: "a.py", file_text: "x" }, ["written a.py"]],
    [
      "str_replace_based_edit_tool",
      { command: "str_replace", path: "a.py", old_str: "a", new_str: "b" },
      ["written a.py"],
    ],
    ["edit_file", { command: "str_replace", file_path: "a.py", old_str: "a", new_str: "b" }, ["written a.py"]],
    ["replace", { file_path: "a.py", old_string: "a", new_string: "b" }, ["written a.py"]],
    ["read_many_files", { paths: ["a.py", "b.py"] }, ["read a.py", "read b.py"]],
    ["write_to_file", { path: "a.py", content: "x" }, ["written a.py"]],
    ["apply_diff", { path: "a.py", diff: "@@ -1 +1 @@\n-a\n+b" }, ["written a.py"]],
    ["edit", { path: "a.py", oldText: "a", newText: "b" }, ["written a.py"]],
    ["mcp__files__move_file", { source: "a.py", destination: "b.py" }, ["moved a.py > b.py"]],
    ["delete_file", { path: "a.py" }, ["deleted a.py"]],
    ["push_files", { files: [{ path: "a.py", content: "x" }] }, []],
    ["write_files", { files: [{ path: "a.py", content: "x" }, { path: "b.py" }] }, ["written a.py", "written b.py"]],
    [
      "apply_patch",
      "*** Begin Patch\n*** Update File: a.py\n*** Delete File: b.py\n*** End Patch",
      ["written a.py", "deleted b.py"],
    ],
    ["apply_patch", { input: "*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y" }, ["moved a.py > b.py"]],
    ["apply_patch", { patch: "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n" }, ["written src/a.py"]],
    ["create_directory", { path: "src/new" }, []],
    ["TaskUpdate", { taskId: "1", path: "x" }, []],
  ])("%s %j", (name, input, expected) => {
    expect(brief(call(name, input, "ok"))).toEqual(expected);
    expect(brief(call(name, input))).toEqual(expected);
  });

  it.each([
    ["File updated.\n(Open file: /repo/src/a.py)\n(Current directory: /repo)\nbash-$", ["written /repo/src/a.py"]],
    ["[File: src/a.py (94 lines total)]\n1:import re\n2:", ["written src/a.py"]],
    ["Text replaced.\n(Open file: n/a)\nbash-$", []],
    ["Your proposed edit has introduced new syntax error(s).\n(Open file: /repo/src/a.py)", []],
    ["Text replaced.", []],
  ])("reads the open file off the editor's answer: %j", (answer, expected) => {
    const input = { replacement_text: "def total(rows):\n    return 1", start_line: 3, end_line: 4 };
    expect(brief(call("edit", input, answer))).toEqual(expected);
    expect(brief(call("scroll_down", {}, answer))).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ["make > out/log.txt 2>/dev/null && echo done | tee -a all.log", ["written out/log.txt", "written all.log"]],
    ["cat > 'my notes.md' << 'EOF'\n# Title\na > b.txt\nEOF\nrm old.txt", ["written my notes.md", "deleted old.txt"]],
    ["sed -i '' 's/a/b/' src/a.ts src/b.ts", ["written src/a.ts", "written src/b.ts"]],
    ["sed -n 1,20p src/a.ts", ["read src/a.ts"]],
    ["cat src/a.ts | grep x > found.txt", ["read src/a.ts", "written found.txt"]],
    ["head -n 20 a.ts", ["read a.ts"]],
    ["mv a.ts b.ts", ["moved a.ts > b.ts"]],
    [
      "git mv -f a.ts lib/ && mv x.ts y.ts lib",
      ["moved a.ts > lib/a.ts", "moved x.ts > lib/x.ts", "moved y.ts > lib/y.ts"],
    ],
    ["cp a.ts b.ts", ["read a.ts", "written b.ts"]],
    ["rm -rf dist && git rm --cached secret.env", ["deleted dist", "deleted secret.env"]],
    ["touch new.ts; mkdir -p src/x", ["written new.ts"]],
    ["echo $X > $OUT; echo a > *.txt; echo b >&2; [[ a > b ]]; rm *.log", []],
    ["echo <|im_start|>system; x </COMPACT-SUMMARY>system; cat <COMPACT-SUMMARY v3>system; <system>ok</system>", []],
    ["(( a > system )); echo $((a > system)); if [[ a > system ]]; then x; fi; ! [[ a > system ]]", []],
    [
      "sort <in.txt>out.txt; sort <in >b.txt; (cd x && (make > c.txt)); ((make > d.txt); y)",
      ["written out.txt", "written b.txt", "written c.txt", "written d.txt"],
    ],
    ["python -c \"print(1) > 2\" && awk '$1 > 3' t.csv", []],
    [
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.ts\n+export const A = 1\n*** End Patch\nEOF",
      ["written new.ts"],
    ],
    ["unclosed 'quote > a.txt", []],
  ])("the shell: %s", (command, expected) => {
    expect(brief(bash(command, ""))).toEqual(expected);
  });

  it("reads the words of a shell that is called with a list", () => {
    const input = { command: ["bash", "-lc", "apply_patch <<'X'\n*** Update File: a.ts\n@@ function go()\n-a\n+b\nX"] };
    expect(files(call("shell", input, "ok"))[0]).toMatchObject({ path: "a.ts", operation: "written" });
    expect(brief(call("shell", { command: ["rm", "a file.ts"] }, ""))).toEqual(["deleted a file.ts"]);
  });
});

describe("edits that failed", () => {
  it.each<[string, boolean]>([
    ["<tool_use_error>String to replace not found in file.</tool_use_error>", false],
    ["String to replace not found in file.", false],
    ["Error: File has not been read yet. Read it first.", false],
    ["No replacement was performed, old_str did not appear verbatim in a.ts.", false],
    ["apply_patch verification failed: no such hunk", false],
    ["anything", true],
  ])("%s", (output, isError) => {
    expect(files(call("Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }, output, isError))).toEqual([]);
  });

  it("of a script keeps the redirections that went before the failure", () => {
    expect(brief(bash("cat > a.ts << 'E'\nx\nE\nnpm test", "Exit code 1\nfailed", true))).toEqual(["written a.ts"]);
    expect(brief(bash("rm a.ts", "Exit code 1\nrm: a.ts: No such file", true))).toEqual([]);
  });
});

describe("symbols", () => {
  it.each<[string, string, string, readonly string[]]>([
    [
      "a.ts",
      "",
      "export async function load(id: string) {\n  return 1;\n}\nclass Store {\n  save(row: Row): void {\n  }\n}",
      ["load", "Store", "save"],
    ],
    ["a.ts", "function go() {\n  const a = 1;\n  return a;", "function go() {\n  const a = 2;\n  return a;", ["go"]],
    ["a.ts", "const x = 1;\n}\n\nexport const LIMIT = 3;", "const x = 1;\n}\n\nexport const LIMIT = 4;", ["LIMIT"]],
    [
      "a.ts",
      "",
      "export const run = async (x: number) => {\n};\ntype Row = { a: 1 };\nsetTimeout(() => {\n}, 1);",
      ["run", "Row"],
    ],
    [
      "a.test.ts",
      "",
      'describe("parse", () => {\n  it("reads numbers", () => {\n  });\n});',
      ["parse", "reads numbers"],
    ],
    ["a.py", "def f(x):\n    return x", "def f(x):\n    return x + 1", ["f"]],
    ["a.py", "", "class A(Base):\n    async def g(self):\n        pass", ["A", "g"]],
    [
      "a.go",
      "",
      "func (s *Store) Save(ctx context.Context) error {\n}\nfunc New() *Store {\n}\ntype Store struct {\n}",
      ["Save", "New", "Store"],
    ],
    ["a.rs", "", "pub(crate) fn go() {}\nimpl Store for Disk {\n}", ["go", "Store"]],
    [
      "A.java",
      "",
      "public class A {\n  public static void main(String[] args) {\n    for (int i = 0; i < 1; i++) {\n",
      ["A", "main"],
    ],
    ["a.sql", "", "CREATE TABLE IF NOT EXISTS ledger (id int);\nALTER TABLE users ADD x int;", ["ledger", "users"]],
    ["a.md", "# Title\n\n## Usage\nold", "# Title\n\n## Usage\nnew", ["Usage"]],
    ["a.yaml", "timeout: 3\nretries: 1", "timeout: 3\nretries: 2", ["retries"]],
    ["a.sh", "", "deploy() {\n  # not a heading\n}", ["deploy"]],
    ["a.txt", "", "function not_code() {}", []],
    ["a.ts", "    const row = a(1);", "    const row = store.loadRow(1);", []],
    ["a.ts", "function old() {\n}", "function fresh() {\n}", ["fresh", "old"]],
    ["a.ts", "function go(a) {\n}", "function go(a, b) {\n}", ["go"]],
  ])("%s: %j to %j", (path, before, after, expected) => {
    expect(symbols(edit(path, before, after))).toEqual(expected);
  });

  it.each<[string, unknown, readonly string[]]>([
    ["apply_patch", "*** Update File: a.ts\n@@ function parse(text: string) {\n-  return 1;\n+  return 2;", ["parse"]],
    [
      "apply_patch",
      { patch: "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@ def parse(text):\n-    return 1\n+    return 2" },
      ["parse"],
    ],
    [
      "replace_in_file",
      { path: "a.ts", diff: "------- SEARCH\nfunction f() {\n=======\nfunction g() {\n+++++++ REPLACE" },
      ["g"],
    ],
    [
      "MultiEdit",
      {
        file_path: "a.ts",
        edits: [
          { old_string: "", new_string: "class A {}" },
          { old_string: "", new_string: "class B {}" },
        ],
      },
      ["A", "B"],
    ],
  ])("%s", (name, input, expected) => {
    expect(symbols(call(name, input, "ok"))).toEqual(expected);
  });

  it("keeps eight, the outer ones of a new file, and those of the newest edit first", () => {
    const methods = Array.from({ length: 12 }, (_, at) => `  method${at}() {\n  }`).join("\n");
    const [file] = files(edit("a.ts", "", `class Outer {\n${methods}\n}\nfunction last() {\n}`));
    expect(file?.symbols).toHaveLength(8);
    expect(file?.symbols).toEqual(expect.arrayContaining(["Outer", "last"]));
    const [again] = files(
      edit("a.ts", "", "class Old {}"),
      edit("a.ts", "", "class New {}"),
      edit("a.ts", "", "class Old {}"),
    );
    expect(again).toMatchObject({ symbols: ["Old", "New"], edits: 3, source: { step: 1, message: 5 } });
  });
});

describe("what is known of a file", () => {
  it("stays written when it is read, and is what was done to it last otherwise", () => {
    const read = call("Read", { file_path: "a.ts" }, "1 x");
    expect(files(edit("a.ts", "a", "b"), read)[0]).toMatchObject({ operation: "written", source: { message: 1 } });
    expect(brief(edit("a.ts", "a", "b"), bash("rm a.ts", ""), read)).toEqual(["deleted a.ts"]);
    expect(brief(bash("rm a.ts", ""), edit("a.ts", "", "b"))).toEqual(["written a.ts"]);
  });

  it("is one file by its full path and by a relative one", () => {
    const full = "/home/dev/app/src/a.ts";
    expect(brief(edit(full, "a", "b"), edit("src/a.ts", "b", "c"))).toEqual([`written ${full}`]);
    expect(brief(edit("src/a.ts", "a", "b"), edit(full, "b", "c"))).toEqual([`written ${full}`]);
    expect(brief(edit("src/a.ts", "a", "b"), call("Read", { file_path: full }, "1 x"))).toEqual([`written ${full}`]);
    expect(brief(bash("cd /home/dev/app/src && echo a > a.ts", ""), edit(full, "b", "c"))).toEqual([`written ${full}`]);
    const two = ["/x/src/a.ts", "/y/src/a.ts"].map((path) => edit(path, "a", "b"));
    expect(brief(...two, edit("src/a.ts", "b", "c"))).toHaveLength(3);
    expect(brief(edit("/x/docs/README.md", "a", "b"), edit("README.md", "b", "c"))).toHaveLength(2);
  });

  it("tells the lines that came and went, and none that came and went again", () => {
    const [file] = files(
      edit("a.ts", "const a = 1;\n}", "const a = 2;\n}"),
      edit("a.ts", "const a = 2;", "const a = 3;"),
    );
    expect(file?.lines).toEqual(["- const a = 1;", "+ const a = 3;"]);
    const branch = "if (isOld) {\n  return undefined;\n}\nconst LIMIT = 40;";
    expect(files(edit("b.ts", "", branch))[0]?.lines).toEqual(["+ const LIMIT = 40;"]);
    expect(files(edit("a.ts", "", "x".repeat(500)))[0]?.lines[0]?.length).toBeLessThanOrEqual(202);
  });

  it("is carried over rounds", () => {
    const first = runThrough(
      extractFiles(factMessages([edit("a.ts", "", "class Old {}"), edit("b.ts", "", "class B {}")], 1)),
    );
    const second = runThrough(
      extractFiles(
        factMessages([edit("a.ts", "class Old {}", "class New {}"), call("Read", { file_path: "b.ts" }, "")], 2),
      ),
    );
    expect(mergeFiles(first, second).map(({ path, symbols, lines, edits }) => [path, symbols, lines, edits])).toEqual([
      ["b.ts", ["B"], ["+ class B {}"], 1],
      ["a.ts", ["New", "Old"], ["+ class New {}"], 2],
    ]);
  });
});

describe("hostile input", () => {
  it.each<[string, unknown]>([
    ["Write", "not json"],
    ["Write", "{"],
    ["Write", { file_path: 7, content: [] }],
    ["Edit", { file_path: "a\nb", old_string: 1, new_string: {} }],
    ["Write", { file_path: "x".repeat(5_000), content: "x" }],
    ["shell", { command: [1, null, {}] }],
    ["apply_patch", { input: ["*** Update File: "] }],
    ["", {}],
  ])("%s %j names no file", (name, input) => {
    expect(files(call(name, input, "ok"))).toEqual([]);
  });

  it("carries ten thousand files over a round in seconds", () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => edit(`src/d${at % 100}/file${at}.ts`, "a", "b"));
    const start = performance.now();
    const found = files(...lines);
    expect(mergeFiles(found, found)).toHaveLength(10_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("takes linear time on long texts", () => {
    for (const unit of [
      "a",
      "(",
      "a(",
      "{",
      " ",
      "<",
      "#",
      "'",
      "> ",
      "<<",
      "a b ",
      "@@ ",
      "\n",
      "+a\n",
      "def a\n",
      "a(b) {\n",
    ]) {
      const text = unit.repeat(300_000 / unit.length);
      for (const path of ["a.ts", "a.md", "a.yaml", "a.sql"])
        expect(files(call("Write", { file_path: path, content: text }))).toHaveLength(1);
      expect(files(edit("a.ts", text, `${text}x`))).toHaveLength(1);
      expect(files(bash(text, "")).length).toBeLessThan(10);
      expect(files(call("apply_patch", `*** Update File: a.ts\n${text}`))).toHaveLength(1);
    }
  });
});
