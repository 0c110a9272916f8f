// How many wrong facts of a model's text are marked, and how many true ones: true statements about real sessions, each made
// false in every way that a program knows. Sessions come from AGENT_CORPUS; the statements are in sessions/.
import { readFileSync, writeFileSync } from "node:fs";
import { readPassages } from "../../src/conversation/passages.ts";
import { FORMATS } from "../../src/factories/formats.ts";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { type Checker, checkAnswer, createChecker } from "../../src/summaries/answer/check-answer.ts";
import type { Statement } from "../../src/summaries/answer/read-answer.ts";
import { collectSources } from "../../src/summaries/answer/source-texts.ts";
import { CORPUS } from "../../test/corpus/corpus.ts";
import { type ProbedSession, probedSessions } from "../probes/sessions.ts";
import { type Kind, plant } from "./plant.ts";

/** The checker was tuned on the first three; on the others it was run once, when it was finished. */
const TUNED = ["claude-26", "pi", "claude-ee"];
const HELD_OUT = ["claude-51", "airline", "claude-89", "pi-large"];
const KINDS: readonly Kind[] = ["number", "line", "name", "path", "negation", "approval", "state"];
const PAGE = new URL("../../docs/reference/claims.md", import.meta.url);

interface Tally {
  planted: number;
  caught: number;
}

interface Result {
  readonly kinds: Readonly<Record<Kind, Tally>>;
  /** True statements that were marked, and those that only stand in another section than the model's. */
  readonly marked: Tally;
  readonly moved: Tally;
}

async function checkerOf({ format, before }: ProbedSession): Promise<Checker> {
  const codec = FORMATS.find(({ name }) => name === format);
  if (codec === undefined) throw new Error(`no format ${format}`);
  const inputs = before.map((message, index) => ({
    view: codec.view(message as never),
    source: { step: 1, message: index + 1 },
  }));
  const redact = (text: string) => text;
  return createChecker(
    collectSources({
      passages: readPassages(inputs, redact),
      ledger: extractFacts(inputs, redact),
      strategy: "task_state",
      maxTokens: 4000,
      count: (text) => text.length / 4,
    }),
  );
}

async function doubtsOf(statement: Statement, checker: Checker): Promise<readonly string[]> {
  const { doubts } = await checkAnswer([statement], checker);
  return doubts.map(({ text, why }) => `${text} (${why})`);
}

function tally(counts: Tally, isCaught: boolean): void {
  counts.planted += 1;
  if (isCaught) counts.caught += 1;
}

async function run(names: readonly string[], isTold: boolean): Promise<Result> {
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, { planted: 0, caught: 0 }])) as Record<Kind, Tally>;
  const [marked, moved] = [
    { planted: 0, caught: 0 },
    { planted: 0, caught: 0 },
  ];
  for (const session of probedSessions(names)) {
    const checker = await checkerOf(session);
    const file = new URL(`sessions/${session.name}.json`, import.meta.url);
    for (const statement of JSON.parse(readFileSync(file, "utf8")) as readonly Statement[]) {
      const doubts = await doubtsOf(statement, checker);
      const isMarked = doubts.some((doubt) => !doubt.includes("(moved to "));
      tally(marked, isMarked);
      tally(moved, doubts.length > 0 && !isMarked);
      if (doubts.length > 0 && isTold) console.log(`TRUE   ${statement.text}\n       ${doubts.join("\n       ")}`);
      // Of what is doubted already nobody can tell whether the wrong word was found.
      for (const { kind, text } of doubts.length > 0 ? [] : plant(statement.text)) {
        const isCaught = (await doubtsOf({ ...statement, text }, checker)).length > 0;
        tally(kinds[kind], isCaught);
        if (!isCaught && isTold) console.log(`MISSED ${kind}: ${text}`);
      }
    }
  }
  return { kinds, marked, moved };
}

function rowsOf(results: readonly Result[]): string {
  const cell = ({ planted, caught }: Tally) =>
    planted === 0 ? "-" : `${caught} of ${planted} (${Math.round((caught / planted) * 100)} %)`;
  const rows = KINDS.map((kind) => [kind, ...results.map(({ kinds }) => cell(kinds[kind]))]);
  const marked = ["true statements marked", ...results.map((result) => cell(result.marked))];
  const moved = ["true statements in another section", ...results.map((result) => cell(result.moved))];
  return [...rows, marked, moved].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

if (CORPUS === undefined) console.log("AGENT_CORPUS is not set: no sessions to check statements about.");
else {
  const isTold = process.argv.includes("--tell");
  const results = [await run(TUNED, isTold), await run(HELD_OUT, isTold && process.argv.includes("--held-out"))];
  const table = `| planted | caught, three sessions that it was tuned on | caught, four that it was not |\n|---|---|---|\n${rowsOf(results)}`;
  console.log(table);
  if (process.argv.includes("--write")) {
    const page = readFileSync(PAGE, "utf8");
    writeFileSync(PAGE, page.replace(/\| planted [\s\S]*\|\n?/u, `${table}\n`));
  }
}
