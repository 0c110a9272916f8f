// `agent-compact remember`: what a session taught becomes rows of the memory store, and leaves it again with --undo.
import { basename } from "node:path";
import { CompactError } from "../../errors.ts";
import {
  forgetSession,
  planRemember,
  type RememberedAs,
  type RememberedRow,
  readLessons,
  rememberSession,
} from "../../observations/saving/remember-session.ts";
import { createRedactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { wholeLedger } from "../conversation/whole-ledger.ts";
import { badFlag, shellWord } from "../flags.ts";
import { type OpenedStore, withStore } from "../observations/open-store.ts";
import { readConfig } from "../open-compactor.ts";
import { renderTable, right } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { type HostSession, idIn, locateSession, projectOf, readSession } from "./places.ts";
import type { RememberFlags } from "./program.ts";

export async function remember(name: string | undefined, flags: RememberFlags, terminal: Terminal): Promise<void> {
  if (name === undefined && flags.last !== true)
    throw badFlag("Which session?", "Name it by its id or file, or say --last. See `agent-compact session list`.");
  if (flags.undo === true) return undo(await idNamed(name, terminal), flags, terminal);
  const found = await locateSession({ session: name }, terminal);
  const sessionId = idOf(found);
  const progress = createProgress(terminal, flags);
  progress.step(`Reading session ${sessionId}`);
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction as RedactorOptions | undefined);
  const source = await readSession(found, terminal);
  const ledger = wholeLedger(source, (text) => redactor.text(text));
  const isDry = flags.dryRun === true;
  await withStore(flags, terminal, isDry ? { orEmpty: true } : { create: true }, async (opened) => {
    const lessons = await readLessons(ledger, opened.count);
    const { scope, namespace } = flags;
    const request = { sessionId, lessons, project: flags.project ?? (await projectName(found)), scope, namespace };
    const rows = await (isDry
      ? planRemember(opened.store, request)
      : rememberSession(opened.store, request, { now: Date.now() }));
    const told = { session: sessionId, project: request.project ?? null, db: opened.shown, applied: !isDry, rows };
    printResult(told, (colors) => renderRows(rows, sessionId, opened, { isDry }, colors), flags, terminal);
  });
}

async function undo(sessionId: string, flags: RememberFlags, terminal: Terminal): Promise<void> {
  await withStore(flags, terminal, {}, async ({ store, shown, flag }) => {
    const { deleted, edited } = await forgetSession(store, sessionId, { now: Date.now() });
    const render = () =>
      [
        `${plural(deleted.length, "row")} of session ${sessionId} left ${shown}.`,
        ...(edited.length === 0
          ? []
          : [
              `${plural(edited.length, "row")} that somebody edited ${edited.length === 1 ? "stays" : "stay"}: ${edited.join(", ")}.`,
            ]),
        ...(deleted.length === 0
          ? []
          : [`To bring them back: agent-compact observations restore ${deleted.join(" ")}${flag}`]),
      ]
        .join("\n")
        .concat("\n");
    printResult({ session: sessionId, db: shown, deleted, edited }, render, flags, terminal, { isReport: true });
  });
}

function idOf({ path, id, bytes }: HostSession): string {
  return bytes === undefined ? id : idIn(path);
}

/** Its file may be gone; its rows are not. */
async function idNamed(name: string | undefined, terminal: Terminal): Promise<string> {
  return locateSession({ session: name }, terminal).then(idOf, (error: unknown) => {
    const isGone = CompactError.isInstance(error) && error.code === "SESSION_NOT_FOUND";
    if (name === undefined || !isGone) throw error;
    return name;
  });
}

async function projectName(session: HostSession): Promise<string | undefined> {
  const folder = await projectOf(session);
  return folder === undefined ? undefined : basename(folder) || undefined;
}

/** Rows on a screen, the newest. */
const MOST_SHOWN = 40;

const ACTIONS: Readonly<Record<RememberedAs, string>> = {
  new: "new",
  longer: "tells more",
  known: "known",
  edited: "edited since",
  deleted: "deleted since",
  repeated: "said elsewhere",
};

function renderRows(
  rows: readonly RememberedRow[],
  sessionId: string,
  { shown, flag, count }: OpenedStore,
  { isDry }: { readonly isDry: boolean },
  colors: Colors,
): string {
  if (rows.length === 0) return `Session ${sessionId} taught nothing that could be told in a row.\n`;
  const due = rows.filter(({ action }) => action === "new" || action === "longer");
  const table = renderTable(
    [right("#"), "", "type", "messages", { title: "title", width: 70 }],
    rows
      .slice(-MOST_SHOWN)
      .map(({ id, action, type, title, from, to }) => [
        id ?? "",
        ACTIONS[action],
        type,
        `${messageOf(from)}-${messageOf(to)}`,
        title,
      ]),
    colors,
  );
  const tokens = sum(due.map(({ content }) => count(content)));
  const done = isDry ? "would be written to" : due.length === 1 ? "was written to" : "were written to";
  const next = isDry
    ? "Nothing was changed. --json has the rows whole."
    : due.length === 0
      ? ""
      : `To take them back: agent-compact remember ${shellWord(sessionId)} --undo${flag}`;
  const more = rows.length > MOST_SHOWN ? `\n  and ${plural(rows.length - MOST_SHOWN, "earlier one")}: see --json` : "";
  return `${table}${more}\n\n${plural(due.length, "row")} of ${figure(rows.length)} (${figure(tokens)} tokens) ${done} ${shown}.\n${next}${next === "" ? "" : "\n"}`;
}

function messageOf(cited: string): string {
  return cited.slice(cited.indexOf(".") + 1);
}
