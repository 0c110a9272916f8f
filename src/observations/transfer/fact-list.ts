// The content of an entity: its facts as a list, and back, so that a list can be told from one that has grown.

const MARK = "- ";

/** One fact a line; further lines of a fact are indented, so that none begins as the next fact does. */
export function factList(facts: readonly string[]): string {
  return facts.map((fact) => MARK + fact.replace(/\r\n?|\n/g, "\n  ")).join("\n");
}

/** The facts of a content as `factList` wrote them. */
export function factsOf(content: string): readonly string[] {
  return content === "" ? [] : `\n${content}`.split(`\n${MARK}`).slice(1);
}

/** The first list with the facts of the second that it lacks at its end. The first itself where it lacks none. */
export function joinFacts(first: string, second: string): string {
  const known = new Set(factsOf(first));
  const added = factsOf(second).filter((fact) => !known.has(fact));
  if (added.length === 0) return first;
  return [first, ...added.map((fact) => MARK + fact)].filter((part) => part !== "").join("\n");
}
