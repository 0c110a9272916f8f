// `npm run bench:soak`: what compaction takes of long sessions, and how long it keeps the event loop waiting. Prints the
// page and writes it. TURNS and LATENCY_MS make a shorter run, which is only printed.
import { writeFileSync } from "node:fs";
import { runSession, type SessionFigures } from "./long-session.ts";
import { lookAtMany, type ManyFigures } from "./many-messages.ts";
import { type ManySessionsFigures, runSessions } from "./many-sessions.ts";
import { renderSoakPage } from "./page.ts";
import { sessionTurns } from "./session-turns.ts";

const SEED = 3;
const WINDOW = 128_000;
const TOKENS = 4 * WINDOW;
const MESSAGES = 20_000;
const turns = Number(process.env.TURNS ?? 1000);
const latencyMs = Number(process.env.LATENCY_MS ?? 50);
const isShortened = "TURNS" in process.env || "LATENCY_MS" in process.env;

const many: ManyFigures[] = [await lookAtMany(MESSAGES, false), await lookAtMany(MESSAGES / 2, false)];
const sessions: SessionFigures[] = [];
for (const [summarizer, window] of [
  ["extractive", WINDOW],
  ["model", WINDOW],
  ["extractive", WINDOW / 4],
] as const) {
  sessions.push(await runSession(summarizer, sessionTurns(SEED, turns, TOKENS), latencyMs, window));
}
const together: ManySessionsFigures = await runSessions(isShortened ? 100 : 1000, 24);
const page = renderSoakPage({ latencyMs, sessions, many, together });
console.log(page);
if (!isShortened) writeFileSync(new URL("../../docs/reference/soak.md", import.meta.url), page);
