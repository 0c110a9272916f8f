// What looks like a secret in rows that are about to be imported: counted, or left out.
import type { Redactor } from "../../redaction/redactor.ts";
import { normalizedHash } from "../saving/stored-text.ts";
import type { ImportedRows } from "./imported-rows.ts";

/** The number of rows that hold some. */
export function countSecrets({ observations, prompts }: ImportedRows, redactor: Redactor): number {
  const texts = [
    ...observations.map(({ row }) => `${row.title}\n${row.content}`),
    ...prompts.map(({ row }) => row.content),
  ];
  return texts.filter((text) => redactor.find(text).length > 0).length;
}

export function withoutSecrets(rows: ImportedRows, redactor: Redactor): ImportedRows {
  return {
    ...rows,
    sessions: rows.sessions.map((session) => ({ ...session, row: redactor.json(session.row) })),
    prompts: rows.prompts.map((prompt) => ({ ...prompt, row: redactor.json(prompt.row) })),
    observations: rows.observations.map((observation) => {
      const row = redactor.json(observation.row);
      if (row.content === observation.row.content) return { ...observation, row };
      const hash = normalizedHash(row.content);
      return { ...observation, row: { ...row, normalized_hash: row.normalized_hash === null ? null : hash }, hash };
    }),
  };
}
