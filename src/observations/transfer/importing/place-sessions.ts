// Puts the sessions of a file into the store. One that the store has is left alone, but for an end that came since.
import type { Session } from "../../observation.ts";
import type { ObservationWriter } from "../../observation-store.ts";
import type { ImportState } from "./import-state.ts";

export async function placeSessions(
  writer: ObservationWriter,
  state: ImportState,
  sessions: readonly Session[],
): Promise<void> {
  for (const session of sessions) {
    const isNew = await writer.addSession({ ...session, started_at: session.started_at || state.now });
    if (isNew) state.counts.sessions += 1;
    else await endOpen(writer, session);
    state.sessions.add(session.id);
  }
}

async function endOpen(writer: ObservationWriter, { id, ended_at, summary }: Session): Promise<void> {
  const known = ended_at === null ? undefined : await writer.session(id);
  if (ended_at === null || known === undefined || known.ended_at !== null) return;
  await writer.endSession(id, ended_at, summary ?? known.summary);
}
