// The only reader of the environment. `COMPACT_*` variables: each overrides one field and nothing around it.
import { CompactError } from "../errors.ts";
import { nearest } from "../text/nearest-name.ts";
import { type ConfigField, type FieldKind, listConfigFields } from "./file-schema.ts";
import { PROVIDER_ADDRESSES } from "./schema-parts.ts";
import { isSummarizer, type SummarizerConfig, type SummarizerType } from "./summarizer-schema.ts";

export interface VariableValue {
  readonly field: ConfigField;
  readonly variable: string;
  /** Coerced by the field's kind; not yet checked. */
  readonly value: unknown;
  readonly isBlank: boolean;
}

export interface Overlay {
  readonly values: readonly VariableValue[];
  /** About variables that nothing reads, but that look like a known one. */
  readonly warnings: readonly string[];
}

export function readEnvironment(environment: Environment = process.env): Overlay {
  const fields = listConfigFields();
  const values = fields.flatMap((field) => readField(field, environment));
  const known = [...fields.flatMap(({ variable }) => variable ?? []), KEY_VARIABLE, MCP_TOKEN_VARIABLE];
  const unknown = Object.keys(environment).filter((name) => name.startsWith("COMPACT_") && !known.includes(name));
  return { values, warnings: unknown.sort().flatMap((name) => warnOf(name, known)) };
}

function readField(field: ConfigField, environment: Environment): readonly VariableValue[] {
  const { variable, kind } = field;
  const text = variable === undefined ? undefined : environment[variable];
  if (variable === undefined || text === undefined) return [];
  const value = kind === "list" ? coerceList(text) : coerceText(text, kind);
  return [{ field, variable, value, isBlank: text.trim() === "" }];
}

/** `COMPACT_TRIGER_PCT`, `COMPACT_POLICY_TRIGGER_PCT`, `COMPACT_BASE_URL`. Others may be another program's. */
function warnOf(name: string, known: readonly string[]): readonly string[] {
  const words = name.slice("COMPACT_".length);
  const moved = known.find((candidate) =>
    words.startsWith("POLICY_") ? candidate === `COMPACT_${words.slice(7)}` : candidate.endsWith(`_${words}`),
  );
  const meant = moved ?? nearest(name, known);
  return meant === undefined ? [] : [`The variable ${name} is not read: did you mean ${meant}?`];
}

// Text that stands for a number or a switch, as shells, quotes in YAML and generated JSON give it. What is neither stays
// as it is, and the schema refuses it by name.

/** Plain decimals only: `1e-1` and `0x10` are more likely a slip than a wish. */
export function coerceText(value: string, kind: FieldKind): unknown {
  const trimmed = value.trim();
  if (kind === "number")
    return /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (kind === "switch") return { true: true, false: false }[trimmed.toLowerCase()] ?? trimmed;
  return kind === "list" ? value : trimmed;
}

/** A value of a file, where YAML has already told numbers from texts. */
export function coerceFileValue(value: unknown, kind: FieldKind): unknown {
  // `version: 1.0` without quotes is the number 1 to YAML.
  if (kind === "literal" && value === 1) return "1.0";
  return typeof value === "string" && (kind === "number" || kind === "switch") ? coerceText(value, kind) : value;
}

