// Commands of the built program that write, what each works on, and what must come of it whatever happened before.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { summaryFile, transcriptFile } from "../../src/archive/step-files.ts";
import { sessionFolder } from "../../src/storage/session-folder.ts";
import { summaryRecord } from "../archive/redacted-samples.ts";
import { CREDENTIALS, ENDPOINT, newBucket } from "../archive/s3/store.ts";
import { call } from "../cli/command-line.ts";
import { chatConversation } from "../cli/conversations.ts";

export const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
export const isBuilt = existsSync(program);

export interface Victim {
  readonly name: string;
  readonly argv: readonly string[];
  /** Puts into an empty folder what the command works on. */
  readonly prepare: (folder: string) => unknown;
  /** Rejects where a run that was killed harmed what it was not to touch. */
  readonly check?: (folder: string) => Promise<number>;
  /** Once it is done there is nothing left to do, which the next run says as an error. */
  readonly endsForGood?: true;
  /** What must be the same however often it was killed before. */
  readonly outcome: (folder: string) => unknown;
}

const TALK = chatConversation(60);
const NOTES = Array.from({ length: 300 }, (_, index) => ({
  title: `Note ${index % 40}`,
  content: `The importer of part ${index} reads its rows in pages of ${100 + (index % 40)}.`,
  created_at: "2025-01-05 10:00:00",
}));

// Reading commands run in this process, too.
if (ENDPOINT !== "") Object.assign(process.env, CREDENTIALS);

/** Each folder has a place of its own in it. */
const BUCKET = ENDPOINT === "" ? "" : await newBucket();

export const IN_A_BUCKET: Victim = {
  name: "conversation, archive in a bucket",
  argv: ["conversation", "talk.json", "--target-tokens", "3000"],
  prepare(folder) {
    writeFileSync(join(folder, "talk.json"), JSON.stringify(TALK));
    const storage = { adapter: "s3", bucket: BUCKET, endpoint: ENDPOINT, region: "us-east-1" };
    writeFileSync(join(folder, "agent-compact.yaml"), JSON.stringify({ storage }));
  },
  outcome: conversationOf,
};

const ARCHIVE = ".compact/archive";
const STEPS = 24;
const listOf = (step: number) => TALK.slice(0, step * 2);

/** As earlier versions archived a session: with each step the whole list. */
function writeSteps(folder: string, session: string): void {
  const place = join(folder, ARCHIVE, sessionFolder(session));
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "session.json"), JSON.stringify({ session_id: session }));
  for (let step = 1; step <= STEPS; step++) {
    const lines = listOf(step).map((message) => `${JSON.stringify(message)}\n`);
    writeFileSync(join(place, transcriptFile(step)), lines.join(""));
    writeFileSync(join(place, summaryFile(step)), JSON.stringify(summaryRecord(session, step)));
  }
}

/** Every step that is there restores to its list, and the archive is sound. Returns how many there are. */
async function expectSteps(folder: string, session: string): Promise<number> {
  await ask(folder, "archive", "verify", "--session-id", session);
  const { steps } = (await askJson(folder, "archive", "show", session)) as {
    steps: readonly { step: number }[];
  };
  for (const { step } of [...steps.slice(0, 1), ...steps.slice(-1)]) {
    const { messages } = (await askJson(folder, "archive", "restore", String(step), "--session-id", session)) as {
      messages: unknown;
    };
    if (JSON.stringify(messages) !== JSON.stringify(listOf(step))) throw new Error(`step ${step} is another`);
  }
  return steps.length;
}

