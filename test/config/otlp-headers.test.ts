import { describe, expect, it } from "vitest";
import { readOtlpHeaders } from "../../src/config/variables.ts";

const LOCAL = "http://127.0.0.1:4318";
const AWAY = "https://collector.example.com/otlp";

describe("headers for a collector", () => {
  it("are read as OpenTelemetry writes them, the precise variable first", () => {
    const OTEL_EXPORTER_OTLP_HEADERS = "Authorization=Bearer%20abc%3D, x-tenant = a%2Cb ,";
    expect(readOtlpHeaders(LOCAL, { OTEL_EXPORTER_OTLP_HEADERS }).headers).toEqual({
      authorization: "Bearer abc=",
      "x-tenant": "a,b",
    });
    const both = { OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x=1" };
    expect(readOtlpHeaders(LOCAL, both).headers).toEqual({ x: "1" });
    expect(readOtlpHeaders(LOCAL, {})).toEqual({ headers: {} });
    expect(readOtlpHeaders(LOCAL, { OTEL_EXPORTER_OTLP_HEADERS: " " })).toEqual({ headers: {} });
  });

  it("leave this machine only for a host that a variable names", () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=secret" };
    expect(readOtlpHeaders(AWAY, headers)).toEqual({ headers: {}, withheld: "OTEL_EXPORTER_OTLP_HEADERS" });
    for (const [variable, address] of [
      ["COMPACT_TELEMETRY_OTLP_URL", AWAY],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.example.com"],
      ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://collector.example.com/v1/traces"],
    ] as const)
      expect(readOtlpHeaders(AWAY, { ...headers, [variable]: address }).headers).toEqual({ authorization: "secret" });
    for (const address of [
      "https://evil.example.com",
      "http://collector.example.com",
      "https://collector.example.com:4318",
      "",
    ])
      expect(readOtlpHeaders(AWAY, { ...headers, OTEL_EXPORTER_OTLP_ENDPOINT: address }).headers).toEqual({});
    for (const host of ["http://127.0.0.1.example.com", "http://localhost.example.com", "http://10.0.0.1"])
      expect(readOtlpHeaders(host, headers).headers).toEqual({});
  });

  it.each(["secret", "=secret", "a b=secret", "a=%zzsecret", "a=%0asecret", "a=%F0%9F%98%80secret"])(
    "are refused when they cannot be read, and never quoted: %j",
    (entry) => {
      let message = "";
      try {
        readOtlpHeaders(LOCAL, { OTEL_EXPORTER_OTLP_HEADERS: `ok=1,${entry}` });
      } catch (error) {
        message = JSON.stringify([String(error), error]);
      }
      expect(message).toContain("has no header in entry 2");
      expect(message).not.toContain("secret");
    },
  );
});
