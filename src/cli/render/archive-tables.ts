// What the archive holds, for a person.
import type { ExpandedReference } from "../../archive/reading/expand-reference.ts";
import type { ArchiveHit } from "../../archive/reading/search-archive.ts";
import type { ArchiveFault } from "../../archive/reading/verify-archive.ts";
import type { SessionOverview, StepOverview } from "../analysis/archive-overview.ts";
import { shellWord } from "../open-compactor.ts";
import { shownPath } from "../output/output-place.ts";
import type { Colors } from "../terminal.ts";
import { figure, oneLine, plural, renderTable } from "./table.ts";

const NUMBER = { isNumber: true } as const;

export function renderSessions(sessions: readonly SessionOverview[], colors: Colors): string {
  if (sessions.length === 0) return "The archive holds no session yet.\n";
  const rows = sessions.map(({ session_id, steps }) => {
    const last = steps.at(-1);
    return [session_id, steps.length, dateOf(last), sizesOf(last)];
  });
  return `${renderTable([{ title: "session" }, { title: "steps", ...NUMBER }, { title: "last" }, { title: "tokens", ...NUMBER }], rows, colors)}\n`;
}

export function renderSteps({ session_id, steps }: SessionOverview, cwd: string, colors: Colors): string {
  const rows = steps.map((step) => [
    step.step,
    dateOf(step),
    sizesOf(step),
    step.pruned_count === null ? "" : figure(step.pruned_count),
    step.version === null ? (step.summary === null ? "never finished" : "none") : `v${step.version}, ${step.source}`,
    shownPath(step.transcript, cwd),
  ]);
  const columns = [
    { title: "step", ...NUMBER },
    { title: "when" },
    { title: "tokens", ...NUMBER },
    { title: "left", ...NUMBER },
    { title: "summary" },
    { title: "transcript" },
  ];
  return `${colors.bold(`Session ${session_id}`)}\n${renderTable(columns, rows, colors)}\n`;
}

function dateOf(step: StepOverview | undefined): string {
  return step?.created_at?.slice(0, 16).replace("T", " ") ?? "";
}

function sizesOf(step: StepOverview | undefined): string {
  if (step === undefined || step.tokens_before === null || step.tokens_after === null) return "";
  return `${figure(step.tokens_before)} -> ${figure(step.tokens_after)}`;
}

export function renderHits(hits: readonly ArchiveHit[], flag: string, colors: Colors): string {
  const [first] = hits;
  if (first === undefined) return "Nothing found.\n";
  const isOneSession = hits.every(({ session_id }) => session_id === first.session_id);
  const lines = hits.map(({ session_id, ref, role, found_in, snippet }) => {
    const place = isOneSession ? ref : `${session_id} ${ref}`;
    return `${colors.cyan(place)} ${colors.dim(role ?? found_in)}\n  ${oneLine(snippet)}`;
  });
  const how = `agent-compact archive expand ${first.ref} --session-id ${shellWord(first.session_id)}${flag}`;
  return `${lines.join("\n")}\n\n${plural(hits.length, "place")}. The whole message: ${colors.cyan(how)}\n`;
}

export function renderExpanded({ session_id, step, messages }: ExpandedReference, colors: Colors): string {
  const blocks = messages.map(({ number, message }) => {
    const text = message === null ? "(damaged in the archive)" : JSON.stringify(message, null, 2);
    return `${colors.bold(`${step}.${number}`)} ${colors.dim(session_id)}\n${text}`;
  });
  return `${blocks.join("\n\n")}\n`;
}

export function renderFaults(faults: readonly ArchiveFault[], sessions: number, colors: Colors): string {
  if (faults.length === 0) return `${colors.green("All is well")}: ${plural(sessions, "session")} checked.\n`;
  const lines = faults.map(({ session_id, step, severity, message, location }) => {
    const paint = severity === "error" ? colors.red : colors.yellow;
    return `${paint(severity)}  ${session_id}, step ${step}: ${message}\n  ${location}`;
  });
  return `${lines.join("\n")}\n`;
}
