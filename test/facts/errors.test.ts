import { describe, expect, it } from "vitest";
import { extractCommands, identifyCommand } from "../../src/facts/commands.ts";
import { extractErrors, mergeErrors, settles } from "../../src/facts/errors.ts";
import { extractFiles } from "../../src/facts/files.ts";
import type { ErrorFact } from "../../src/facts/ledger.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { bash, call, edit, factMessages, type Line, says, user } from "./fact-messages.ts";

const errors = (...lines: Line[]) => runThrough(extractErrors(factMessages(lines)));
const brief = (...lines: Line[]) => errors(...lines).map(({ status, text }) => `${status} ${text}`);

describe("the line that names an error", () => {
  it.each<[string, string, string]>([
    [
      "npx tsc",
      "src/a.ts(3,5): error TS2345: Argument of type 'x' is wrong.",
      "src/a.ts(3,5): error TS2345: Argument of type 'x' is wrong.",
    ],
    [
      "cargo build",
      "warning: unused\nerror[E0308]: mismatched types\n --> src/main.rs:4:5",
      "error[E0308]: mismatched types",
    ],
    [
      "go run .",
      "panic: runtime error: index out of range\n\ngoroutine 1 [running]:",
      "panic: runtime error: index out of range",
    ],
    [
      "python a.py",
      "Traceback (most recent call last):\n  File \"a.py\", line 2\n    x\nKeyError: 'port'",
      "KeyError: 'port'",
    ],
    ["node a.js", "node:internal\n\nTypeError: x is not a function\n    at a.js:1:1", "TypeError: x is not a function"],
    [
      "pytest",
      "FAILED tests/test_a.py::test_x - AssertionError: 1 != 2\n1 failed in 0.1s",
      "FAILED tests/test_a.py::test_x - AssertionError: 1 != 2",
    ],
    [
      "npx vitest run",
      " ❯ a.test.ts\n   × adds numbers 3ms\nAssertionError: expected 1 to be 2\n Tests  1 failed (1)",
      "AssertionError: expected 1 to be 2",
    ],
    [
      "npx jest",
      "  ● sum › adds\n\n    expect(received).toBe(expected)\n\nTests: 1 failed, 1 total",
      "● sum › adds: expect(received).toBe(expected)",
    ],
    ["git push", "fatal: no upstream branch", "fatal: no upstream branch"],
    [
      "go build ./...",
      '# x\n./a.go:5:2: "os" imported and not used\nExit code 1',
      './a.go:5:2: "os" imported and not used',
    ],
    ["npm run x", "npm ERR! Missing script: x\nnpm ERR! A complete log", "npm ERR! Missing script: x"],
  ])("%s: %j", (command, output, text) => {
    expect(errors(bash(command, output, true))).toEqual([
      { kind: "error", text, from: command, status: "open", source: { step: 1, message: 1 } },
    ]);
  });

  it("is never taken from a tool that only showed text, nor from what was said", () => {
    expect(
      brief(bash("cat app.log", "TypeError: cannot read 'id'"), call("Read", { file_path: "a.log" }, "Error: x")),
    ).toEqual([]);
    expect(brief(user("Error handling: please improve it"), says("Error: never seen in a result"))).toEqual([]);
  });
});

describe("noise", () => {
  it.each<[Line]>([
    [bash("grep -rn nothing src", "Exit code 1", true)],
    [bash("ls missing", "Exit code 2\nls: missing: No such file or directory", true)],
    [bash("cd gone && npm test", "Exit code 1\n(eval):cd:1: no such file or directory: gone", true)],
    [call("Read", { file_path: "a.ts" }, "<tool_use_error>File does not exist.</tool_use_error>", true)],
    [
      call(
        "Edit",
        { file_path: "a.ts", old_string: "a", new_string: "b" },
        "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>",
        true,
      ),
    ],
    [bash("npm test", "The user doesn't want to proceed with this tool use.", true)],
    [bash("npm test", "<tool_use_error>Sibling tool call errored</tool_use_error>", true)],
    [bash("npm test")],
  ])("%j", (line) => {
    expect(errors(line)).toEqual([]);
  });
});

