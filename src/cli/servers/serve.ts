// `agent-compact serve`: a decision log over HTTP on this machine until a signal ends it. What is wrong with the
// configuration, the tokens or the log is said before anything listens.
import { DEFAULT_SCHEDULE } from "../../config/memories-schema.ts";
import { readCstpTokens } from "../../config/variables.ts";
import type { DecisionLog, LevelSurvey } from "../../decisions/decision-log.ts";
import type { Policies } from "../../decisions/levels.ts";
import { decisionPoliciesOf, decisionTextWriterOf, openDecisionLog } from "../../factories/decisions.ts";
import { type Listening, serveCstp } from "../../http/decision-server.ts";
import { isoTime } from "../../time.ts";
import { decisionPlace, newLogNote } from "../decisions/open-decisions.ts";
import { shownPath } from "../files/output.ts";
import { closeTrace, openTrace, readConfig } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import { leaveSoon, stopSignal } from "./process.ts";
import type { ServeFlags } from "./program.ts";

const DEFAULT_PORT = 8100;
/** For what was written to leave, before the process is ended. */
const LEAVE_MS = 50;

/** Resolves when the server has ended. The process ends soon after, whatever still runs. */
export async function serveDecisions(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const { port = DEFAULT_PORT } = flags;
  const { config, warnings } = await readConfig(flags, terminal);
  const agents = readCstpTokens(terminal.env);
  const place = await decisionPlace(flags, config.decisions, terminal);
  const note = await newLogNote(place, terminal);
  const policies = decisionPoliciesOf(config);
  const texts = decisionTextWriterOf(config);
  const say = (line: string) => void terminal.stderr.write(`${line}\n`);
  const log = (line: string) => say(`agent-compact: ${line}`);
  for (const warning of warnings) log(warning);
  const decisions = openDecisionLog({ ...place, create: true });
  const trace = openTrace(config, terminal);
  try {
    const survey = await surveyOf(decisions, policies);
    const signal = stopSignal({ watchesParent: false });
    await serveCstp({
      context: { log: async () => decisions, policies, texts, trace, now: Date.now },
      agents,
      port,
      schedule: config.decisions?.schedule ?? DEFAULT_SCHEDULE,
      log,
      signal,
      onListening: (listening) => {
        if (flags.quiet !== true)
          for (const line of greeting(listening, { decisions, survey, note }, agents, terminal)) say(line);
        if (flags.json === true) terminal.stdout.write(`${JSON.stringify({ url: listening.url })}\n`);
      },
    });
  } finally {
    await decisions.close();
    await closeTrace(trace);
  }
  leaveSoon(LEAVE_MS);
}

interface Surveyed extends LevelSurvey {
  readonly faults: number;
}

function surveyOf(log: DecisionLog, policies: Policies): Promise<Surveyed> {
  return log.read(async (reader) => ({
    ...(await reader.survey({ filter: {}, view: { policies, now: Date.now() } })),
    faults: (await reader.faults(1)).count,
  }));
}

interface Opened {
  readonly decisions: DecisionLog;
  readonly survey: Surveyed;
  /** About a log that is new. */
  readonly note: string | undefined;
}

function greeting(
  { url, nextRun }: Listening,
  { decisions: { adapter, location }, survey: { total, levels, preserved, faults }, note }: Opened,
  agents: ReadonlyMap<string, string> | undefined,
  { cwd }: Terminal,
): readonly string[] {
  const access =
    agents === undefined
      ? "open to every program on this machine (CSTP_AUTH_TOKENS is not set)"
      : `tokens asked for (${agents.size === 1 ? "1 agent" : `${agents.size} agents`})`;
  const counts = Object.entries(levels).map(([level, count]) => `${count} ${level}`);
  return [
    `Listening on ${url}, ${access}`,
    `Decision log: ${shownPath(location, cwd)} (${adapter}), ${total === 1 ? "1 decision" : `${total} decisions`}: ${counts.join(", ")}; ${preserved} preserved`,
    ...(note === undefined ? [] : [note]),
    ...(faults === 0 ? [] : [`Records not served as they should be: ${faults}; cstp.getCompacted lists them`]),
    nextRun === undefined ? "Cycle: only when asked for" : `Next cycle: ${isoTime(nextRun)}`,
  ];
}
