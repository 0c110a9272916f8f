// What the shells complete, asked of the shells themselves. zsh and fish are asked where they are installed.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "./command-line.ts";

const isThere = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** What the shell prints when it has read the script and then `asked`. */
async function inShell(shell: string, asked: string): Promise<string> {
  const cwd = newFolder();
  const { stdout, code } = await call(["completion", shell], { cwd });
  expect(code).toBe(0);
  writeFileSync(join(cwd, "completion"), stdout);
  const before = shell === "zsh" ? "autoload -U compinit; compinit -u -D; " : "";
  const ran = spawnSync(shell, ["-c", `${before}source ./completion\n${asked}`], { cwd, encoding: "utf8" });
  expect(ran.stderr).toBe("");
  return ran.stdout;
}

function inBash(...words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  return `COMP_WORDS=(agent-compact ${quoted}); COMP_CWORD=${words.length}; _agent_compact; echo "\${COMPREPLY[@]}"`;
}

describe("completion in bash", () => {
  it.each([
    [["obs"], "observations"],
    [["session", ""], "list compact undo show diff --json --quiet --config --debug"],
    [["observations", "compact", "--sum"], "--summary-title --summary-content --summary-file"],
    [["conversation", "session.jsonl", "--targ"], "--target-tokens"],
    [["--json", "memory-files", "res"], "restore"],
    [["wrap", "claude", "--too"], "--tools"],
  ])("of %j is %s", async (words, expected) => {
    const given = (await inShell("bash", inBash(...words))).trim().split(" ");
    for (const word of expected.split(" ")) expect(given).toContain(word);
    expect(given.every((word) => word.startsWith(words.at(-1) ?? ""))).toBe(true);
  });
});

describe("completion elsewhere", () => {
  it.skipIf(!isThere("fish"))("fish shows commands and flags with what they mean", async () => {
    const given = await inShell(
      "fish",
      'complete -C "agent-compact session "; complete -C "agent-compact observations compact --dry"',
    );
    expect(given).toContain("undo\ttake a session back that compact wrote");
    expect(given).toContain("--dry-run\tprint the plan, change nothing");
  });

  it.skipIf(!isThere("zsh"))("zsh takes the script of bash", async () => {
    expect(await inShell("zsh", "print $_comps[agent-compact]")).toMatch(/_bash_complete/);
  });

  it("is of shells that are known", async () => {
    expect(await call(["completion", "tcsh"], { cwd: newFolder() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bash, zsh, fish"),
    });
  });
});
