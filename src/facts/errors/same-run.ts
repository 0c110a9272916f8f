// Whether the success of one command settles the failure of another: the same command, a wider run of the same
// program, or the same test file.
import type { CommandIdentity } from "../commands/command-text.ts";

const TEST_FILE = /[\w@+./-]{0,200}(?:\btest_|[._-](?:test|spec)\b|_test\b)[\w.-]{0,60}/gi;
/** Arguments that leave the run as wide as without them. */
const WIDE = /^(?:-.*|\.|\.\/\.\.\.|run|test|tests|tests\/|check|build|lint|all)$/;
const NARROWING =
  /(?:^|\s)(?:-run|-k|-t|-m|-g|--grep|--filter|--testNamePattern|--test-name-pattern|-p|--package|--only)(?:[ =]|$)/;
/** Their first argument is the name of a program of its own. */
const RUNNERS = new Set(
  "npm npx pnpm yarn bun bunx mise make just task poetry uv deno turbo nx rake gradle mvn dotnet python python3 node".split(
    " ",
  ),
);

export function settles(passed: CommandIdentity, failed: CommandIdentity): boolean {
  const sharesFolder = mayShareFolder(passed, failed);
  if (sharesFolder && (includesRun(passed.command, failed.command) || isWider(passed.command, failed.command)))
    return true;
  return sharesTestFile(passed.command, failed.command);
}

/** A chain that passed ran all its parts; of one that failed, its last part passes only where the others do not matter. */
function includesRun(passed: string, failed: string): boolean {
  if (passed === failed) return true;
  return passed.split(" && ").includes(failed) || failed.endsWith(` && ${passed}`);
}

function mayShareFolder(one: CommandIdentity, other: CommandIdentity): boolean {
  return one.folder === undefined || other.folder === undefined || one.folder === other.folder;
}

function isWider(passed: string, failed: string): boolean {
  const wide = passed.split(" ");
  const narrow = failed.split(" ");
  const names = RUNNERS.has(wide[0] ?? "") ? wide.length : 2;
  if (wide.length < 2 || wide.slice(0, names).some((word, at) => at < 2 && word !== narrow[at])) return false;
  if (RUNNERS.has(wide[0] ?? "")) return failed.startsWith(`${passed} `) && !/&&|;/.test(failed);
  return !NARROWING.test(passed) && wide.slice(1).every((word) => WIDE.test(word));
}

/** Both runs name it, so the one that passed ran at least what failed of it, unless it was narrowed. */
function sharesTestFile(passed: string, failed: string): boolean {
  if (!/test|spec/i.test(failed) || !passed.includes(".") || NARROWING.test(passed) || passed.includes("::"))
    return false;
  const files = new Set(passed.match(TEST_FILE) ?? []);
  return files.size > 0 && (failed.match(TEST_FILE) ?? []).some((file) => files.has(file.split("::")[0] ?? file));
}
