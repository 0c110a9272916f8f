// The calls of tools in a script that an agent wrote for a tool which runs it: `await tools.exec_command({cmd: "…"})`.
// The script is read, never run: literals, templates, constants, loops over lists that it spells out, helpers.
import { readTokens, type Token } from "./script-tokens.ts";

export interface ScriptCall {
  readonly name: string;
  /** The first argument as far as the script says it; undefined where it does not. */
  readonly input: unknown;
}

export function readScriptCalls(source: string): readonly ScriptCall[] {
  return source.includes("tools") ? new ScriptReader(source).read() : [];
}

const MOST_CALLS = 200;
/** Helpers that call helpers, and values within values. */
const DEEPEST = { helpers: 3, values: 30 };

interface Value {
  /** Undefined where the script does not say it. */
  readonly value: unknown;
  /** The position behind it. */
  readonly next: number;
}

/** A variable that stands for each element of a list in turn. */
class Each {
  readonly list: readonly unknown[];

  constructor(list: readonly unknown[]) {
    this.list = list;
  }
}

interface Helper {
  /** Where the parameters begin and end. */
  readonly parameters: readonly [number, number];
  readonly body: readonly [number, number];
  isCalled: boolean;
}

class ScriptReader {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #calls: ScriptCall[] = [];
  readonly #variables = new Map<string, unknown>();
  readonly #helpers = new Map<string, Helper>();
  /** Names under which tools were taken out of `tools`. */
  readonly #tools = new Map<string, string>();
  /** Tokens and characters that may still be looked at, so that no script costs more than its length. */
  #left: number;
  /** Which element an `Each` stands for, and the longest list that was met. */
  #turn = 0;
  #turns = 1;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = readTokens(source);
    this.#left = 20_000 + 8 * (this.#tokens.at(-1)?.end ?? 0);
  }

  read(): readonly ScriptCall[] {
    this.#scan(0, this.#tokens.length, 0);
    for (const helper of this.#helpers.values()) if (!helper.isCalled) this.#scan(...helper.body, 1);
    return this.#calls;
  }

  #scan(start: number, end: number, depth: number): void {
    let at = start;
    while (at < end && this.#calls.length < MOST_CALLS && this.#spend(1)) at = this.#read(at, depth);
  }

  /** Takes up what stands here, and gives the position to go on from. */
  #read(at: number, depth: number): number {
    const token = this.#tokens[at];
    if (token?.kind === "mark" && token.text === ".") return this.#loop(at, depth);
    if (token?.pair !== undefined && token.pair < at && this.#is(at + 1, "=")) return this.#takeApart(at);
    if (token?.kind !== "word" || this.#is(at - 1, ".")) return at + 1;
    if (token.text === "function" && this.#is(at + 2, "(")) return this.#helper(this.#text(at + 1), at + 2, at + 2);
    if (token.text === "of") this.#bind(at - 1, new Each(listOf(this.#value(at + 1).value)));
    const tool = this.#toolAt(at);
    if (tool !== undefined && this.#is(tool.next, "(")) this.#call(tool.name, tool.next + 1);
    else if (this.#is(at + 1, "=")) return this.#assign(at, token.text);
    else if (this.#is(at + 1, "+=")) {
      const value = joined(this.#variables.get(token.text), this.#value(at + 2).value);
      this.#variables.set(token.text, value);
    } else if (this.#is(at + 1, "(")) this.#callHelper(token.text, at + 2, depth);
    return at + 1;
  }

  /** `tools.name`, `tools["name"]`, or a name that was taken out of it. */
  #toolAt(at: number): { readonly name: string; readonly next: number } | undefined {
    const known = this.#tools.get(this.#text(at));
    if (known !== undefined) return { name: known, next: at + 1 };
    if (this.#text(at) !== "tools") return undefined;
    if (this.#is(at + 1, ".") || this.#is(at + 1, "?.")) return { name: this.#text(at + 2), next: at + 3 };
    const key = this.#tokens[at + 2];
    return this.#is(at + 1, "[") && key?.kind === "string" ? { name: key.text, next: at + 4 } : undefined;
  }

  #call(name: string, at: number): void {
    this.#turn = 0;
    this.#turns = 1;
    while (this.#turn < this.#turns && this.#calls.length < MOST_CALLS && this.#spend(1)) {
      this.#calls.push({ name, input: this.#is(at, ")") ? undefined : this.#value(at).value });
      this.#turn += 1;
    }
    this.#turn = 0;
  }

  /** `{a, b} = tools`, `[a, b] = value`. */
  #takeApart(at: number): number {
    if (this.#text(at + 2) !== "tools") this.#bind(at, this.#value(at + 2).value);
    else
      for (const { kind, text } of this.#tokens.slice(this.#tokens[at]?.pair, at))
        if (kind === "word") this.#tools.set(text, text);
    return at + 2;
  }

  /** `name = value`, `name = (x) => …`, `name = tools.exec`. */
  #assign(at: number, name: string): number {
    const tool = this.#toolAt(at + 2);
    const first = this.#text(at + 2) === "async" ? at + 3 : at + 2;
    const arrow = this.#is(first, "(") ? (this.#tokens[first]?.pair ?? first) + 1 : first + 1;
    if (this.#is(arrow, "=>")) return this.#helper(name, first, arrow + 1);
    if (this.#text(first) === "function") return this.#helper(name, first + 1, first + 1);
    if (tool !== undefined && !this.#is(tool.next, "(")) this.#tools.set(name, tool.name);
    else this.#variables.set(name, this.#value(at + 2).value);
    return at + 2;
  }

  /** Its body is read where it is called. `parameters`: where they stand; `after`: from where the body may begin. */
  #helper(name: string, parameters: number, after: number): number {
    const isList = this.#is(parameters, "(");
    const last = isList ? (this.#tokens[parameters]?.pair ?? parameters) : parameters + 1;
    const body = Math.max(after, isList ? last + 1 : after);
    const end = this.#is(body, "{") ? (this.#tokens[body]?.pair ?? this.#tokens.length) : this.#endOfLine(body);
    this.#helpers.set(name, {
      parameters: [isList ? parameters + 1 : parameters, last],
      body: [body, end],
      isCalled: false,
    });
    return end;
  }

  #callHelper(name: string, at: number, depth: number): void {
    const helper = this.#helpers.get(name);
    if (helper === undefined || depth >= DEEPEST.helpers) return;
    let argument = at;
    for (
      let parameter = helper.parameters[0];
      parameter < helper.parameters[1];
      parameter = this.#endOf(parameter) + 1
    ) {
      this.#bind(
        this.#is(parameter, "{") || this.#is(parameter, "[") ? (this.#tokens[parameter]?.pair ?? parameter) : parameter,
        this.#is(argument, ")") ? undefined : this.#value(argument).value,
      );
      argument = this.#is(this.#endOf(argument), ",") ? this.#endOf(argument) + 1 : this.#endOf(argument);
    }
    this.#runHelper(helper, depth);
  }

  #runHelper(helper: Helper, depth: number): void {
    helper.isCalled = true;
    this.#scan(...helper.body, depth + 1);
  }

  /** `list.map((name) => …)`: the name stands for each element. */
  #loop(at: number, depth: number): number {
    if (!/^(?:map|forEach|flatMap)$/.test(this.#text(at + 1)) || !this.#is(at + 2, "(")) return at + 1;
    const before = this.#tokens[at - 1];
    const isName = before?.kind === "word" && !this.#is(at - 2, ".");
    const isList = before?.text === "]" && before.pair !== undefined && !this.#isOperand((before.pair ?? 0) - 1);
    const list = listOf(
      isName ? this.#variables.get(before.text) : isList ? this.#value(before.pair ?? at, true).value : undefined,
    );
    const helper = this.#helpers.get(this.#text(at + 3));
    if (helper !== undefined) {
      this.#bind(helper.parameters[0], new Each(list));
      this.#runHelper(helper, depth);
      return at + 4;
    }
    let name = this.#text(at + 3) === "async" ? at + 4 : at + 3;
    if (this.#is(name, "(")) name += 1;
    if (this.#is(name, "{") || this.#is(name, "[")) name = this.#tokens[name]?.pair ?? name;
    this.#bind(name, new Each(list));
    return name + 1;
  }

  /** Gives a name its value, or each name of a pattern its part of it. `at`: the name, or the end of the pattern. */
  #bind(at: number, value: unknown): void {
    const token = this.#tokens[at];
    if (token?.kind === "word") this.#variables.set(token.text, value);
    if ((token?.text !== "}" && token?.text !== "]") || token.pair === undefined) return;
    let index = 0;
    for (let name = token.pair + 1; name < at && this.#spend(1); name = this.#endOf(name) + 1) {
      const key = token.text === "]" ? index : this.#text(name);
      const target = this.#is(name + 1, ":") ? name + 2 : name;
      const part = value instanceof Each ? new Each(value.list.map((entry) => partOf(entry, key))) : partOf(value, key);
      this.#variables.set(this.#text(target), part);
      index += 1;
    }
  }

  // Values: literals, and what is put together of them.

  /** `isAlone`: what stands behind it does not matter. */
  #value(at: number, isAlone = false, depth = 0): Value {
    let found = this.#primary(at, depth);
    while (!isAlone && this.#spend(1)) {
      const more = this.#is(found.next, "+") ? this.#sum(at, found, depth) : this.#changed(found, depth);
      if (more === undefined) break;
      found = more;
    }
    const behind = this.#tokens[found.next];
    const isWhole = isAlone || behind?.kind !== "mark" || /^[,;)\]}]$/.test(behind.text);
    return isWhole && this.#isInRoom(found.value) ? found : { value: undefined, next: found.next };
  }

  #sum(at: number, { value, next }: Value, depth: number): Value {
    const other = this.#primary(next + 1, depth);
    const sum = joined(value ?? this.#hole(at, next), other.value ?? this.#hole(next + 1, other.next));
    return { value: sum, next: other.next };
  }

  /** The few methods that leave a text what it is, or make one of a list. */
  #changed({ value, next }: Value, depth: number): Value | undefined {
    const method = this.#is(next, ".") ? this.#text(next + 1) : "";
    if (!/^(?:join|trim|trimEnd|trimStart)$/.test(method)) return undefined;
    const separator = method === "join" ? this.#value(next + 3, true, depth + 1).value : undefined;
    const text = Array.isArray(value) ? value.join(typeof separator === "string" ? separator : ",") : value;
    return { value: text, next: (this.#tokens[next + 2]?.pair ?? next + 2) + 1 };
  }

  #primary(at: number, depth: number): Value {
    const token = this.#tokens[at];
    if (token === undefined || depth > DEEPEST.values) return { value: undefined, next: this.#endOf(at) };
    if (token.kind === "string") return { value: token.text, next: at + 1 };
    if (token.kind === "number") return this.#number(at);
    if (token.text === "`") return { value: this.#template(at, depth, false), next: (token.pair ?? at) + 1 };
    if (token.text === "[") return { value: this.#list(at, depth), next: (token.pair ?? at) + 1 };
    if (token.text === "{") return { value: this.#object(at, depth), next: (token.pair ?? at) + 1 };
    if (token.text === "(") return { value: this.#value(at + 1, false, depth + 1).value, next: (token.pair ?? at) + 1 };
    if (token.kind === "word") return this.#named(at, token.text, depth);
    return { value: undefined, next: this.#endOf(at) };
  }

  #number(at: number): Value {
    const fraction = this.#is(at + 1, ".") ? this.#tokens[at + 2] : undefined;
    const text = [this.#tokens[at], ...(fraction?.kind === "number" ? [fraction] : [])].map((token) => token?.text);
    return { value: Number(text.join(".").replaceAll("_", "")), next: at + 2 * text.length - 1 };
  }

  #named(at: number, name: string, depth: number): Value {
    if (name === "true" || name === "false") return { value: name === "true", next: at + 1 };
    if (name === "null") return { value: null, next: at + 1 };
    if (name === "String" && this.#is(at + 1, ".") && this.#text(at + 2) === "raw" && this.#is(at + 3, "`"))
      return { value: this.#template(at + 3, depth, true), next: (this.#tokens[at + 3]?.pair ?? at + 3) + 1 };
    const known = this.#variables.get(name);
    if (!(known instanceof Each)) return { value: this.#isInRoom(known) ? known : undefined, next: at + 1 };
    this.#turns = Math.max(this.#turns, known.list.length);
    return { value: known.list[this.#turn], next: at + 1 };
  }

  /** What the script does not say stays as it is written. */
  #template(start: number, depth: number, isRaw: boolean): string {
    const end = this.#tokens[start]?.pair ?? this.#tokens.length;
    let text = "";
    for (let at = start + 1; at < end && this.#spend(1); at += 1) {
      const token = this.#tokens[at];
      if (token?.kind === "template") text += isRaw ? (token.raw ?? token.text) : token.text;
      else if (token?.text === "${") {
        const close = token.pair ?? end;
        const hole = this.#value(at + 1, false, depth + 1);
        const isSaid = hole.next === close && (typeof hole.value === "string" || typeof hole.value === "number");
        text += isSaid ? String(hole.value) : this.#hole(at + 1, close);
        at = close;
      }
    }
    return text;
  }

  #hole(start: number, end: number): string {
    const from = this.#tokens[start]?.start ?? 0;
    return `\${${this.#source.slice(from, Math.min(this.#tokens[end - 1]?.end ?? from, from + 100))}}`;
  }

  #list(start: number, depth: number): readonly unknown[] {
    const end = this.#tokens[start]?.pair ?? this.#tokens.length;
    const list: unknown[] = [];
    for (let at = start + 1; at < end && this.#spend(1); at = this.#endOf(at) + 1) {
      const isSpread = this.#is(at, "...");
      const { value } = this.#value(isSpread ? at + 1 : at, false, depth + 1);
      if (isSpread) list.push(...listOf(value));
      else list.push(value ?? this.#hole(at, this.#endOf(at)));
    }
    return list;
  }

  #object(start: number, depth: number): Readonly<Record<string, unknown>> {
    const end = this.#tokens[start]?.pair ?? this.#tokens.length;
    const fields = new Map<string, unknown>();
    for (let at = start + 1; at < end && this.#spend(1); at = this.#endOf(at) + 1) {
      const key = this.#tokens[at];
      const isNamed = this.#is(at + 1, ":");
      const isSpread = this.#is(at, "...");
      const { value } = this.#value(isNamed ? at + 2 : isSpread ? at + 1 : at, false, depth + 1);
      if (isSpread && typeof value === "object" && value !== null)
        for (const [name, field] of Object.entries(value)) fields.set(name, field);
      else if (value !== undefined && key !== undefined && !isSpread && (isNamed || key.kind === "word"))
        fields.set(key.text, value);
    }
    return Object.fromEntries(fields);
  }

  /** The next comma, semicolon or closing bracket at this level. */
  #endOf(start: number): number {
    let at = start;
    while (at < this.#tokens.length && this.#spend(1)) {
      const token = this.#tokens[at];
      if (token?.kind === "mark" && /^[,;)\]}]$/.test(token.text)) return at;
      at = Math.max(at, token?.kind === "mark" ? (token.pair ?? at) : at) + 1;
    }
    return this.#tokens.length;
  }

  /** As `#endOf`, or the end of the line where a statement can end there. */
  #endOfLine(start: number): number {
    const end = this.#endOf(start);
    for (let at = start; at + 1 < end && this.#spend(1); at += 1) {
      at = Math.max(at, this.#tokens[at]?.pair ?? at);
      const [token, following] = [this.#tokens[at], this.#tokens[at + 1]];
      if (
        this.#isOperand(at) &&
        following?.kind === "word" &&
        this.#source.slice(token?.end, following.start).includes("\n")
      )
        return at + 1;
    }
    return end;
  }

  /** A value ends here. */
  #isOperand(at: number): boolean {
    const token = this.#tokens[at];
    if (token?.kind === "mark") return /^[)\]}`]$/.test(token.text);
    return token !== undefined && !/^(?:await|return|of|in)$/.test(token.text);
  }

  #is(at: number, mark: string): boolean {
    const token = this.#tokens[at];
    return token?.kind === "mark" && token.text === mark;
  }

  #text(at: number): string {
    const token = this.#tokens[at];
    return token?.kind === "word" ? token.text : "";
  }

  #spend(units: number): boolean {
    this.#left -= units;
    return this.#left > 0;
  }

  /** Values that are used again and again grow. */
  #isInRoom(value: unknown): boolean {
    const open = [value];
    while (open.length > 0) {
      const next = open.pop();
      if (!this.#spend(typeof next === "string" ? 1 + next.length : 1)) return false;
      if (typeof next === "object" && next !== null) for (const entry of Object.values(next)) open.push(entry);
    }
    return true;
  }
}

function joined(before: unknown, after: unknown): unknown {
  const isText = (value: unknown) => typeof value === "string" || typeof value === "number";
  if (!isText(before) || !isText(after)) return undefined;
  return typeof before === "number" && typeof after === "number" ? before + after : `${before}${after}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function partOf(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
}
