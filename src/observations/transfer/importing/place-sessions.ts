// Puts the sessions of a file into the store. One that the store has is left alone, but for an end that came since.
import type { ObservationWriter } from "../../observation-store.ts";
import type { ImportedSession } from "../imported-rows.ts";
import type { ImportState } from "./import-state.ts";

const UNSTARTED = "no start of the session that can be read: its end or the import's";

export async function placeSessions(
  writer: ObservationWriter,
  state: ImportState,
  sessions: readonly ImportedSession[],
): Promise<void> {
  for (const { position, row } of sessions) {
    const isNew = await writer.addSession({ ...row, started_at: row.started_at ?? row.ended_at ?? state.now });
    if (isNew) state.counts.sessions += 1;
    else await endOpen(writer, row);
    if (isNew && row.started_at === undefined) state.log.note(UNSTARTED, position);
    state.sessions.add(row.id);
  }
}

async function endOpen(writer: ObservationWriter, { id, ended_at, summary }: ImportedSession["row"]): Promise<void> {
  const known = ended_at === null ? undefined : await writer.session(id);
  if (ended_at === null || known === undefined || known.ended_at !== null) return;
  await writer.endSession(id, ended_at, summary ?? known.summary);
}
