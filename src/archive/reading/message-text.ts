// The readable text of a native message of any format: what a person would search for. Ids, roles, signatures and
// encoded binaries are left out. Linear, and safe for any depth.

/** Names of the wire format, not of the conversation. Inside a tool's arguments every name is the user's own. */
const NOT_TEXT = new Set([
  "id",
  "uuid",
  "role",
  "type",
  "status",
  "model",
  "object",
  "signature",
  "encrypted_content",
  "media_type",
  "mime_type",
  "mimeType",
  "detail",
  "format",
  "finish_reason",
  "stop_reason",
  "created_at",
  "timestamp",
  "phase",
  "thoughtSignature",
  "cache_control",
  "meta",
]);
/** Their values are a tool's or the user's, so all strings in them count. */
const FREE_FORM = new Set(["input", "arguments", "args", "parameters"]);
const IS_ID = /(?:_id|_ids|Id)$/;

interface Pending {
  readonly value: unknown;
  readonly isFree: boolean;
}

/** All strings of the message in document order, one per line. */
export function messageText(message: unknown): string {
  const texts: string[] = [];
  const stack: Pending[] = [{ value: message, isFree: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, isFree } = next;
    if (typeof value === "string") {
      if (value !== "" && !isBinary(value)) texts.push(value);
    } else if (typeof value === "object" && value !== null) {
      for (const child of children(value, isFree).reverse()) stack.push(child);
    }
  }
  return texts.join("\n");
}

/** The role a native message names, under whichever key. */
export function messageRole(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { role, type } = message as { role?: unknown; type?: unknown };
  if (typeof role === "string") return role;
  return typeof type === "string" ? type : undefined;
}

function children(value: object, isFree: boolean): Pending[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ value: item, isFree }));
  const isBase64 = (value as { type?: unknown }).type === "base64";
  const found: Pending[] = [];
  for (const [key, child] of Object.entries(value)) {
    if (!isFree && (NOT_TEXT.has(key) || IS_ID.test(key) || (isBase64 && key === "data"))) continue;
    if (!isFree && FREE_FORM.has(key)) found.push({ value: decoded(child), isFree: true });
    else found.push({ value: child, isFree });
  }
  return found;
}

/** Call arguments are often JSON in a string, with text escaped as `\u4f60`: search must see the text. */
function decoded(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s{0,20}[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function isBinary(text: string): boolean {
  return text.startsWith("data:") && text.slice(0, 100).includes(";base64,");
}
