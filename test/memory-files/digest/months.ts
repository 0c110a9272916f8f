// Workspaces with months of notes, and the digests that are planned for them.
import { type DigestContext, planDigests } from "../../../src/memory-files/plan/plan-digests.ts";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { createExtractiveSummarizer } from "../../../src/summaries/record.ts";
import { counterFor } from "../../../src/tokens/create-token-counter.ts";
import { resolveModel } from "../../../src/tokens/models.ts";
import { type Files, newWorkspace } from "../workspace/workspace-folder.ts";

export const NOW = Date.UTC(2031, 3, 20);

const counter = counterFor(resolveModel(undefined));
export const count = (text: string): number => counter.count(text);

export function contextOf(rest: Partial<DigestContext> = {}): DigestContext {
  return {
    now: NOW,
    count,
    summarizer: createExtractiveSummarizer(),
    strategy: "brief",
    redact: (text) => text,
    hashes: new Map(),
    ...rest,
  };
}

/** What is planned for a workspace of these files. */
export async function digestsOf(files: Files, rest: Partial<DigestContext> = {}, notesGlob?: string) {
  const workspace = await openWorkspace({ root: newWorkspace({ "MEMORY.md": "# Memory\n", ...files }), notesGlob });
  return planDigests(workspace, contextOf(rest));
}

/** Text of the only digest. */
export async function digestText(files: Files, rest: Partial<DigestContext> = {}): Promise<string> {
  const { changes, held } = await digestsOf(files, rest);
  if (changes.length !== 1) throw new Error(`${changes.length} digests, held: ${JSON.stringify(held)}`);
  return changes[0]?.text ?? "";
}

const WORK = [
  ["the invoice export", "src/export/invoices.ts", "a7c91e2"],
  ["the login page", "src/login/page.tsx", "b04d5f8"],
  ["the nightly backup", "scripts/backup.sh", "c3319aa"],
  ["the search index", "src/search/build-index.ts", "d81f0c4"],
] as const;

/** A working day, 400 tokens or so. */
export function noteOf(date: string, more = ""): string {
  const day = Number(date.slice(-2));
  const [part, file, commit] = WORK[day % WORK.length] ?? WORK[0];
  const steps = Array.from(
    { length: 14 },
    (_, step) => `- Step ${day}.${step} of ${part} was tried, looked at and written down before the next one began.`,
  );
  return `# ${date}

## ${part[0]?.toUpperCase()}${part.slice(1)}

We decided to rebuild ${part} because run ${day * 31} failed twice.
The change is in ${file} (commit ${commit}), version 2.${day}.0.

${steps.join("\n")}

## Next

- Measure ${part} with ${day * 1000} rows
${more}`;
}

/** Notes of these days. */
export function notesOf(dates: readonly string[], more: Readonly<Record<string, string>> = {}): Files {
  return Object.fromEntries(dates.map((date) => [`memory/${date}.md`, noteOf(date.slice(0, 10), more[date])]));
}

export const FEBRUARY = ["2031-02-03", "2031-02-04", "2031-02-05", "2031-02-18"];
