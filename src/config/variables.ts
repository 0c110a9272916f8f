// What no configuration file may hold and the environment alone says: tokens of servers, headers for a collector. And the error
// for a variable that cannot be read. Keys are read in api-key.ts. Values are never quoted.
import { CompactError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export const KEY_VARIABLE = "COMPACT_SUMMARIZER_API_KEY";
export const MCP_TOKEN_VARIABLE = "COMPACT_MCP_TOKEN";
/** The name that servers of this protocol have given it. */
export const CSTP_TOKENS_VARIABLE = "CSTP_AUTH_TOKENS";

/** The value is never quoted. */
export function invalidVariable(variable: string, fault: string, code: string, hint: string): CompactError {
  return new CompactError("InvalidConfig", `The environment variable ${variable} ${fault}.`, { code, hint });
}

// Keeps a warning of the AWS SDK, eight lines about the age of Node, off the standard error of a program that is all ours.
// For the command line alone: in somebody's process it is theirs to read.

const SDK_WARNING_VARIABLE = "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED";

/** Before the SDK is loaded. What the user has set stays. */
export function silenceSdkWarning(environment: Record<string, string | undefined> = process.env): void {
  environment[SDK_WARNING_VARIABLE] ??= "true";
}

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