describe("how an error is settled", () => {
  it("by the same command, with what was edited between and the line itself where it is one", () => {
    const [error] = errors(
      bash("npm test 2>&1 | tail -5", "Tests: 1 failed, 1 total\nError: timed out waiting"),
      edit("config.json", '"retries": 1', '"retries": 3'),
      bash("npm test", "Tests: 1 passed, 1 total"),
    );
    expect(error).toEqual({
      kind: "error",
      text: "Error: timed out waiting",
      from: "npm test",
      status: "fixed",
      fix: 'edited config.json: `"retries": 3`',
      fixedAt: { step: 1, message: 6 },
      source: { step: 1, message: 1 },
    });
  });

  it("with the files where more was edited", () => {
    const [error] = errors(
      bash("make", "make: *** [all] Error 1", true),
      says("The header was missing."),
      edit("a.c", "a", "b\nc"),
      edit("b.c", "a", "b"),
      bash("make", ""),
    );
    expect(error?.fix).toBe("edited a.c, b.c");
  });

  it("by a setting: the command that helped is the fix", () => {
    const [error] = errors(
      bash("./deploy.sh", "Error: quota exceeded", true),
      bash("gcloud quota set 3", "done"),
      bash("QUOTA=3 ./deploy.sh", "deployed"),
    );
    expect(error).toMatchObject({ status: "fixed", fix: "ran gcloud quota set 3" });
  });

  it("stays open when the last run failed, and its text is that of the last run", () => {
    const line = bash("npm test", "Error: first", true);
    expect(brief(line, bash("npm test", "Error: second", true))).toEqual(["open Error: second"]);
    expect(brief(line, edit("a.ts", "a", "b"), line)).toEqual(["open Error: first"]);
    expect(brief(bash("npm test", ""), line)).toEqual(["open Error: first"]);
  });

  it("is cured when something was changed and another error came", () => {
    expect(
      brief(
        bash("go build", "a.go:1:1: undefined: x", true),
        edit("a.go", "a", "b"),
        bash("go build", "b.go:1:1: undefined: y", true),
      ),
    ).toEqual(["fixed a.go:1:1: undefined: x", "open b.go:1:1: undefined: y"]);
  });

  it("a refused edit is none once the file was edited", () => {
    const failed = call(
      "Edit",
      { file_path: "a.ts", old_string: "x", new_string: "y" },
      "String to replace not found in file.",
      true,
    );
    expect(errors(failed)).toMatchObject([{ status: "open", from: "Edit(a.ts)" }]);
    expect(brief(failed, edit("b.ts", "x", "y"))[0]).toMatch(/^open/);
    expect(brief(failed, edit("a.ts", "x", "y"))).toEqual([]);
    expect(brief(failed, bash("sed -i s/x/y/ a.ts", ""))).toEqual([]);
    expect(brief(bash("pytest tests/a.py", "Error: x", true), edit("tests/a.py", "x", "y"))[0]).toMatch(/^open/);
  });

  it.each([
    ["npm test", "npm test", true],
    ["cd app && npm test", "npm test", true],
    ["cd app && npm test", "cd lib && npm test", false],
    ["npx vitest run", "npx vitest run test/a.test.ts", true],
    ["npx vitest run test/a.test.ts", "npx vitest run", false],
    ["go test -run TestB ./...", "go test ./x -run TestA", false],
    ["npx vitest run test/b.test.ts", "npx vitest run test/a.test.ts", false],
    ["mise run test", "mise run test:integration", false],
    ["npm test && npm run lint", "npm run lint", true],
    ["npm run lint", "npm run format && npm run lint", true],
    ["npm run format", "npm run format && npm run lint", false],
    ["npm run build", "npm test", false],
    ["cargo build", "cargo test", false],
  ])("the success of %s settles the failure of %s: %s", (passed, failed, expected) => {
    expect(settles(identifyCommand(passed), identifyCommand(failed))).toBe(expected);
  });
});

