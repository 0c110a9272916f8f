// Changes rows under the rules that a database would enforce: sessions and both ends of a relation must exist, ids and relations
// are unique, removing a row removes its relations. Asked before anything is written, so that the error can name the row.
import { CompactError } from "../errors.ts";
import type { Relation, Rows } from "./observation.ts";
import type { ObservationReader, ObservationWriter } from "./observation-store.ts";

/** The tables of one transaction, as a store keeps them. */
export interface RowTables {
  exists(table: keyof Rows, id: number | string): boolean;
  hasRelation(relation: Pick<Relation, "from_id" | "to_id" | "type">): boolean;
  /** Gives the id: the row's own, or one that was never given before. */
  insert<Table extends keyof Rows>(table: Table, row: Omit<Rows[Table], "id"> & { readonly id?: unknown }): number;
  /** Gives how many there were of these ids. */
  update<Table extends keyof Rows>(table: Table, ids: readonly Rows[Table]["id"][], to: Partial<Rows[Table]>): number;
  /** False where there was none. */
  remove(table: "observations" | "relations", id: number): boolean;
}

export function createWriter(reader: ObservationReader, tables: RowTables): ObservationWriter {
  const needSession = (id: string, what: string) => {
    if (!tables.exists("sessions", id)) throw missing(`${what} was not written: session "${id}" does not exist`);
  };
  const needFreeId = (table: keyof Rows, what: string, id: number | undefined) => {
    if (id !== undefined && tables.exists(table, id)) throw taken(`${what} ${id}`);
  };
  return {
    ...reader,
    async addSession(session) {
      if (tables.exists("sessions", session.id)) return false;
      tables.insert("sessions", session);
      return true;
    },
    endSession: async (id, ended_at, summary) => tables.update("sessions", [id], { ended_at, summary }) > 0,
    async addObservation(row) {
      needSession(row.session_id, "the observation");
      needFreeId("observations", "observation", row.id);
      return tables.insert("observations", row);
    },
    async changeObservations(ids, changes) {
      if (changes.session_id !== undefined) needSession(changes.session_id, "the change");
      return tables.update("observations", ids, changes);
    },
    async removeObservation(id) {
      for (const relation of await reader.relations([id])) tables.remove("relations", relation.id);
      return tables.remove("observations", id);
    },
    async addPrompt(prompt) {
      needSession(prompt.session_id, "the prompt");
      needFreeId("prompts", "prompt", prompt.id);
      return tables.insert("prompts", prompt);
    },
    async addRelation(relation) {
      for (const end of [relation.from_id, relation.to_id])
        if (!tables.exists("observations", end))
          throw missing(`the relation was not written: observation ${end} does not exist`);
      return tables.hasRelation(relation) ? undefined : tables.insert("relations", relation);
    },
    removeRelation: async (id) => tables.remove("relations", id),
  };
}

function missing(message: string): CompactError {
  return new CompactError("StoreFailed", message, { code: "MISSING_REFERENCE", hint: "Write that row first." });
}

function taken(what: string): CompactError {
  return new CompactError("StoreFailed", `${what} was not written: its id is taken`, {
    code: "ID_TAKEN",
    hint: "Leave the id out to get a new one.",
  });
}