export const VICTIMS: readonly Victim[] = [
  ...(["none", "gzip"] as const).map(
    (compression): Victim => ({
      name: `conversation, archive packed by ${compression}`,
      argv: ["conversation", "talk.json", "--target-tokens", "3000"],
      prepare(folder) {
        writeFileSync(join(folder, "talk.json"), JSON.stringify(TALK));
        writeFileSync(join(folder, "agent-compact.yaml"), `storage:\n  compression: ${compression}\n`);
      },
      outcome: conversationOf,
    }),
  ),
  {
    name: "session compact",
    argv: ["session", "compact", "session.jsonl", "--target-tokens", "9000"],
    prepare: (folder) =>
      cpSync(join(examples, "transcripts/coding-session.claude-code.jsonl"), join(folder, "session.jsonl")),
    outcome(folder) {
      const others = readdirSync(folder).filter((name) => name.endsWith(".jsonl") && name !== "session.jsonl");
      const isWhole = others.map((name) => {
        const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
        return lines
          .map((line) => JSON.stringify(JSON.parse(line)))
          .join()
          .includes("COMPACT-SUMMARY v1");
      });
      return [readFileSync(join(folder, "session.jsonl"), "utf8"), others.length > 0, isWhole.every(Boolean)];
    },
  },
  {
    name: "archive gc",
    argv: ["archive", "gc", "--max-bytes", "1", "--apply"],
    prepare(folder) {
      writeSteps(folder, "one");
      return ask(folder, "archive", "repack");
    },
    check: (folder) => expectSteps(folder, "one"),
    outcome: (folder) => expectSteps(folder, "one"),
  },
  {
    name: "archive repack",
    argv: ["archive", "repack"],
    prepare: (folder) => writeSteps(folder, "one"),
    check: (folder) => expectSteps(folder, "one"),
    async outcome(folder) {
      const { sessions } = (await askJson(folder, "archive", "list")) as { sessions: readonly { bytes: number }[] };
      return [await expectSteps(folder, "one"), sessions.map(({ bytes }) => bytes < JSON.stringify(TALK).length * 2)];
    },
  },
  {
    name: "archive erase",
    argv: ["archive", "erase", "Team/two", "--apply"],
    endsForGood: true,
    async prepare(folder) {
      for (const session of ["one", "Team/two"]) writeSteps(folder, session);
      await ask(folder, "archive", "repack");
      // What a search keeps goes, too.
      await ask(folder, "archive", "search", "lighthouse");
    },
    check: (folder) => expectSteps(folder, "one"),
    async outcome(folder) {
      const left = readdirSync(join(folder, ARCHIVE), { recursive: true, encoding: "utf8" });
      const catalog = readFileSync(join(folder, ARCHIVE, "catalog.jsonl"), "utf8");
      return [await expectSteps(folder, "one"), left.filter((name) => name.includes("two")), catalog.includes("two")];
    },
  },
  {
    name: "observations import",
    argv: ["observations", "import", "notes.jsonl", "--db", "m.db"],
    prepare: writeNotes,
    outcome: rowsOf,
  },
  {
    name: "observations compact",
    argv: ["observations", "compact", "--db", "m.db"],
    prepare(folder) {
      writeNotes(folder);
      return ask(folder, "observations", "import", "notes.jsonl", "--db", "m.db");
    },
    outcome: rowsOf,
  },
  {
    name: "decisions import",
    argv: ["decisions", "import", "decisions", "--db", "d.db"],
    prepare: (folder) => cpSync(join(examples, "decisions"), join(folder, "decisions"), { recursive: true }),
    outcome: (folder) => askJson(folder, "decisions", "list", "--db", "d.db"),
  },
  {
    name: "memory-files --apply",
    argv: ["memory-files", ".", "--aggressive", "--apply"],
    prepare: (folder) => cpSync(join(examples, "workspace"), folder, { recursive: true }),
    async outcome(folder) {
      const compacted = readFileSync(join(folder, "MEMORY.md"), "utf8");
      await ask(folder, "memory-files", "restore", ".", "--all");
      return [compacted, readFileSync(join(folder, "MEMORY.md"), "utf8")];
    },
  },
];

interface Unharmed {
  /** As it is before the command. */
  readonly template: string;
  readonly expected: unknown;
  readonly durationMs: number;
  readonly leftOvers: readonly string[];
}

const known = new Map<Victim, Unharmed>();

/** What comes of a victim that nothing happens to; run once. */
export async function unharmed(victim: Victim): Promise<Unharmed> {
  const before = known.get(victim);
  if (before !== undefined) return before;
  const [template, folder] = [makeFolder(), makeFolder()];
  await victim.prepare(template);
  cpSync(template, folder, { recursive: true });
  const started = performance.now();
  run(folder, ...victim.argv);
  const durationMs = performance.now() - started;
  const leftOvers = leftOversIn(folder);
  const found = { template, expected: await victim.outcome(folder), durationMs, leftOvers };
  known.set(victim, found);
  return found;
}

/** Files of a killed run that its successor should have taken away. */
export function leftOversIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:tmp|lock)\b/.test(name));
}

/** Goes with the run's own temporary folder. */
function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "agent-compact-torture-"));
}

/** An empty one that is gone after the test. */
export function newFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Once more after it was killed. */
export function runAgain(folder: string, { argv, endsForGood }: Victim): void {
  try {
    run(folder, ...argv);
  } catch (error) {
    if (endsForGood !== true || !/ended with 2:/.test(String(error))) throw error;
  }
}

/** The built program. Throws what it said where it fails. */
export function run(folder: string, ...argv: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [program, ...argv], {
    ...{ cwd: folder, encoding: "utf8" },
    env: environmentOf(folder),
  });
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
}

/** What prepares and what looks at the outcome, without a process for each. Its standard output; rejects where it fails. */
async function ask(folder: string, ...argv: readonly string[]): Promise<string> {
  const env = environmentOf(folder) as Readonly<Record<string, string>>;
  const { code, stdout, stderr } = await call(argv, { cwd: folder, env });
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Of this machine nothing but the folder counts, which is the home and names the place in a bucket. */
export function environmentOf(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: folder, COMPACT_STORAGE_PREFIX: basename(folder) };
}

async function conversationOf(folder: string): Promise<unknown> {
  await ask(folder, "archive", "verify");
  await ask(folder, "archive", "restore", "--out", "restored.json");
  const compacted = readJson(folder, "talk.compacted.json") as readonly unknown[];
  return [readJson(folder, "talk.json"), readJson(folder, "restored.json"), compacted.length];
}

async function askJson(folder: string, ...argv: readonly string[]): Promise<unknown> {
  return JSON.parse(await ask(folder, ...argv, "--json"));
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

function writeNotes(folder: string): void {
  writeFileSync(join(folder, "notes.jsonl"), NOTES.map((note) => `${JSON.stringify(note)}\n`).join(""));
}

/** Titles and texts, live or compacted. */
async function rowsOf(folder: string): Promise<unknown> {
  const { observations } = JSON.parse(await ask(folder, "observations", "export", "--db", "m.db")) as {
    observations: readonly { title: string; content: string; deleted_at: string | null }[];
  };
  return observations.map(({ title, content, deleted_at }) => [title, content, deleted_at === null]).sort();
}
