// The headers that a collector asks for: tokens and tenants. From the environment alone, so that they stand in no file, and
// only to a collector that the environment names, so that a file in a repository cannot have them sent elsewhere.
import { type Environment, invalidVariable } from "./variables.ts";

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
