// A fact to hide in a session: who says it when, and how it is recognised afterwards.

export type PlantedKind = "explicit" | "implicit" | "superseded" | "prohibition";

/** A sentence with `{port}`-like places; equal places of one fact get the same value. */
export interface Template {
  readonly kind: PlantedKind;
  readonly by: "user" | "assistant" | "tool";
  readonly say: string;
  /** What must stand together in one line of the result. */
  readonly expect: readonly string[];
  /** Only for superseded facts: what is said later, and the old value that may not stand as current. */
  readonly later?: { readonly by: "user" | "assistant"; readonly say: string; readonly old: readonly string[] };
  /** What somebody who lost the fact would search the archive for. */
  readonly query: string;
}

export const explicit = (by: Template["by"], say: string, expect: readonly string[], query: string): Template => ({
  kind: "explicit",
  by,
  say,
  expect,
  query,
});

export const implicit = (by: Template["by"], say: string, expect: readonly string[], query: string): Template => ({
  kind: "implicit",
  by,
  say,
  expect,
  query,
});

/** `key` is the word that tells the old value's line from any other. */
export const superseded = (
  say: string,
  by: "user" | "assistant",
  correction: string,
  key: string,
  [old, now]: readonly [string, string],
): Template => ({
  kind: "superseded",
  by: "user",
  say,
  later: { by, say: correction, old: [key, old] },
  expect: [key, now],
  query: key,
});

export const prohibition = (say: string, expect: string, query: string): Template => ({
  kind: "prohibition",
  by: "user",
  say,
  expect: [expect],
  query,
});
