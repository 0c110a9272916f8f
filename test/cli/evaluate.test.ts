// `evaluate`: what survives of one's own sessions, beside trimming; with a model, its questions, answers and grades.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../src/cli/run.ts";
import type { EvaluationReport } from "../../src/operations/evaluate-report.ts";
import { type ScriptedServer, type ServerCall, type ServerStep, startScriptedServer } from "../../src/testing.ts";
import { longSession, SECRET } from "../operations/long-session.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { sessionLines } from "./conversations.ts";

function folderWithTalk(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "talk.json"), JSON.stringify(longSession()));
  return cwd;
}

const reportOf = (stdout: string) => JSON.parse(stdout) as EvaluationReport;

describe("evaluate, without a model", () => {
  it("prints one object with --json, writes nothing and shows no secret", async () => {
    const cwd = folderWithTalk();
    const before = snapshot(cwd);
    const { code, stdout, stderr } = await call(["evaluate", "talk.json", "--json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd()).not.toContain("\n");
    const { status, sessions, total, skipped, targets, meaning } = reportOf(stdout);
    expect({ status, skipped, targets }).toEqual({ status: "done", skipped: [], targets: [5, 10] });
    expect(sessions).toMatchObject([{ file: "talk.json", messages_before: 132, messages_rest: 33, models: [] }]);
    const [first] = sessions[0]?.targets ?? [];
    expect(first?.ours?.coverage.names_used_again).toEqual({ kept: 3, all: 3 });
    expect(first?.trimming?.lost_names).toContain("PAY-4711");
    expect(total.map(({ percent, sessions: number }) => [percent, number])).toEqual([
      [5, 1],
      [10, 1],
    ]);
    expect(meaning.join(" ")).toContain("Words are compared, not meaning");
    expect(stdout).not.toContain(SECRET);
    expect(snapshot(cwd)).toEqual(before);
  });

  it("prints a table for a person, what is gone, and what the figures mean", async () => {
    const cwd = folderWithTalk();
    const { code, stdout } = await call(["evaluate", "talk.json", "--targets", "5"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^What survives: talk\.json \(openai-chat\), cut behind message 132 of 165, [\d,]+ tokens/);
    expect(stdout).toMatch(/names that the rest used again +3 +100 % +0 %\n/);
    expect(stdout).toMatch(/tokens +[\d,]+ +[\d,]+\n/);
    expect(stdout).toContain("What the figures mean, and what not");
  });

  it("reads each session of a folder, and says which files it skipped and why", async () => {
    const cwd = folderWithTalk();
    mkdirSync(join(cwd, "more"));
    mkdirSync(join(cwd, ".hidden"));
    writeFileSync(join(cwd, "more", "session.jsonl"), sessionLines(60));
    writeFileSync(join(cwd, "broken.json"), '[{"role":');
    writeFileSync(join(cwd, "notes.txt"), "no session");
    writeFileSync(join(cwd, ".hidden", "x.json"), "{}");
    const { code, stdout } = await call(["evaluate", ".", "--json"], { cwd });
    expect(code).toBe(0);
    const { sessions, skipped, total } = reportOf(stdout);
    expect(sessions.map(({ file, format }) => [file, format])).toEqual([
      [join("more", "session.jsonl"), "claude-code"],
      ["talk.json", "openai-chat"],
    ]);
    expect(skipped.map(({ file }) => file)).toEqual(["broken.json", "notes.txt"]);
    for (const { reason } of skipped) expect(reason).not.toBe("");
    expect(total[0]?.sessions).toBe(2);
    const text = (await call(["evaluate", "."], { cwd })).stdout;
    expect(text).toMatch(/Skipped \(2\)\n {2}broken\.json ends in the middle/);
    expect(text).toMatch(/Names that the rest used again, by session\n/);
  });

  it("refuses what it cannot use, with what to do", async () => {
    const cwd = folderWithTalk();
    mkdirSync(join(cwd, "none"));
    writeFileSync(join(cwd, "none", "a.txt"), "a");
    writeFileSync(join(cwd, "none", "b.txt"), "b");
    const refused: readonly [argv: readonly string[], told: RegExp][] = [
      [["evaluate"], /No session was named/],
      [["evaluate", "nowhere.json"], /nowhere\.json does not exist/],
      [["evaluate", "none"], /No session in none could be read: 2 files were tried/],
      [["evaluate", "talk.json", "--targets", "0,5"], /--targets must be/],
      [["evaluate", "talk.json", "--targets", "five"], /--targets must be/],
      [["evaluate", "talk.json", "--model", ""], /--model is empty/],
    ];
    for (const [argv, told] of refused) {
      const { code, stdout, stderr } = await call(argv, { cwd });
      expect({ code, stdout }, argv.join(" ")).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(told);
    }
  });

  it("says that a session is too small instead of giving figures", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "small.json"), JSON.stringify(longSession(2)));
    const { code, stdout } = await call(["evaluate", "small.json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/5 %: too small to measure, [\d,]+ tokens for a target of 4,000/);
    expect(stdout).not.toContain("100 %");
  });
});

const QUESTIONS = [
  { question: "Which ticket is it?", answer: "PAY-4711" },
  { question: "Which port does the service listen on?", answer: "58123" },
];

interface Asked {
  readonly kind: "questions" | "answers" | "grades" | "summary";
  readonly system: string;
  readonly prompt: string;
}

function readAsked({ body }: ServerCall): Asked {
  const { messages } = body as { messages: { content: string }[] };
  const [system = "", prompt = ""] = messages.map(({ content }) => content);
  if (system.startsWith("You write exam questions")) return { kind: "questions", system, prompt };
  if (system.startsWith("You answer questions")) return { kind: "answers", system, prompt };
  return { kind: system.startsWith("You grade") ? "grades" : "summary", system, prompt };
}

/** Answers a question when the text it is given holds the answer, and grades by it. */
function honest({ kind, prompt }: Asked): string {
  if (kind === "questions") return JSON.stringify({ questions: QUESTIONS });
  if (kind === "summary") return "## Goals and success criteria\n- Port 58123 and ticket PAY-4711 [1.1]";
  if (kind === "answers") {
    const answers = QUESTIONS.map(({ answer }, index) => ({
      id: index + 1,
      answer: prompt.includes(answer) ? answer : "not said",
    }));
    return `\`\`\`json\n${JSON.stringify({ answers })}\n\`\`\``;
  }
  const rows = [...prompt.matchAll(/^\| (\{.*\})$/gmu)].map(
    ([, row = ""]) => JSON.parse(row) as Record<string, string>,
  );
  const grades = rows.map(({ id, gold, answer }) => ({
    id,
    grade: answer === "not said" ? "not_said" : answer === gold ? "right" : "wrong",
  }));
  return JSON.stringify({ grades });
}

async function serverOf(script: (asked: Asked, number: number) => ServerStep): Promise<ScriptedServer> {
  const server = await startScriptedServer((served, number) => script(readAsked(served), number));
  onTestFinished(() => server.close());
  return server;
}

function configured(server: ScriptedServer): string {
  const cwd = folderWithTalk();
  const summarizer = { type: "openai-compatible", base_url: server.openaiUrl, model: "usual", timeout_ms: 20_000 };
  writeFileSync(join(cwd, "compact.json"), JSON.stringify({ version: "1.0", summarizer }));
  return cwd;
}

const ASKING = ["evaluate", "talk.json", "--config", "compact.json", "--targets", "5", "--model", "judge"];

describe("evaluate, with a model", () => {
  it("asks nobody before its cost was agreed to", async () => {
    const server = await serverOf(honest);
    const cwd = configured(server);
    const { code, stdout, stderr } = await call(ASKING, { cwd });
    expect({ code, stdout, calls: server.calls.length }).toEqual({ code: 2, stdout: "", calls: 0 });
    expect(stderr).toMatch(/talk\.json +judge +10 +[\d,]+ +[\d,]+\n/);
    expect(stderr).toContain("Agree with --yes.");
  });

  it("has it write, answer and grade; each way of making it smaller has its line", async () => {
    const server = await serverOf(honest);
    const cwd = configured(server);
    const before = snapshot(cwd);
    const { code, stdout } = await call([...ASKING, "--yes", "--json"], { cwd });
    expect(code).toBe(0);
    const { sessions, estimate } = reportOf(stdout);
    const [asked] = sessions[0]?.models ?? [];
    expect(asked).toMatchObject({ model: "judge", status: "done", questions: QUESTIONS, failed: [] });
    const none = { wrong: 0, not_graded: 0 };
    expect(asked?.results).toEqual([
      { text: "nothing", ...none, right: 0, not_said: 2 },
      { text: "trimming", percent: 5, ...none, right: 0, not_said: 2 },
      { text: "ours", percent: 5, ...none, right: 2, not_said: 0 },
      { text: "ours_with_model", percent: 5, ...none, right: 2, not_said: 0 },
    ]);
    expect(server.calls).toHaveLength(estimate[0]?.calls ?? 0);
    expect(snapshot(cwd)).toEqual(before);
  });

  it("sends no secret, shows no compacted text to whoever writes, and tells the grader nothing of whose answers it sees", async () => {
    const server = await serverOf(honest);
    await call([...ASKING, "--yes"], { cwd: configured(server) });
    const asked = server.calls.map(readAsked);
    expect(JSON.stringify(server.calls)).not.toContain(SECRET);
    expect(asked[0]?.kind).toBe("questions");
    expect(asked[0]?.prompt).toContain("Now write the migration.");
    for (const { kind, prompt } of asked.slice(1)) {
      if (kind === "answers") expect(prompt).not.toContain("Now write the migration.");
      if (kind === "grades") expect(prompt).not.toMatch(/trimm|ours|compact|newest/iu);
    }
  });

  it("asks again once after an answer of no use, then counts it as not graded", async () => {
    const server = await serverOf((asked) => (asked.kind === "grades" ? "All right." : honest(asked)));
    const { code, stdout } = await call([...ASKING, "--yes"], { cwd: configured(server) });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ours, 5 % +- +0 +0 +0 +2\n/);
    expect(server.calls.map(readAsked).filter(({ kind }) => kind === "grades")).toHaveLength(8);
  });

  it("says what was found until the model failed, and that it is partial", async () => {
    const server = await serverOf((asked) => (asked.kind === "grades" ? { status: 401 } : honest(asked)));
    const { code, stdout, stderr } = await call([...ASKING, "--yes", "--json"], { cwd: configured(server) });
    expect(code).toBe(1);
    const { status, sessions } = reportOf(stdout);
    expect(status).toBe("partial");
    expect(sessions[0]?.models).toMatchObject([{ status: "partial", questions: QUESTIONS, results: [] }]);
    expect(stderr).toContain("judge");
  });

  it("takes several models, also with the path behind them", async () => {
    const server = await serverOf(honest);
    const cwd = configured(server);
    const argv = [
      "evaluate",
      "--config",
      "compact.json",
      "--targets",
      "5",
      "--yes",
      "--model",
      "one",
      "two",
      "talk.json",
    ];
    const { code, stdout } = await call(argv, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\none: 2 questions[\s\S]*\ntwo: 2 questions/);
  });

  it("sends nothing when the answer at the terminal is no, and goes on when it is yes", async () => {
    const server = await serverOf(honest);
    const cwd = configured(server);
    const no = await atTerminal(ASKING, cwd, { typed: "n\n" });
    expect({ code: no.code, calls: server.calls.length }).toEqual({ code: 0, calls: 0 });
    expect(no.stderr).toContain("Nothing was sent.");
    expect(no.stdout).toContain("names that the rest used again");
    const yes = await atTerminal(ASKING, cwd, { typed: "y\n" });
    expect(yes.code).toBe(0);
    expect(yes.stdout).toMatch(/ours, 5 % +100 %/);
  });

  it("ends at once when it is stopped, with what was found", async () => {
    const stop = new AbortController();
    const server = await serverOf(({ kind }) => {
      if (kind === "answers") setTimeout(() => stop.abort(), 50);
      return kind === "answers" ? { fault: "hang" } : honest({ kind, system: "", prompt: "" });
    });
    const start = performance.now();
    const { code, stdout } = await atTerminal([...ASKING, "--yes"], configured(server), { signal: stop.signal });
    expect(code).toBe(130);
    expect(stdout).toContain("Partial");
    expect(stdout).toContain("names that the rest used again");
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

async function atTerminal(
  argv: readonly string[],
  cwd: string,
  { typed = "", signal }: { readonly typed?: string; readonly signal?: AbortSignal },
) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY: true,
    columns: 100,
    write: (content: string | Uint8Array) => {
      written[name] += Buffer.from(content).toString("utf8");
    },
  });
  const lines = async function* () {
    yield typed;
  };
  const code = await run({
    argv,
    stdin: Object.assign(lines(), { isTTY: true }),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    cwd,
    env: { NO_COLOR: "1" },
    ...(signal === undefined ? {} : { signal }),
  });
  return { code, ...written };
}
