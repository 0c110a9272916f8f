// `npm run bench:cost`: what it costs to replay real sessions step by step, cache-weighted, by the way their prompts
// are kept small. Prints the page and writes it.
import { writeFileSync } from "node:fs";
import { type MeasuredSession, measureSession } from "./measure.ts";
import { type JoinedRow, renderPage, type SessionRow, type TargetRow } from "./page.ts";
import { joinedSession, sessionsToReplay } from "./sessions.ts";

/** Shares of the window. The first is the default: the trigger less 0.10. */
const TARGETS = [undefined, 0.3, 0.2, 0.12] as const;
const LOW_TARGET = 0.2;

const rows: SessionRow[] = [];
for (const session of sessionsToReplay()) rows.push(await measureRow(measureSession(session)));
const page = renderPage({ sessions: rows, joined: await measureJoined(), targets: await measureTargets() });
console.log(page);
writeFileSync(new URL("../../docs/reference/cost.md", import.meta.url), page);

async function measureRow({ label, tokens, run }: MeasuredSession): Promise<SessionRow> {
  console.error(label);
  return {
    label,
    tokens,
    nothing: await run({ kind: "nothing" }),
    window: await run({ kind: "sliding window" }),
    extractive: await run({ kind: "extractive", policy: {} }),
    model: await run({ kind: "model", policy: {} }),
  };
}

async function measureJoined(): Promise<readonly JoinedRow[]> {
  const session = joinedSession();
  const sent = measureSession(session);
  const plain = measureSession(session, "plain");
  const joined: JoinedRow[] = [];
  const add = async (name: string, way: Parameters<MeasuredSession["run"]>[0]) => {
    console.error(`joined: ${name}`);
    joined.push({ name, sent: await sent.run(way), plain: await plain.run(way) });
  };
  await add("no compaction", { kind: "nothing" });
  await add("sliding window", { kind: "sliding window" });
  for (const targetPct of [undefined, LOW_TARGET]) {
    const policy = targetPct === undefined ? {} : { targetPct };
    const aim = targetPct === undefined ? "default target" : `target ${targetPct}`;
    await add(`extractive, ${aim}`, { kind: "extractive", policy });
    await add(`with a model's summaries, ${aim}`, { kind: "model", policy });
  }
  return joined;
}

async function measureTargets(): Promise<readonly TargetRow[]> {
  const { run } = measureSession(joinedSession());
  const targets: TargetRow[] = [];
  for (const targetPct of TARGETS) {
    console.error(`target ${targetPct ?? "by default"}`);
    const policy = targetPct === undefined ? {} : { targetPct };
    targets.push({ targetPct, measured: await run({ kind: "extractive", policy }) });
  }
  return targets;
}
