// Reads what tools did that the provider runs itself, in the items and parts of any provider: what each was asked and what
// it gave back. Such a call carries its own result, so it is never paired or repaired like a caller's: facts and
// summarizers read it here, and nobody else.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { elideBase64 } from "./attachments.ts";
import type { ProviderStep } from "./format.ts";
import { qualifiedName } from "./names.ts";

/** Types whose part says what was asked, what came of it, or both. Of the caller's own tools the formats read them first. */
const ASKS = /(?:tool_use|tool-call|server_tool_call|executable_?code|^program)$/i;
const ANSWERS = /(?:tool_result|tool-result|tool_call_result|_output|code_?execution_?result)$/i;
const BOTH = /_call$|^mcp_list_tools$/;

const ID_KEYS = ["tool_use_id", "toolCallId", "tool_call_id", "call_id", "id"];
const INPUT_KEYS = ["arguments", "input", "args"];
const OUTCOME_KEYS = ["output", "outputs", "result", "results", "content", "tools", "search_results", "error"];
/** They say how a part is kept, not what it says. */
const SILENT_KEYS: ReadonlySet<string> = new Set([
  ...["type", "id", "status", "index", "signature", "cache_control", "caller", "container_id", "approval_request_id"],
  ...["providerExecuted", "providerOptions", "providerMetadata", "dynamic", "fingerprint", "annotations"],
  ...["name", "toolName", "server_name", "server_label", "parameters", "input_schema", "inputSchema", "defer_loading"],
  ...ID_KEYS,
]);

/** Undefined for a part of another kind. `isStep`: where it stands says what it is. */
export function readProviderStep(part: JsonObject, isStep = false): ProviderStep | undefined {
  const type = asText(part.type);
  const isBoth = isStep || BOTH.test(type);
  const asks = isBoth || ASKS.test(type);
  const answers = isBoth || ANSWERS.test(type);
  if (!asks && !answers) return undefined;
  const callId = ID_KEYS.map((key) => part[key]).find(isFilledText) ?? "";
  const outcome = answers ? { ...readOutcome(part), ...loadedTools(part.tools ?? part.content) } : undefined;
  return {
    ...(asks ? { call: { callId, name: nameOf(part), arguments: readArguments(part) } } : {}),
    ...(outcome === undefined || (isBoth && outcome.text === "") ? {} : { result: { callId, ...outcome } }),
  };
}

/** `gh.lookup`: two servers may have tools of one name. */
function nameOf(part: JsonObject): string {
  const name = [part.name, part.toolName].find(isFilledText) ?? asText(part.type).replace(/_call$/, "");
  const server = [part.server_name, part.server_label].find(isFilledText);
  return server === undefined ? name : `${server}.${name}`;
}

function readArguments(part: JsonObject): string {
  const given = INPUT_KEYS.map((key) => part[key]).find((value) => value !== undefined && value !== null);
  if (given !== undefined) return elideBase64(typeof given === "string" ? given : toJson(given));
  const fields = Object.entries(part).filter(
    ([key, value]) => !SILENT_KEYS.has(key) && !OUTCOME_KEYS.includes(key) && value !== null && value !== undefined,
  );
  // What a search found stands beside what it was asked.
  const json = toJson(Object.fromEntries(fields), (key, field) =>
    key === "sources" || key.startsWith("encrypted") ? undefined : field,
  );
  return elideBase64(json);
}

function readOutcome(part: JsonObject): { readonly text: string; readonly isError: boolean } {
  const { action, status, error } = part;
  const found = [...OUTCOME_KEYS.map((key) => part[key]), ...(isObject(action) ? [action.sources] : [])];
  const text = found.map((value) => wordsOf(value)).filter((words) => words !== "");
  const isError =
    part.is_error === true ||
    (error !== undefined && error !== null && error !== "") ||
    status === "failed" ||
    status === "incomplete" ||
    status === "error" ||
    [part.content, part.output].some(
      (value) => isObject(value) && /^error|[_-]error$|^execution-denied$/.test(asText(value.type)),
    );
  return { text: elideBase64(text.join("\n")), isError };
}

/** Their words stand for themselves, without the name of the field. */
const BARE_KEYS: ReadonlySet<string> = new Set([
  ...["text", "content", "output", "stdout", "stderr", "logs", "lines", "data", "source", "value", "message"],
]);
const CODE_KEYS: ReadonlySet<string> = new Set(["return_code", "exit_code", "exitCode"]);
/** Of what is nested deeper nobody could make sense. */
const DEEPEST = 12;

/** What a value says, field by field, without ids and without what only the provider can read. */
function wordsOf(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (depth > DEEPEST) return "";
  if (Array.isArray(value))
    return joined(
      value.map((item) => wordsOf(item, depth + 1)),
      "\n",
    );
  if (!isObject(value)) return "";
  if (value.type === "json") return toJson(value.value);
  // Of a tool that was found, its name is what can be called.
  const named = [value.name, value.tool_name].find(isFilledText);
  const fields = Object.entries(value).map(([key, field]) => {
    if (SILENT_KEYS.has(key) || key.startsWith("encrypted") || key === "tool_name") return "";
    const words = wordsOf(field, depth + 1);
    return words === "" || BARE_KEYS.has(key) ? words : `${CODE_KEYS.has(key) ? "exit code" : key}: ${words}`;
  });
  const isProse = Object.keys(value).some((key) => BARE_KEYS.has(key));
  return joined([named ?? "", ...fields], isProse ? "\n" : ", ");
}

function joined(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== "").join(separator);
}

/** The tools that a search found, which can be called since: named as such, or defined, alone or under a name of theirs. */
export function loadedTools(found: unknown): { readonly loads?: readonly string[] } {
  const loads = namesOf(found);
  return loads.length === 0 ? {} : { loads };
}

function namesOf(found: unknown, depth = 0): readonly string[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(found)) return found.flatMap((tool) => namesOf(tool, depth + 1));
  if (!isObject(found)) return [];
  const { tool_references: references, tools, tool_name: referred, type, name } = found;
  if (type === "tool_reference") return isFilledText(referred) ? [referred] : [];
  const isTool = type === "function" || type === "custom" || type === "mcp";
  if (type === "namespace") return namesOf(tools, depth + 1).map((tool) => qualifiedName(name, tool));
  return [...(isTool && isFilledText(name) ? [name] : []), ...namesOf(references ?? tools, depth + 1)];
}

/** The provider's own program that made a call. */
export function callerOf({ caller }: JsonObject): { readonly callerId?: string } {
  const id = isObject(caller) ? [caller.tool_id, caller.caller_id].find(isFilledText) : undefined;
  return id === undefined ? {} : { callerId: id };
}

/** The names and addresses of what a text cites, each once; "" where none is told. */
export function citedSources(citations: unknown): string {
  const told = asArray(citations).map((citation) => {
    if (!isObject(citation)) return asText(citation);
    const source = [citation.url_citation, citation.file_citation].find(isObject) ?? citation;
    const names = [source.title, source.document_title, source.filename, source.file_id];
    const [name, url] = [names.find(isFilledText), source.url].map(asText);
    return name !== "" && url !== "" ? `${name} (${url})` : `${name}${url}`;
  });
  return joined([...new Set(told)], "; ");
}
