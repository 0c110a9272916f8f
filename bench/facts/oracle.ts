// What a session holds, by a reading that shares no code with the product: its own expressions, its own walk over
// the strings of a message. Loose on purpose: what it finds and the product does not is a question to look into.

/* biome-ignore lint/suspicious/noExplicitAny: the oracle reads foreign JSON as it comes. */
type Foreign = any;

const URL = /https?:\/\/[^\s"'<>`)\]}\\|,;]+/g;
const PATH = /(?:~\/|\.{1,2}\/|\/)?(?:[\w@.+-]+\/)+[\w@.+-]*\w\.[A-Za-z]\w{0,9}\b/g;
const BARE_FILE =
  /(?<![\w./\\@+-])[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|js|mjs|py|md|json|ya?ml|toml|sh|rs|go|java|sql|txt|html|css|csv)\b/g;
const HEX = /\b[0-9a-f]{7,40}\b/g;

/** Distinct identifiers of one message: a URL, a path with an extension, hex of 7 to 40 with a letter and a digit. */
export function namedIn(message: unknown): ReadonlySet<string> {
  const named = new Set<string>();
  for (const text of stringsOf(message)) {
    for (const [url] of text.matchAll(URL)) named.add(url.replace(/[.,;:!?*_]+$/, ""));
    const rest = text.replace(URL, " ");
    for (const [path] of rest.matchAll(PATH)) named.add(path);
    for (const [file] of rest.matchAll(BARE_FILE)) named.add(file);
    for (const [hex] of text.matchAll(HEX)) if (/[a-f]/.test(hex) && /\d/.test(hex)) named.add(hex);
  }
  return named;
}

/** Number of messages that name each identifier. */
export function countMentions(messages: readonly unknown[]): ReadonlyMap<string, number> {
  const mentions = new Map<string, number>();
  for (const message of messages)
    for (const name of namedIn(message)) mentions.set(name, (mentions.get(name) ?? 0) + 1);
  return mentions;
}

/** The strings a reader would see: text, arguments (unescaped), results. Reasoning, ids and binaries are none. */
export function stringsOf(message: Foreign): readonly string[] {
  const strings: string[] = [];
  const read = (content: Foreign): void => {
    if (typeof content === "string") strings.push(content);
    else if (Array.isArray(content)) for (const part of content) readPart(part);
  };
  const readPart = (part: Foreign): void => {
    if (part?.type === "tool_use") walk(part.input, strings);
    else if (part?.type === "tool_result") read(part.content);
    else if (typeof part?.text === "string") strings.push(part.text);
  };
  read(message.content);
  read(message.output);
  for (const call of message.tool_calls ?? []) walkJson(call.function.arguments, strings);
  if (typeof message.arguments === "string") walkJson(message.arguments, strings);
  return strings;
}

function walkJson(json: string, strings: string[]): void {
  try {
    walk(JSON.parse(json), strings);
  } catch {
    strings.push(json);
  }
}

function walk(value: unknown, strings: string[]): void {
  if (typeof value === "string") strings.push(value);
  else if (typeof value === "object" && value !== null) for (const child of Object.values(value)) walk(child, strings);
}

/** Everything the compacted list says, as one text. */
export function textOf(messages: readonly unknown[]): string {
  return messages.flatMap(stringsOf).join("\n");
}