describe("one line an error", () => {
  const fails = (command: string, time: string, reason = "") =>
    bash(command, `--- FAIL: TestSave (${time}s)\n    a_test.go:9: ${reason}got 1\nFAIL`, true);

  it("a test that fails again and again is one, whatever ran it, with what was tried", () => {
    const [error, ...others] = errors(
      fails("go test ./...", "0.46"),
      says("The lock is never released, so release it."),
      edit("src/a.go", "a", "b\nc"),
      fails("go test -run TestSave ./a", "0.54"),
      says("The file must be flushed before it is closed."),
      edit("src/a.go", "b", "d\ne"),
      edit("src/c.go", "b", "d\ne"),
      fails("go test ./...", "0.50", "still "),
      edit("src/b.go", "b", "flush()"),
      bash("go test ./...", "ok  \tx/a\t0.1s"),
    );
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      status: "fixed",
      text: "--- FAIL: TestSave (0.50s): a_test.go:9: still got 1",
      tried: ["edited src/a.go", "edited src/a.go, src/c.go"],
      fix: "edited src/b.go: `flush()`",
    });
  });

  it("the same trouble at another place is the same error of a command", () => {
    const cycle = (file: string) => bash("go build", `imports x/check from ${file}: import cycle not allowed`, true);
    const [error, ...others] = errors(cycle("session.go"), edit("logger.go", "a", "b"), cycle("logger.go"));
    expect(others).toEqual([]);
    expect(error).toMatchObject({ status: "open", tried: ["edited logger.go: `b`"] });
  });

  it("is no command that only says that it failed", () => {
    expect(errors(bash("./deploy.sh", "Exit code 1", true), bash("make", "exit status 2", true))).toEqual([]);
  });
});

describe("over rounds", () => {
  const round = (lines: readonly Line[], step: number) => {
    const messages = factMessages(lines, step);
    return {
      errors: runThrough(extractErrors(messages)),
      commands: runThrough(extractCommands(messages)),
      files: runThrough(extractFiles(messages)),
    };
  };
  const first = round([bash("npm test", "Error: boom", true), bash("make", "Error: other", true)], 1);

  it("an open error is closed by a later success, with what was edited before it", () => {
    const second = round(
      [says("The port was wrong."), edit("a.ts", "a", "b"), bash("npm test | tail", "Tests: 1 passed, 1 total")],
      2,
    );
    expect(mergeErrors(first.errors, second.errors, second.commands, second.files)).toEqual([
      {
        ...first.errors[0],
        status: "fixed",
        fix: "edited a.ts",
        fixedAt: { step: 2, message: 4 },
      },
      first.errors[1],
    ]);
    expect(mergeErrors(first.errors, second.errors, second.commands)[0]).toMatchObject({ status: "fixed" });
  });

  it("an error that comes again stands once, and one that was fixed stays so", () => {
    const again = round([bash("npm test", "Error: again", true)], 2);
    expect(
      mergeErrors(first.errors, again.errors, again.commands).map(({ text, status }) => `${status} ${text}`),
    ).toEqual(["open Error: other", "open Error: again"]);
    const fixed = round([bash("npm test", "Error: boom", true), edit("a.ts", "a", "b"), bash("npm test", "")], 1);
    const later = round([bash("npm test", "Error: new", true)], 2);
    expect(mergeErrors(fixed.errors, later.errors, later.commands).map(({ status }) => status)).toEqual([
      "fixed",
      "open",
    ]);
  });
});

describe("hostile input", () => {
  it("takes linear time", () => {
    for (const unit of [
      "a",
      "Error: ",
      "Error: a\n",
      "a.b.",
      "a/b:1:",
      "FAIL\n",
      "fixed ",
      ". ",
      "✗ a\n",
      "test_",
      "a_test.",
    ]) {
      const text = unit.repeat(500_000 / unit.length);
      errors(
        user(text),
        bash("npm test", text, true),
        says(text),
        edit("a.ts", "a", "b"),
        bash(text, text, true),
        bash("npm test", text),
      );
    }
    const many = Array.from({ length: 3_000 }, (_, at) => bash(`npm run task${at}`, "Error: boom", true));
    expect(errors(...many)).toHaveLength(3_000);
  });

  it("carries thousands over a round of thousands in seconds", () => {
    const round = (from: number): ErrorFact[] =>
      Array.from({ length: 4_000 }, (_, at) => ({
        kind: "error",
        text: `Error: task ${at} of src/a${at}.ts broke`,
        from: `npm run task${from + at}`,
        status: "open",
        source: { step: 1, message: at + 1 },
      }));
    const start = performance.now();
    expect(mergeErrors(round(0), round(4_000), [])).toHaveLength(8_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
