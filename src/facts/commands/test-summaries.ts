// The lines in which test runners, compilers and linters sum up a run: which of them counts, and what it says.

export interface Summary {
  readonly outcome: "ok" | "failed";
  readonly line: string;
  /** Says how many, not only that. */
  readonly hasCounts: boolean;
  /** Numbers say more than a bare verdict. */
  readonly weight: number;
}

interface SummaryForm {
  readonly pattern: RegExp;
  /** From the match: `true` when the run failed. */
  readonly failed: (match: RegExpExecArray) => boolean;
  readonly weight: number;
}

const COUNTS = 3;
const VERDICT = 2;
const PART = 1;
const number = (text: string | undefined) => Number(text ?? "0");
const always = () => true;
const never = () => false;
const counted = (match: RegExpExecArray) => match.slice(1).some((text) => number(text) > 0);
const saysFailed = (match: RegExpExecArray) => /[1-9]\d{0,8} (?:failed|failures?|errors?|timed out)\b/.test(match[0]);

/** In the order of the runners' popularity; the first form that matches a line is taken. */
const FORMS: readonly SummaryForm[] = [
  // vitest, jest, phpunit: `Tests  1 failed | 5 passed (6)`, `Tests:       1 failed, 5 passed, 6 total`
  { pattern: /^Tests:?\s{1,12}\d{1,9} (?:failed|passed|skipped|todo)\b.{0,120}/, failed: saysFailed, weight: COUNTS },
  {
    pattern: /^(?:Test Files|Test Suites:?|Suites:?)\s{1,12}\d{1,9} (?:failed|passed|skipped)\b.{0,120}/,
    failed: saysFailed,
    weight: VERDICT,
  },
  {
    pattern: /^Tests: \d{1,9}, Assertions: \d{1,9}(?:.{0,80}(?:Failures|Errors): (\d{1,9}))?.{0,80}/,
    failed: counted,
    weight: COUNTS,
  },
  // pytest: `== 1 failed, 5 passed in 0.12s ==`, with -q without the signs
  {
    pattern:
      /^(?:=+ )?(?:\d{1,9} (?:failed|passed|skipped|errors?|xfailed|xpassed|deselected|warnings?|subtests passed)(?:, )?){1,8} in \d.{0,40}/,
    failed: saysFailed,
    weight: COUNTS,
  },
  { pattern: /^(?:=+ )?no tests ran in .{0,40}/, failed: never, weight: VERDICT },
  // go test
  { pattern: /^FAIL\t\S{1,200}.{0,80}/, failed: always, weight: PART },
  { pattern: /^--- FAIL: .{1,160}/, failed: always, weight: VERDICT },
  { pattern: /^ok {2}\t\S{1,200}.{0,80}/, failed: never, weight: PART },
  { pattern: /^(?:FAIL|PASS)$/, failed: (match) => match[0] === "FAIL", weight: 0 },
  // cargo
  { pattern: /^test result: (ok|FAILED)\. .{1,120}/, failed: (match) => match[1] === "FAILED", weight: COUNTS },
  { pattern: /^error: (?:could not compile|aborting due to) .{1,120}/, failed: always, weight: VERDICT },
  // mocha
  { pattern: /^(\d{1,9}) failing\b.{0,40}/, failed: counted, weight: COUNTS },
  { pattern: /^\d{1,9} passing\b.{0,40}/, failed: never, weight: VERDICT },
  // node:test, tap
  { pattern: /^[#ℹ] fail (\d{1,9})$/, failed: counted, weight: COUNTS },
  { pattern: /^[#ℹ] pass \d{1,9}$/, failed: never, weight: COUNTS },
  { pattern: /^not ok \d{1,9}\b.{0,120}/, failed: (match) => !/# (?:todo|skip)/i.test(match[0]), weight: PART },
  // maven, gradle
  {
    pattern: /^(?:\[\w{1,8}\] )?Tests run: \d{1,9}, Failures: (\d{1,9}), Errors: (\d{1,9}).{0,80}/,
    failed: counted,
    weight: COUNTS,
  },
  {
    pattern: /^(?:\[\w{1,8}\] )?BUILD (SUCCESS|SUCCESSFUL|FAILURE|FAILED)\b.{0,40}/,
    failed: (match) => match[1]?.startsWith("FAIL") === true,
    weight: VERDICT,
  },
  { pattern: /^\d{1,9} tests? completed, (\d{1,9}) failed.{0,40}/, failed: counted, weight: COUNTS },
  // rspec, unittest, phpunit
  { pattern: /^\d{1,9} examples?, (\d{1,9}) failures?.{0,60}/, failed: counted, weight: COUNTS },
  { pattern: /^FAILED \((?:failures|errors)=\d.{0,60}/, failed: always, weight: COUNTS },
  { pattern: /^OK(?: \(.{1,60}\))?$/, failed: never, weight: PART },
  { pattern: /^Ran \d{1,9} tests? in .{1,30}/, failed: never, weight: VERDICT },
  // dotnet, swift, deno, bun, playwright
  { pattern: /^(?:Passed|Failed)! {1,4}- Failed: {1,8}(\d{1,9}), Passed.{0,80}/, failed: counted, weight: COUNTS },
  { pattern: /^Executed \d{1,9} tests?, with (\d{1,9}) failures?.{0,80}/, failed: counted, weight: COUNTS },
  { pattern: /^(?:ok|FAILED) \| \d{1,9} passed.{0,20} \| (\d{1,9}) failed.{0,40}/, failed: counted, weight: COUNTS },
  { pattern: /^(\d{1,9}) fail(?:ed)?$/, failed: counted, weight: COUNTS },
  { pattern: /^\d{1,9} pass(?:ed \(.{1,20}\))?$/, failed: never, weight: COUNTS },
  // tsc, eslint, biome, golangci-lint, ruff, mypy, flake
  { pattern: /^Found (\d{1,9}) errors?\b.{0,80}/, failed: counted, weight: COUNTS },
  { pattern: /^[✖✗] \d{1,9} problems? \((\d{1,9}) errors?.{0,60}/, failed: counted, weight: COUNTS },
  { pattern: /^(\d{1,9}) issues?[.:]$/, failed: counted, weight: COUNTS },
  { pattern: /^Checked \d{1,9} files? in .{1,60}/, failed: never, weight: VERDICT },
  {
    pattern: /^(?:All checks passed!|Success: no issues found.{0,40}|All matched files use .{0,60})/,
    failed: never,
    weight: VERDICT,
  },
  // git: the commit that was made
  { pattern: /^\[[\w/.-]{1,100}(?: \(root-commit\))? [0-9a-f]{7,40}\] .{1,160}/, failed: never, weight: COUNTS },
  // task runners
  { pattern: /^(?:\[[\w:.-]{1,60}\] )?ERROR task failed/, failed: always, weight: 0 },
  { pattern: /^make(?:\[\d{1,3}\])?: \*\*\* .{1,160}/, failed: always, weight: PART },
];

/** A cheap look before the forms are tried. */
const WORDS = /^\[|fail|pass|ok|error|issue|problem|test|example|build|checked|success|no issues|\*\*\*/i;

/** The sum of a run; undefined when no line sums up anything. */
export function readSummary(lines: readonly string[]): Summary | undefined {
  let best: Summary | undefined;
  let parts = 0;
  for (const line of lines) {
    const found = WORDS.test(line) ? summaryOf(line.trimStart()) : undefined;
    if (found === undefined) continue;
    if (found.outcome === "ok" && found.weight === PART) parts += 1;
    best = best === undefined || outranks(found, best) ? found : best;
  }
  if (best?.weight === PART && best.outcome === "ok" && parts > 1) return { ...best, line: `ok: ${parts} packages` };
  return best;
}

/** One failure fails the run; among lines of one outcome the first with the greatest weight says most, the last count of all. */
function outranks(found: Summary, best: Summary): boolean {
  if (found.outcome !== best.outcome) return found.outcome === "failed";
  return found.weight === COUNTS ? best.weight <= COUNTS : found.weight > best.weight;
}

function summaryOf(line: string): Summary | undefined {
  for (const { pattern, failed, weight } of FORMS) {
    const match = pattern.exec(line);
    if (match !== null)
      return {
        outcome: failed(match) ? "failed" : "ok",
        line: match[0].replace(/[=\s]+$/, "").replace(/^=+ /, ""),
        weight,
        hasCounts: weight === COUNTS && !/^\d{1,9} issues?/.test(match[0]),
      };
  }
  return undefined;
}
