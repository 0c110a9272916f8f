// What a prompt says that is worth keeping, however a library writes its prompt: whose words, which names and how
// often, which lines say something that can be checked.
import { namedIn } from "../../facts/oracle.ts";

const LINE_UNITS = 240;
const USER_UNITS = 500;
/** As libraries mark who speaks: `Human: ...`, `[User]: ...`, `[2.17] user`, `"role":"user"`, `<user>`. */
const USER = /^\s*(?:\[[\d.]{1,12}\]\s*|[-*#>]{1,4}\s*|\[|\*\*|<)?(?:human|user)(?:\]|\*\*|>)?(?=\s*(?::|$))\s*:?/i;
const OTHER =
  /^\s*(?:\[[\d.]{1,12}\]\s*|[-*#>]{1,4}\s*|\[|\*\*|<)?(?:ai|assistant|tool|system|function|record)\b[^:\n]{0,60}(?:\]|\*\*|>)?\s*(?::|$)/i;
const LABEL = /^\[(\d{1,6}\.\d{1,7})\]/;
/** Where its own earlier answer stands in a prompt. */
export const SECTIONS = { users: "## Goals and requests", statements: "## Progress", names: "## Files and names" };

export interface PromptFacts {
  /** The beginning of what each user's message says, oldest first. */
  readonly users: readonly string[];
  /** Most often named first. */
  readonly names: readonly string[];
  readonly statements: readonly string[];
}

export function factsOf(prompt: string): PromptFacts {
  const reading = new Reading();
  for (const line of prompt.split("\n")) reading.line(line);
  return reading.facts();
}

class Reading {
  readonly #users = new Set<string>();
  readonly #statements = new Set<string>();
  readonly #mentions = new Map<string, number>();
  #speaking: string[] | undefined;
  #label = "";
  #section = "";

  line(raw: string): void {
    const line = raw.replace(/^\| ?/, "");
    this.#label = LABEL.exec(line)?.[1] ?? this.#label;
    if (line.startsWith("## ") || line.startsWith("<")) this.#section = line.trim();
    const weight = this.#section === SECTIONS.names ? 2 : 1;
    for (const name of namedIn({ content: line })) this.#mentions.set(name, (this.#mentions.get(name) ?? 0) + weight);
    if (USER.test(line)) this.#speak(line.replace(USER, ""));
    else if (OTHER.test(line) || line.startsWith("<")) this.#stop(line);
    else if (this.#section === SECTIONS.users && line.startsWith("- ")) this.#users.add(line.slice(2));
    else if (this.#speaking !== undefined) this.#speaking.push(line);
    else this.#state(line);
  }

  facts(): PromptFacts {
    this.#stop("");
    const names = [...this.#mentions].sort(([, left], [, right]) => right - left).map(([name]) => name);
    return { users: [...this.#users], names, statements: [...this.#statements] };
  }

  #speak(first: string): void {
    this.#stop("");
    this.#section = "";
    this.#speaking = [first];
  }

  #stop(line: string): void {
    const said = this.#speaking?.join(" ").replace(/\s+/g, " ").trim() ?? "";
    if (said !== "") this.#users.add(this.#cited(said.slice(0, USER_UNITS)));
    this.#speaking = undefined;
    if (line.includes(":")) this.#state(line.slice(line.indexOf(":") + 1));
  }

  /** A line that says something that can be checked: a figure, a name, a rule. */
  #state(line: string): void {
    const said = line.trim().replace(/^- /, "");
    if (said.length > 12 && /\d|never|always|must|nie|nunca|jamais|不/i.test(said))
      this.#statements.add(this.#cited(said.slice(0, LINE_UNITS)));
  }

  /** Prompts that number their passages ask for the number with what is taken from them. */
  #cited(text: string): string {
    return this.#label === "" || /\[\d+\.\d+\]$/.test(text) ? text : `${text} [${this.#label}]`;
  }
}