/** `system, user`, or a JSON list for items that hold commas. */
export function coerceList(value: string): unknown {
  const trimmed = value.trim();
  if (/^\[\s{0,20}["\]]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      return trimmed;
    }
  }
  return trimmed.split(",").map((item) => item.trim());
}

// The key that a summarizing model is called with. It comes from the environment alone, and a provider's own key goes to
// that provider and nowhere else.

export interface KeyedSummarizer {
  readonly type: SummarizerType;
  readonly baseUrl?: string | undefined;
}

const PROVIDER_VARIABLES = { "openai-compatible": "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY" } as const;

/** The variables that are asked for the key, first one first. None for the extractive summarizer. */
export function apiKeyVariables({ type, baseUrl }: KeyedSummarizer): readonly string[] {
  if (type === "extractive") return [];
  return isProvidersOwn(type, baseUrl) ? [KEY_VARIABLE, PROVIDER_VARIABLES[type]] : [KEY_VARIABLE];
}

/**
 * Undefined when no variable holds a key, which servers on one's own machine often need none of.
 * @throws CompactError `InvalidConfig` when the key could not be sent in a header. The key is never quoted.
 */
export function readApiKey(
  summarizer: KeyedSummarizer,
  environment: Environment = globalThis.process?.env ?? {},
): string | undefined {
  for (const variable of apiKeyVariables(summarizer)) {
    const key = environment[variable]?.trim();
    if (key === undefined || (key === "" && variable !== KEY_VARIABLE)) continue;
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    const fault = key === "" ? "is empty" : "holds a space or a character that no key has";
    throw invalidVariable(
      variable,
      fault,
      "INVALID_API_KEY",
      "Set it to the key as the provider gave it, or unset it.",
    );
  }
  return undefined;
}

/** As `readApiKey`, but throws `InvalidConfig` (`NO_API_KEY`) where the provider's own address would refuse every call. */
export function requireApiKey(summarizer: KeyedSummarizer, environment?: Environment): string | undefined {
  const key = readApiKey(summarizer, environment);
  const variables = apiKeyVariables(summarizer);
  if (key !== undefined || variables.length < 2) return key;
  throw new CompactError("InvalidConfig", `The summarizer ${summarizer.type} has no API key.`, {
    code: "NO_API_KEY",
    hint: `Set ${variables.join(" or ")}, give summarizer.base_url for a server that needs none, or use type extractive.`,
  });
}

/** Of what was configured: undefined where none is needed. Throws `InvalidConfig` for a provider without its key. */
export function apiKeyFor(config: SummarizerConfig | undefined): string | undefined {
  if (config === undefined || isSummarizer(config) || !("type" in config)) return undefined;
  return requireApiKey(config);
}

/** Told by the host and https, so that another path or a trailing slash changes nothing. */
function isProvidersOwn(type: Exclude<SummarizerType, "extractive">, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return true;
  return URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(PROVIDER_ADDRESSES[type]).origin;
}

// The tokens of a decision server and whom they stand for. From the environment alone, so that they stand in no file and in
// no list of processes.

const AGENT = /^[\w.@/-]{1,100}$/;
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/**
 * Token to agent, read from `agent:token,agent:token`; undefined where none is asked for.
 * @throws CompactError `InvalidConfig` when an entry cannot be read: a server that was to be closed must not be open. Neither
 * tokens nor agents are quoted, since a misplaced colon makes one of the other.
 */
export function readCstpTokens(
  environment: Environment = globalThis.process?.env ?? {},
): ReadonlyMap<string, string> | undefined {
  const written = environment[CSTP_TOKENS_VARIABLE];
  if (written === undefined) return undefined;
  if (written.trim() === "") throw refuse("is empty");
  const agents = new Map<string, string>();
  written.split(",").forEach((entry, index) => {
    const place = `entry ${index + 1}`;
    if (entry.trim() === "") throw refuse(`has nothing in ${place}`);
    const colon = entry.indexOf(":");
    if (colon < 0) throw refuse(`has no colon in ${place}`);
    const [agent, token] = [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()];
    if (!AGENT.test(agent)) throw refuse(`has no name of an agent in ${place}`);
    if (!TOKEN.test(token)) throw refuse(`has no token that a header takes in ${place}`);
    if (agents.has(token)) throw refuse(`gives one token twice, the second time in ${place}`);
    if ([...agents.values()].includes(agent)) throw refuse(`names one agent twice, the second time in ${place}`);
    agents.set(token, agent);
  });
  return agents;
}

function refuse(fault: string): CompactError {
  const hint =
    "Write agent:token,agent:token: names of letters and digits, tokens as `openssl rand -hex 32` prints them. Or unset it.";
  return invalidVariable(CSTP_TOKENS_VARIABLE, fault, "INVALID_CSTP_TOKENS", hint);
}

// The token that clients of a server over HTTP must send. From the environment alone, so that it stands in no file and in
// no list of processes.

/**
 * Undefined where none is asked for.
 * @throws CompactError `InvalidConfig` when it could not be sent in a header: a server that was to be closed must not be
 * open. The token is never quoted.
 */
export function readMcpToken(environment: Environment = globalThis.process?.env ?? {}): string | undefined {
  const token = environment[MCP_TOKEN_VARIABLE]?.trim();
  if (token === undefined || /^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  const fault = token === "" ? "is empty" : "holds a space or a character that no header takes, or is too long";
  const hint = "Set it to letters and digits, for example what `openssl rand -hex 32` prints, or unset it.";
  throw invalidVariable(MCP_TOKEN_VARIABLE, fault, "INVALID_MCP_TOKEN", hint);
}

// The headers that a collector asks for: tokens and tenants. From the environment alone, so that they stand in no file, and
// only to a collector that the environment names, so that a file in a repository cannot have them sent elsewhere.

/** As OpenTelemetry names them; the first that is set counts. */
const HEADER_VARIABLES = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"] as const;
export const OTLP_URL_VARIABLE = "COMPACT_TELEMETRY_OTLP_URL";
const ADDRESS_VARIABLES = [
  OTLP_URL_VARIABLE,
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
] as const;

const NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/;
const VALUE = /^[\x20-\x7e]{0,8192}$/;

export interface OtlpHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The variable whose headers are not sent, since no variable names this collector. */
  readonly withheld?: string;
}

/**
 * Read from `name=value,name=value`, values percent-encoded. They go to this machine, and to the host that one of the
 * address variables names.
 * @throws CompactError `InvalidConfig` when an entry cannot be read. Neither names nor values are quoted.
 */
export function readOtlpHeaders(url: string, environment: Environment = globalThis.process?.env ?? {}): OtlpHeaders {
  const variable = HEADER_VARIABLES.find((name) => (environment[name] ?? "").trim() !== "");
  if (variable === undefined) return { headers: {} };
  if (!isLoopback(url) && !ADDRESS_VARIABLES.some((name) => originOf(environment[name]) === originOf(url)))
    return { headers: {}, withheld: variable };
  const entries = (environment[variable] ?? "").split(",").filter((entry) => entry.trim() !== "");
  return { headers: Object.fromEntries(entries.map((entry, index) => readEntry(entry, variable, index + 1))) };
}

function readEntry(entry: string, variable: string, position: number): readonly [string, string] {
  const equals = entry.indexOf("=");
  const name = entry.slice(0, Math.max(0, equals)).trim();
  const value = decoded(entry.slice(equals + 1).trim());
  if (NAME.test(name) && value !== undefined && VALUE.test(value)) return [name.toLowerCase(), value];
  const hint = "Write name=value,name=value, with commas and spaces in values as %2C and %20. Or unset it.";
  throw invalidVariable(variable, `has no header in entry ${position}`, "INVALID_OTLP_HEADERS", hint);
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function originOf(address: string | undefined): string | undefined {
  const trimmed = address?.trim() ?? "";
  return URL.canParse(trimmed) ? new URL(trimmed).origin : undefined;
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

// Keeps a warning of the AWS SDK, eight lines about the age of Node, off the standard error of a program that is all ours.
// For the command line alone: in somebody's process it is theirs to read.

const VARIABLE = "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED";

/** Before the SDK is loaded. What the user has set stays. */
export function silenceSdkWarning(environment: Record<string, string | undefined> = process.env): void {
  environment[VARIABLE] ??= "true";
}

/** The value is never quoted. */
function invalidVariable(variable: string, fault: string, code: string, hint: string): CompactError {
  return new CompactError("InvalidConfig", `The environment variable ${variable} ${fault}.`, { code, hint });
}

// The variables that hold what no configuration file may: keys and tokens.

export type Environment = Readonly<Record<string, string | undefined>>;

export const KEY_VARIABLE = "COMPACT_SUMMARIZER_API_KEY";
export const MCP_TOKEN_VARIABLE = "COMPACT_MCP_TOKEN";
/** The name that servers of this protocol have given it. */
export const CSTP_TOKENS_VARIABLE = "CSTP_AUTH_TOKENS";
