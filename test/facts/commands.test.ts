import { describe, expect, it } from "vitest";
import { commandKey, commandText, extractCommands, isProbe, mergeCommands } from "../../src/facts/commands.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { bash, call, factMessages, type Line } from "./fact-messages.ts";

const commands = (...lines: Line[]) => runThrough(extractCommands(factMessages(lines)));
const outcome = (command: string, output?: string, isError = false) => {
  const [fact] = commands(bash(command, output, isError));
  return [fact?.outcome, fact?.detail];
};

describe("calls that run a command", () => {
  it.each<[string, unknown, string | undefined]>([
    ["Bash", { command: "npm test", description: "Run tests" }, "npm test"],
    ["shell", { command: ["bash", "-lc", "npm test && echo ok"] }, "npm test && echo ok"],
    ["local_shell", { command: ["git", "commit", "-m", "a b"] }, "git commit -m 'a b'"],
    ["exec_command", { cmd: "npm test" }, "npm test"],
    ["run_terminal_cmd", { command: "npm test", is_background: false }, "npm test"],
    ["run_shell_command", { command: "npm test" }, "npm test"],
    ["execute_bash", { command: "npm test" }, "npm test"],
    ["mcp__term__execute_command", { command: "npm test" }, "npm test"],
    ["bash", { command: "npm test" }, "npm test"],
    ["run_tests", { path: "test/a.test.ts" }, "run_tests test/a.test.ts"],
    ["str_replace_editor", { command: "view", path: "a.ts" }, undefined],
    ["Task", { prompt: "run npm test" }, undefined],
    ["Bash", { command: 7 }, undefined],
    ["Bash", "not json", undefined],
    ["Bash", { command: "  " }, undefined],
  ])("%s %j", (name, input, expected) => {
    expect(commands(call(name, input, "")).map(({ command }) => command)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it.each([
    ["# build first\nset -e\ncd app\nnpm run build\nnpm test", "npm run build"],
    ["cat > a.txt << 'EOF'\nnpm test\nEOF", "cat > a.txt << 'EOF'"],
    ["\n\n  npm   test  ", "npm test"],
  ])("shows the line that says what a script does: %j", (script, expected) => {
    expect(commandText(script)).toBe(expected);
  });

  it("cuts a long one between words", () => {
    const text = commandText(`deploy ${"--flag value ".repeat(50)}`);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text).toMatch(/(?:--flag|value)…$/);
  });
});

describe("outcome and the line that says most", () => {
  it.each<[string, string, "ok" | "failed", string | undefined]>([
    ["go test ./...", "ok  \tx/a\t0.1s\nok  \tx/b\t0.2s\n?   \tx/c\t[no test files]", "ok", undefined],
    [
      "go test ./... | tail",
      "--- FAIL: TestA (0.0s)\n    a_test.go:9: got 1, want 2\nFAIL\nFAIL\tx/a\t0.1s",
      "failed",
      "--- FAIL: TestA (0.0s): a_test.go:9: got 1, want 2",
    ],
    ["npx jest", "PASS a.test.js\n\nTests:       5 passed, 5 total\nTime: 1s", "ok", "Tests: 5 passed, 5 total"],
    [
      "npx jest",
      "FAIL a.test.js\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 5 passed, 6 total",
      "failed",
      "Tests: 1 failed, 5 passed, 6 total",
    ],
    [
      "npx vitest run",
      "\u001b[31m Tests \u001b[39m 2 failed | 5 passed (7)",
      "failed",
      "Tests 2 failed | 5 passed (7)",
    ],
    ["npx vitest run", " Test Files  1 passed (1)\n      Tests  7 passed (7)", "ok", "Tests 7 passed (7)"],
    ["pytest", "===== 1 failed, 5 passed in 0.12s =====", "failed", "1 failed, 5 passed in 0.12s"],
    ["pytest -q", "5 passed, 1 warning in 0.12s", "ok", "5 passed, 1 warning in 0.12s"],
    [
      "cargo test",
      "test result: ok. 3 passed; 0 failed; 0 ignored",
      "ok",
      "test result: ok. 3 passed; 0 failed; 0 ignored",
    ],
    [
      "cargo test",
      "test result: FAILED. 3 passed; 1 failed\ntest result: ok. 1 passed; 0 failed",
      "failed",
      "test result: FAILED. 3 passed; 1 failed",
    ],
    ["npx mocha", "  5 passing (20ms)\n  2 failing\n", "failed", "2 failing"],
    ["npx mocha", "  5 passing (20ms)", "ok", "5 passing (20ms)"],
    ["node --test", "# tests 3\n# pass 2\n# fail 1", "failed", "# fail 1"],
    ["node --test", "ℹ pass 3\nℹ fail 0", "ok", "ℹ fail 0"],
    [
      "mvn test",
      "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
      "failed",
      "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
    ],
    ["gradle build", "BUILD SUCCESSFUL in 3s", "ok", "BUILD SUCCESSFUL in 3s"],
    ["rspec", "5 examples, 1 failure", "failed", "5 examples, 1 failure"],
    ["rspec", "5 examples, 0 failures", "ok", "5 examples, 0 failures"],
    ["python -m unittest", "Ran 5 tests in 0.1s\n\nFAILED (failures=1)", "failed", "FAILED (failures=1)"],
    [
      "npx tsc | head",
      "src/a.ts(3,5): error TS2345: Argument of type 'x'\nFound 3 errors in 2 files.",
      "failed",
      "Found 3 errors in 2 files.",
    ],
    ["npx eslint .", "✖ 3 problems (2 errors, 1 warning)", "failed", "✖ 3 problems (2 errors, 1 warning)"],
    ["npx eslint .", "✖ 1 problem (0 errors, 1 warning)", "ok", "✖ 1 problem (0 errors, 1 warning)"],
    ["npx biome check", "Checked 12 files in 5ms. No fixes applied.\nFound 2 errors.", "failed", "Found 2 errors."],
    [
      "golangci-lint run | head",
      "a.go:8:2: unused result (errcheck)\n1 issues:\n* errcheck: 1",
      "failed",
      "a.go:8:2: unused result (errcheck)",
    ],
    ["golangci-lint run", "0 issues.", "ok", "0 issues."],
    ["mypy .", "Success: no issues found in 3 source files", "ok", "Success: no issues found in 3 source files"],
    ["bun test", " 5 pass\n 1 fail", "failed", "1 fail"],
    [
      "dotnet test",
      "Failed!  - Failed:     1, Passed:    12, Skipped: 0",
      "failed",
      "Failed! - Failed: 1, Passed: 12, Skipped: 0",
    ],
    ["git commit -m x", "[main 4f2a91c] x\n 1 file changed", "ok", "[main 4f2a91c] x"],
    [
      "python a.py",
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: bad port',
      "failed",
      "ValueError: bad port",
    ],
    ["make all", "cc a.c\nmake: *** [all] Error 1", "failed", "make: *** [all] Error 1"],
    ["terraform plan", "bash: terraform: command not found", "failed", "bash: terraform: command not found"],
    ["npm run build", "", "ok", undefined],
    ["npm run build", "(no output)", "ok", undefined],
    ["./deploy.sh", "deployed 4f2a91c", "ok", "deployed 4f2a91c"],
    ["npm test || true", "Tests: 1 failed, 1 total", "ok", "Tests: 1 failed, 1 total"],
  ])("%s: %j is %s", (command, output, expected, detail) => {
    expect(outcome(command, output)).toEqual([expected, detail]);
  });

  it.each<[string, string, string | undefined]>([
    ["Exit code 2\nno such target", "failed", "no such target"],
    ["Process exited with code 1\nOutput:\nboom", "failed", "boom"],
    ["all fine\n\nCommand exited with code 0", "ok", "all fine"],
    ["<returncode>1</returncode>\n<output>boom</output>", "failed", "<output>boom</output>"],
    ['{"output":"boom\\nlast","metadata":{"exit_code":3,"duration_seconds":1}}', "failed", "last"],
    ['{"output":"fine","metadata":{"exit_code":0}}', "ok", "fine"],
    ['{"stdout":"","stderr":"boom","exitCode":1}', "failed", "boom"],
    ["Command timed out after 2m", "failed", "Command timed out after 2m"],
    ["Command running in background with ID: b1", "unknown", undefined],
  ])("as the host states it: %j is %s", (output, expected, detail) => {
    expect(outcome("./run.sh", output)).toEqual([expected, detail]);
  });

  it("is unknown without a result, and nothing when the user refused", () => {
    expect(outcome("npm test")).toEqual(["unknown", undefined]);
    expect(commands(bash("npm test", "The user doesn't want to proceed with this tool use.", true))).toEqual([]);
  });

  it("of a look around is not read from the text it shows", () => {
    expect(outcome("grep -rn Error: src", "a.ts:1:Error: boom\nError: x\nTests: 1 failed, 1 total")[0]).toBe("ok");
    expect(outcome("cat log.txt", "Traceback (most recent call last):\nValueError: x")[0]).toBe("ok");
    expect(outcome("grep x a.ts", "", true)[0]).toBe("failed");
  });

  it("of a long output is read from its ends", () => {
    const noise = "compiling module\n".repeat(100_000);
    expect(outcome("npm test", `${noise}Tests: 1 failed, 2 total\n`)).toEqual(["failed", "Tests: 1 failed, 2 total"]);
    expect(outcome("npm test", `Exit code 1\n${noise}`)[0]).toBe("failed");
  });
});

describe("runs of the same command", () => {
  it.each([
    ["npm test 2>&1 | tail -20", "npm test"],
    ["CI=1 timeout 60 npm test > out.log", "npm test"],
    ["cd app && npm test 2>&1 | head -5", "cd app && npm test"],
    ["npm test || true", "npm test"],
    ["git log --oneline | head -3", "git log --oneline"],
    ["| head", "| head"],
    ["", ""],
  ])("%j has the key %j", (text, key) => {
    expect(commandKey(text)).toBe(key);
    expect(commandKey(commandKey(text))).toBe(key);
  });

  it("are counted, and the newest outcome wins, also over rounds", () => {
    const first = commands(
      bash("npm test 2>&1 | tail -5", "Tests: 1 failed, 1 total"),
      bash("ls", "a"),
      bash("npm test", "Tests: 1 passed, 1 total"),
    );
    expect(first.map(({ command, runs, outcome }) => [command, runs, outcome])).toEqual([
      ["ls", 1, "ok"],
      ["npm test", 2, "ok"],
    ]);
    const second = runThrough(extractCommands(factMessages([bash("npm test", "Tests: 2 failed, 2 total")], 2)));
    expect(mergeCommands(first, second)[1]).toEqual({
      kind: "command",
      command: "npm test",
      outcome: "failed",
      detail: "Tests: 2 failed, 2 total",
      runs: 3,
      failures: 2,
      source: { step: 2, message: 1 },
    });
  });

  it.each([
    ["ls -la src", true],
    ["cd src && grep -rn x . | head", true],
    ["git status", true],
    ["git log -3", true],
    ["node --version", true],
    ["sed -n 1,5p a.ts", true],
    ["sed -i s/a/b/ a.ts", false],
    ["cat > a.ts << EOF", false],
    ["echo x > a.txt", false],
    ["npm test", false],
    ["git commit -m x", false],
  ])("%s only looks: %s", (text, expected) => {
    expect(isProbe(text)).toBe(expected);
  });
});

describe("hostile input", () => {
  it("takes linear time", () => {
    for (const unit of [
      "a",
      " ",
      "=",
      "a=b ",
      "cd a && ",
      "|",
      "Error: ",
      "1 failed, ",
      "FAIL\n",
      "\u001b[",
      "✗ a\n",
      "a.b.",
      "a:1:",
      "Traceback (most recent call last)\n",
      "[",
      "-",
    ]) {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(commands(bash(text, text), bash("npm test", text)).length).toBeGreaterThan(0);
    }
  });
});
