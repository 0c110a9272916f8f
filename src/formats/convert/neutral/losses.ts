// Collects what a conversion leaves out or says in another way, and tells it in one sentence for each kind.
import { cutAt } from "../../../text/cut.ts";
import type { ReadNote } from "../../readers/reader.ts";

type Telling = (count: number, names: readonly string[]) => string;

const TELLINGS = {
  reasoning: (count) => `${plural(count, "passage")} of reasoning left out: only the provider that wrote it reads it`,
  sealed_history: (count) =>
    `${plural(count, "compaction")} left out, with a note in its place: only its provider can read what stood before`,
  references: (count) => `${plural(count, "reference")} to items that only the provider holds left out`,
  tool_lists: (count) => `${plural(count, "list")} of a server's tools left out`,
  citations: (count) => `the sources cited in ${plural(count, "text")} left out`,
  fields: (count, names) => `fields of ${plural(count, "message")} left out: ${listed(names)}`,
  speakers: (count) => `the name of ${plural(count, "assistant message")} left out`,
  attachments: (count) => `${plural(count, "attachment")} left out, with a note in the place of each`,
  empty_steps: (count) => `${plural(count, "step")} of the provider's own tools that said nothing left out`,
  server_tools: (_, names) => `tools of the provider's own left out: ${listed(names)}`,
  grammars: (_, names) => `the input's grammar left out of the tools ${listed(names)}`,
} satisfies Readonly<Record<string, Telling>>;

const REWRITINGS = {
  later_system: (count) => `${plural(count, "later system message")} became user text that is labelled as such`,
  server_steps: (count) => `${plural(count, "step")} of the provider's own tools became labelled text`,
  unreadable: (count) => `${plural(count, "message")} of no known shape became labelled text`,
  speakers_said: (count) => `the name of who speaks is said in the text of ${plural(count, "message")}`,
  moved: (count) => `${plural(count, "attachment")} moved into a user message beside the step it came with`,
  errors: (count) => `that a tool failed is said in the text of ${plural(count, "result")}`,
  custom_calls: (count) => `${plural(count, "call")} with free text as input became calls with one field, input`,
  broken_arguments: (count) => `the arguments of ${plural(count, "call")}, no JSON object, became one field, arguments`,
  custom_tools: (_, names) => `tools that take free text became tools with one field, input: ${listed(names)}`,
  call_ids: (count) => `${plural(count, "call id")} changed to one that is legal`,
  tool_names: (_, names) => `tool names changed to legal ones: ${listed(names)}`,
} satisfies Readonly<Record<string, Telling>>;

export type Loss = keyof typeof TELLINGS | keyof typeof REWRITINGS;

export class Losses {
  readonly #found = new Map<Loss, { count: number; readonly names: Set<string> }>();

  /** `name` is a tool's or a field's, never content. */
  add(loss: Loss, name?: string): void {
    let found = this.#found.get(loss);
    if (found === undefined) {
      found = { count: 0, names: new Set() };
      this.#found.set(loss, found);
    }
    found.count += 1;
    if (name !== undefined) found.names.add(name);
  }

  /** First what was left out, then what is said in another way. */
  notes(): readonly ReadNote[] {
    return [...this.#tell("left_out", TELLINGS), ...this.#tell("rewritten", REWRITINGS)];
  }

  #tell(code: ReadNote["code"], tellings: Readonly<Record<string, Telling>>): ReadNote[] {
    return Object.entries(tellings).flatMap(([loss, tell]) => {
      const found = this.#found.get(loss as Loss);
      return found === undefined ? [] : [{ code, message: tell(found.count, [...found.names]) }];
    });
  }
}

const MOST_NAMES = 6;
const LONGEST_NAME = 40;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => cutAt(name, LONGEST_NAME));
  return `${shown.join(", ")}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ""}`;
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
