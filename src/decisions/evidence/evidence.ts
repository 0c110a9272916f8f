// What a decision says in favour of a principle or of a way to fail: its pattern, its lessons, its reasons, each with a key
// under which near-identical wordings meet. Counting them is the store's, choosing among them wisdom/'s.
import type { Decision } from "../decision.ts";
import { wordingKey } from "./wording-key.ts";

/** Stores keep keys; with another version they must make them anew. */
export const EVIDENCE_VERSION = 1;

export interface Evidence {
  readonly key: string;
  /** As written, without space around it. */
  readonly text: string;
  readonly isPattern: boolean;
  readonly isLesson: boolean;
  readonly isReason: boolean;
}

/** One entry a key: a decision that says the same twice says it once. */
export function evidenceOf({ pattern, lessons, reasons }: Decision): readonly Evidence[] {
  const byKey = new Map<string, Evidence>();
  const add = (text: string | undefined, kind: "isPattern" | "isLesson" | "isReason") => {
    const trimmed = text?.trim() ?? "";
    const key = wordingKey(trimmed);
    if (key === "") return;
    const known = byKey.get(key) ?? { key, text: trimmed, isPattern: false, isLesson: false, isReason: false };
    byKey.set(key, { ...known, [kind]: true });
  };
  add(pattern, "isPattern");
  add(lessons, "isLesson");
  for (const { text } of reasons) add(text, "isReason");
  return [...byKey.values()];
}
