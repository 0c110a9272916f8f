// What a log keeps beside its records: levels of the last cycle, texts, runs and small values. None of it is a record, and
// all of it can be made again.
import type { Level } from "../decision.ts";
import type { CycleRun, DecisionText } from "../decision-log.ts";
import type { Journal } from "./journal.ts";

export interface KeptContent {
  readonly levels?: ReadonlyMap<string, Level>;
  /** By the id of their decision. */
  readonly texts?: ReadonlyMap<string, readonly DecisionText[]>;
  /** As they were added. */
  readonly runs?: readonly CycleRun[];
  readonly state?: ReadonlyMap<string, unknown>;
}

export type KeptPart = keyof KeptContent;

export interface Kept extends Required<KeptContent> {
  setLevel(id: string, level: Level): void;
  setTexts(id: string, texts: readonly DecisionText[]): void;
  addRun(run: CycleRun): void;
  /** Undefined removes it. */
  setState(key: string, value: unknown): void;
  /** Puts other content in the place of all there is of these parts; not undone. */
  load(content: KeptContent): void;
}

/** `changed` is told of each part that is set, not of what is loaded. */
export function createKept({ note }: Pick<Journal, "note">, changed: (part: KeptPart) => void = () => {}): Kept {
  const levels = new Map<string, Level>();
  const texts = new Map<string, readonly DecisionText[]>();
  const state = new Map<string, unknown>();
  const runs: CycleRun[] = [];
  const put = <Value>(part: KeptPart, map: Map<string, Value>, key: string, value: Value | undefined) => {
    const before = map.get(key);
    note(() => set(map, key, before));
    set(map, key, value);
    changed(part);
  };
  return {
    levels,
    texts,
    runs,
    state,
    setLevel: (id, level) => put("levels", levels, id, level),
    setTexts: (id, written) => put("texts", texts, id, written.length === 0 ? undefined : written),
    setState: (key, value) => put("state", state, key, value),
    addRun(run) {
      note(() => runs.pop());
      runs.push(run);
      changed("runs");
    },
    load(content) {
      refill(levels, content.levels);
      refill(texts, content.texts);
      refill(state, content.state);
      if (content.runs !== undefined) runs.splice(0, runs.length, ...content.runs);
    },
  };
}

function set<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function refill<Value>(map: Map<string, Value>, content: ReadonlyMap<string, Value> | undefined): void {
  if (content === undefined) return;
  map.clear();
  for (const [key, value] of content) map.set(key, value);
}
