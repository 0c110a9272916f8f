// What a plan remembers of a row, so that apply sees any change since: of its text, its place or its times.
import { sha256 } from "../../storage/sha256.ts";
import type { Observation } from "../observation.ts";

export interface RowFingerprint {
  readonly id: number;
  readonly updated_at: string;
  /** First 16 hex digits of a SHA-256 over all that the row says and where it belongs. */
  readonly hash: string;
}

export function fingerprint(row: Observation): RowFingerprint {
  const { title, content, type, topic_key, project, scope, namespace } = row;
  const said = JSON.stringify([title, content, type, topic_key, project, scope, namespace]);
  return { id: row.id, updated_at: row.updated_at, hash: sha256(said).slice(0, 16) };
}
