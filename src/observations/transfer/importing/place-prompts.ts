// Puts the prompts of a file into the store, in the passes and by the rules of the observations. Prompts never change, so
// one that the store has is left alone.
import type { Prompt } from "../../observation.ts";
import type { ObservationReader, ObservationWriter } from "../../observation-store.ts";
import type { ImportedPrompt } from "../imported-rows.ts";
import { timeOf } from "../readers/fields.ts";
import { type ImportState, needSession, UNDATED } from "./import-state.ts";

const PAGE = 1000;

/** The prompts of the store that can matter for the file. */
export interface PromptIndex {
  readonly byId: Map<number, string>;
  /** Ids by what makes prompts equal, with and without the time. */
  readonly equal: Map<string, number[]>;
  readonly claimed: Set<number>;
  readonly placed: Set<ImportedPrompt>;
}

export async function readPromptIndex(
  reader: ObservationReader,
  prompts: readonly ImportedPrompt[],
): Promise<PromptIndex> {
  const wantedIds = new Set(prompts.map(({ id }) => id));
  const wanted = new Set(prompts.map(({ row }) => keyOf(row, row.created_at)));
  const index: PromptIndex = { byId: new Map(), equal: new Map(), claimed: new Set(), placed: new Set() };
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await reader.promptsAfter(after, PAGE);
    for (const row of page) {
      const key = keyOf(row, timeOf(row.created_at));
      if (wantedIds.has(row.id)) index.byId.set(row.id, key);
      for (const equal of [key, keyOf(row, undefined)]) if (wanted.has(equal)) addTo(index.equal, equal, row.id);
    }
    const last = page.at(-1);
    if (last === undefined) return index;
    after = last.id;
  }
}

export type PromptPass = "known" | "free ids" | "new ids";

export async function placePrompts(
  writer: ObservationWriter,
  state: ImportState,
  index: PromptIndex,
  prompts: readonly ImportedPrompt[],
  pass: PromptPass,
): Promise<void> {
  for (const prompt of prompts) {
    const key = keyOf(prompt.row, prompt.row.created_at);
    if (prompt.id !== undefined && index.byId.get(prompt.id) === key) place(index, prompt, prompt.id);
    if (index.placed.has(prompt) || !isDue(index, prompt, pass)) continue;
    // Where the text is a part, an equal prompt under another id may be one of another part.
    const isOwn = state.rows.isPart === true && pass === "free ids";
    const equal = isOwn ? undefined : nextEqual(index, key);
    if (equal !== undefined) place(index, prompt, equal);
    else await addPrompt(writer, state, index, prompt, pass === "new ids" ? undefined : prompt.id);
  }
}

/** Taken off the list, so that a prompt repeated a thousand times is not looked at a million times. */
function nextEqual(index: PromptIndex, key: string): number | undefined {
  const ids = index.equal.get(key) ?? [];
  while (ids.length > 0) {
    const id = ids.pop();
    if (id !== undefined && !index.claimed.has(id)) return id;
  }
  return undefined;
}

function isDue(index: PromptIndex, { id }: ImportedPrompt, pass: PromptPass): boolean {
  return pass === "new ids" || (pass === "free ids" && id !== undefined && !index.byId.has(id));
}

async function addPrompt(
  writer: ObservationWriter,
  state: ImportState,
  index: PromptIndex,
  prompt: ImportedPrompt,
  wanted: number | undefined,
): Promise<void> {
  const row = { ...prompt.row, created_at: prompt.row.created_at ?? state.now };
  if (prompt.row.created_at === undefined) state.log.note(UNDATED, prompt.position);
  await needSession(writer, state, row.session_id, row.project, row.created_at);
  const id = await writer.addPrompt(wanted === undefined ? row : { ...row, id: wanted });
  state.counts.prompts += 1;
  index.byId.set(id, keyOf(prompt.row, prompt.row.created_at));
  place(index, prompt, id);
}

function place(index: PromptIndex, prompt: ImportedPrompt, id: number): void {
  index.placed.add(prompt);
  index.claimed.add(id);
}

/** The reference writes no project as an empty one. */
function keyOf(row: Omit<Prompt, "id" | "created_at">, createdAt: string | undefined): string {
  return JSON.stringify([row.session_id, row.content, row.project || null, row.namespace, createdAt]);
}

function addTo(ids: Map<string, number[]>, key: string, id: number): void {
  const known = ids.get(key);
  if (known === undefined) ids.set(key, [id]);
  else known.push(id);
}
