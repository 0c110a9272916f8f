// `npm run bench:remembered`: what a memory store knows after the probed sessions were remembered in it, one after another:
// how many of the questions its rows answer, and how many the first five rows that a search for the question finds. Writes
// docs/reference/remembered.md.
import { writeFileSync } from "node:fs";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { FORMATS } from "../../src/index.ts";
import { readLessons, rememberSession } from "../../src/observations/saving/remember-session.ts";
import { createMemoryObservationStore, searchObservations } from "../../src/observations.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { answeredBy, type Probe, readProbes } from "./probes.ts";
import { type ProbedSession, probedSessions } from "./sessions.ts";

const FIRST = 5;
const counter = createTokenCounter({ encoding: "o200k_base" });
const count = (text: string) => counter.count(text);
const store = createMemoryObservationStore();

interface Remembered {
  readonly name: string;
  readonly messages: number;
  readonly probes: readonly Probe[];
  readonly rows: readonly string[];
  /** Rows, when it was remembered once more. */
  readonly writtenAgain: number;
}

async function remember({ name, format: formatName, before }: ProbedSession): Promise<Remembered> {
  const format = FORMATS.find((known) => known.name === formatName);
  if (format === undefined) throw new Error(`No format ${formatName}`);
  const inputs = before.map((message, at) => ({ view: format.view(message), source: { step: 1, message: at + 1 } }));
  const ledger = extractFacts(inputs, (text) => text);
  const lessons = await readLessons(ledger, count);
  const request = { sessionId: name, lessons, project: name };
  await rememberSession(store, request, { now: Date.now() });
  const again = await rememberSession(store, request, { now: Date.now() });
  const writtenAgain = again.filter(({ action }) => action !== "known").length;
  const rows = lessons.map(({ content }) => content);
  return { name, messages: before.length, probes: readProbes(name) ?? [], rows, writtenAgain };
}

async function foundFirst({ question }: Probe, project?: string): Promise<string> {
  const { found } = await searchObservations(store, { query: question, limit: FIRST, project });
  return found.map(({ observation }) => observation.content).join("\n");
}

async function ask({ name, probes, rows }: Remembered) {
  const inRows = answeredBy(rows.join("\n"), probes).filter(Boolean).length;
  let [found, foundInProject] = [0, 0];
  for (const probe of probes) {
    if (answeredBy(await foundFirst(probe), [probe])[0]) found++;
    if (answeredBy(await foundFirst(probe, name), [probe])[0]) foundInProject++;
  }
  return { inRows, found, foundInProject };
}

const remembered: Remembered[] = [];
for (const session of probedSessions()) remembered.push(await remember(session));
const asked = await Promise.all(remembered.map(async (session) => ({ ...session, ...(await ask(session)) })));

const sum = (of: (each: (typeof asked)[number]) => number) => asked.reduce((total, each) => total + of(each), 0);
const tokensOf = ({ rows }: Remembered) => count(rows.join("\n"));
const figure = (value: number) => value.toLocaleString("en-US");
const questions = sum(({ probes }) => probes.length);
const line = (cells: readonly (string | number)[]) =>
  `| ${cells.map((cell) => (typeof cell === "number" ? figure(cell) : cell)).join(" | ")} |`;
const heads = [
  "session",
  "messages",
  "rows",
  "tokens",
  "questions",
  "in its rows",
  `in the first ${FIRST}, of its project`,
  `in the first ${FIRST} of all`,
];
const body = asked.map((each) => {
  const { name, messages, rows, probes, inRows, foundInProject, found } = each;
  return line([name, messages, rows.length, tokensOf(each), probes.length, inRows, foundInProject, found]);
});
const all = [sum(({ messages }) => messages), sum(({ rows }) => rows.length), sum(tokensOf), questions];
const total = [
  ...all,
  sum(({ inRows }) => inRows),
  sum(({ foundInProject }) => foundInProject),
  sum(({ found }) => found),
];

const page = `# What remembered sessions know

<!-- Written by \`npm run bench:remembered\`; needs real sessions (\`AGENT_CORPUS\`). -->

The ${asked.length} sessions of [the probes](probes.md) were [remembered](../guides/observations.md#from-sessions) in one store, without a model. Of the ${questions} questions that the rest of each session needed, which were written before and from the full text, so many are answered by the rows of their session, and by the first ${FIRST} rows that a search for the question finds, among those of the session's project and among all. Remembered a second time, ${sum(({ writtenAgain }) => writtenAgain)} rows were written.

${[line(heads), line(heads.map(() => "---")), ...body, line(["all", ...total])].join("\n")}
`;
process.stdout.write(page);
writeFileSync(new URL("../../docs/reference/remembered.md", import.meta.url), page);
