// Decides which row of the store, if any, is the same as one of a file: by id and birth, or by its
// topic and birth. Rows that say the same are equal-rows.ts.

import { exactJaccard } from "../../../similarity/jaccard.ts";
import type { Observation } from "../../observation.ts";
import type { ObservationReader } from "../../observation-store.ts";
import type { ImportedObservation, RowIdentity } from "../imported-rows.ts";
import { timeOf } from "../readers/fields.ts";
import type { ImportState } from "./import-state.ts";

/**
 * True for the row under the file's id when it was born in the same second of the same session. Where neither has changed
 * since, they must say about the same, too: two stores can number different rows alike.
 */
export function isSameRow(found: Observation, { row }: ImportedObservation): boolean {
  if (found.session_id !== row.session_id) return false;
  const isSaidTheSame = found.title === row.title && found.content === row.content;
  // The file does not say when: then nothing but the same text tells.
  if (row.created_at === undefined) return isSaidTheSame;
  if (timeOf(found.created_at) !== row.created_at) return false;
  const isEdited = found.revision_count !== row.revision_count || timeOf(found.updated_at) !== row.updated_at;
  return isSaidTheSame || isEdited || exactJaccard(piecesOf(found), piecesOf(row)) >= ALIKE;
}

/** Below any copy that lost its accents or had names replaced, above two notes that have nothing but their form in common. */
const ALIKE = 0.4;
const COMPARED = 10_000;

/** Runs of three units: they tell texts apart in any script. */
function piecesOf({ title, content }: { readonly title: string; readonly content: string }): ReadonlySet<string> {
  const text = `${title}\n${content}`.slice(0, COMPARED).toLowerCase();
  const pieces = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) pieces.add(text.slice(at, at + 3));
  return pieces;
}

/** A living document that was given another id here, and has changed since. */
export async function findTopic(
  reader: ObservationReader,
  state: ImportState,
  imported: ImportedObservation,
): Promise<Observation | undefined> {
  const { topic_key, project, scope, namespace, created_at } = imported.row;
  if (state.wasEmpty || topic_key === null || created_at === undefined) return undefined;
  const found = await reader.ofTopic(topic_key, project, scope, namespace);
  if (found === undefined) return undefined;
  if (!state.claimed.has(found.id) && isSameRow(found, imported)) return found;
  if (imported.row.deleted_at === null)
    state.log.note("another live row has its topic key: both stay, the later one is the topic's", imported.position);
  return undefined;
}

/** The row that one end of a relation names, where the row itself is not in the file. */
export async function findIdentity(reader: ObservationReader, identity: RowIdentity): Promise<number | undefined> {
  const isSame = (found: Observation) =>
    found.session_id === identity.session_id && timeOf(found.created_at) === identity.created_at;
  const byId = identity.id === undefined ? [] : await reader.observations([identity.id]);
  const namespace = reader.hasNamespaces ? identity.namespace : null;
  const found = byId.find(isSame) ?? (await reader.equals({ ...identity, namespace }, "any")).find(isSame);
  return found?.id;
}
