// What a decision says in favour of a principle or of a way to fail: its pattern, its lessons, its reasons, each with a key
// under which near-identical wordings meet. Counting them is the store's, choosing among them wisdom/'s.
import type { Decision } from "../decision.ts";
import { wordingKey } from "./wording-key.ts";

/** Stores keep keys; with another version they must make them anew. */
export const EVIDENCE_VERSION = 2;

export interface Evidence {
  readonly key: string;
  /** As written, without space around it. */
  readonly text: string;
  readonly isPattern: boolean;
  readonly isReason: boolean;
  /**
   * What a failure is filed under: the pattern. The lesson only of a decision without one, as a lesson tells what should
   * have been done.
   */
  readonly isFailureMode: boolean;
}

type Kinds = Omit<Evidence, "key" | "text">;
const NONE: Kinds = { isPattern: false, isReason: false, isFailureMode: false };

/** One entry a key: a decision that says the same twice says it once. */
export function evidenceOf({ pattern, lessons, reasons }: Decision): readonly Evidence[] {
  const byKey = new Map<string, Evidence>();
  const add = (text: string | undefined, kinds: Partial<Kinds>) => {
    const trimmed = text?.trim() ?? "";
    const key = wordingKey(trimmed);
    if (key === "") return;
    const known = byKey.get(key) ?? { key, text: trimmed, ...NONE };
    byKey.set(key, { ...known, ...kinds });
  };
  add(pattern, { isPattern: true, isFailureMode: true });
  // A pattern that says nothing is none.
  add(lessons, byKey.size === 0 ? { isFailureMode: true } : {});
  for (const { text } of reasons) add(text, { isReason: true });
  return [...byKey.values()];
}
