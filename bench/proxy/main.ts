// `npm run bench:proxy`: real sessions replayed turn by turn through the built command and without it, against a provider that
// checks every request and caches prompts by their beginning. Prints the page and writes it. Needs AGENT_CORPUS. With
// `-- latency` or `-- slim` it prints these figures alone: what a request takes longer, and what `--slim` shortens.
import { writeFileSync } from "node:fs";
import { resolveModel } from "../../src/tokens/models.ts";
import { type ReplayedSession, sessionsToReplay } from "../cost/sessions.ts";
import { measure } from "./measure.ts";
import { renderPage, type SessionRow } from "./page.ts";
import { modelOf } from "./replay.ts";
import { printSlimmed } from "./slim.ts";
import { measureAdded, soak } from "./speed.ts";

const WANTED = [
  ...["Claude Code session cd", "Claude Code session ad"],
  ...["OpenAI Responses cd", "OpenAI Responses b0", "pi session 1", "pi session 2"],
];
export const WINDOW = 32_000;
/** Shares of the window; the default last. */
const TARGETS = [0.75, 0.5, 0.4, 0.2, 0.1] as const;
const PLAIN = 'version: "1.0"\n';
/** One request of each of 50 agents every 5 seconds, for an hour. */
const AGENTS = 50;
const REQUESTS = 36_000;

async function rowOf(session: ReplayedSession): Promise<SessionRow> {
  console.error(session.label);
  const own = resolveModel(modelOf(session.format.name)).window ?? WINDOW;
  const curve: [number, number][] = [];
  for (const target of TARGETS) {
    const { direct, proxied } = await measure(session, WINDOW, `${PLAIN}policy:\n  target_pct: ${target}\n`);
    curve.push([target, 1 - proxied / direct]);
  }
  return {
    ...{ label: session.label, ownWindow: own, curve },
    small: await measure(session, WINDOW, PLAIN),
    own: await measure(session, own, PLAIN),
  };
}

const [only] = process.argv.slice(2);
if (only === "latency") console.log(JSON.stringify(await measureAdded()));
if (only === "slim") await printSlimmed();
if (only !== undefined) process.exit();

const added = await measureAdded();
const soaked = await soak(AGENTS, REQUESTS);
const rows: SessionRow[] = [];
for (const session of sessionsToReplay()) if (WANTED.includes(session.label)) rows.push(await rowOf(session));
const page = renderPage({ rows, added, soaked, agents: AGENTS, window: WINDOW });
console.log(page);
writeFileSync(new URL("../../docs/reference/proxy.md", import.meta.url), page);
