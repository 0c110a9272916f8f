// What the archive holds, for a person.
import type { ExpandedReference } from "../../archive/reading/expand-reference.ts";
import type { ArchiveHit } from "../../archive/reading/search-archive.ts";
import type { ArchiveCheck, ArchiveFault } from "../../archive/reading/verify-archive.ts";
import type { ListedSession, SessionOverview, StepOverview } from "../analysis/archive-overview.ts";
import { shellWord } from "../open-compactor.ts";
import { shownPath } from "../output/output-place.ts";
import type { Colors } from "../terminal.ts";
import { figure, minuteOf, oneLine, plural, renderTable, sizeText } from "./table.ts";

const NUMBER = { isNumber: true } as const;

export function renderSessions(sessions: readonly ListedSession[], colors: Colors): string {
  if (sessions.length === 0) return "The archive holds no session yet.\n";
  const rows = sessions.map(({ session_id, steps, bytes, first_at, last_at }) => {
    return [session_id, steps.length, sizeText(bytes), minuteOf(first_at), minuteOf(last_at)];
  });
  const columns = [
    { title: "session" },
    { title: "steps", ...NUMBER },
    { title: "size", ...NUMBER },
    { title: "first" },
    { title: "last" },
  ];
  const steps = sessions.reduce((sum, session) => sum + session.steps.length, 0);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const total = `${plural(sessions.length, "session")}, ${plural(steps, "step")}, ${sizeText(bytes)}.`;
  return `${renderTable(columns, rows, colors)}\n\n${total}\n`;
}

export function renderSteps({ session_id, steps }: SessionOverview, cwd: string, colors: Colors): string {
  const rows = steps.map((step) => [
    step.step,
    dateOf(step),
    sizesOf(step),
    step.pruned_count === null ? "" : figure(step.pruned_count),
    step.version === null ? (step.summary === null ? "never finished" : "none") : `v${step.version}, ${step.source}`,
    step.transcript_missing ? `gone: ${shownPath(step.transcript, cwd)}` : shownPath(step.transcript, cwd),
  ]);
  const columns = [
    { title: "step", ...NUMBER },
    { title: "when" },
    { title: "tokens", ...NUMBER },
    { title: "left", ...NUMBER },
    { title: "summary" },
    { title: "transcript" },
  ];
  const table = `${colors.bold(`Session ${session_id}`)}\n${renderTable(columns, rows, colors)}\n`;
  const lost = steps.filter(({ transcript_missing }) => transcript_missing).length;
  if (lost === 0) return table;
  const what = `${plural(lost, "transcript")} ${lost === 1 ? "is" : "are"} gone`;
  return `${table}\n${colors.yellow(what)}: bring the files back from a backup; without them nothing of the step can be shown or restored.\n`;
}

function dateOf({ created_at }: StepOverview): string {
  return minuteOf(created_at ?? "");
}

function sizesOf(step: StepOverview): string {
  if (step.tokens_before === null || step.tokens_after === null) return "";
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

/** Errors first; what is merely to be known stands apart. */
export function renderCheck({ faults, sessions, files, hashes, without_hash }: ArchiveCheck, colors: Colors): string {
  const unknown = without_hash === 0 ? "" : `, ${figure(without_hash)} without a recorded hash`;
  const checked = `${plural(sessions, "session")}, ${plural(files, "file")}, ${plural(hashes, "hash", "hashes")} checked${unknown}`;
  if (faults.length === 0 && without_hash === 0) return `${colors.green("All is well")}: ${checked}.\n`;
  if (faults.length === 0) return `${colors.yellow("Readable, but not proved unchanged")}: ${checked}.\n`;
  const block = (wanted: ArchiveFault["severity"], paint: (text: string) => string) =>
    faults
      .filter(({ severity }) => severity === wanted)
      .map(({ session_id, step, message, location }) => {
        return `${paint(wanted)}  ${oneLine(session_id)}, step ${step}: ${oneLine(message)}\n  ${oneLine(location)}\n`;
      });
  const [errors, warnings] = [block("error", colors.red), block("warning", colors.yellow)];
  const counts = `${plural(errors.length, "error")}, ${plural(warnings.length, "warning")}: ${checked}.\n`;
  return [errors.join(""), warnings.join(""), counts].filter((part) => part !== "").join("\n");
}
