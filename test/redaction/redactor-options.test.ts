import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";

function errorOf(patterns: readonly string[]): string {
  try {
    createRedactor({ patterns });
  } catch (error) {
    if (CompactError.isInstance(error)) return `${error.kind}: ${error.message}`;
  }
  return "no error";
}

describe("patterns", () => {
  it("replaces a capture group, else the part after the separator, else the match", () => {
    const redact = (pattern: string, text: string): string => createRedactor({ patterns: [pattern] }).text(text);
    expect(redact("ticket (T-\\d+)", "ticket T-12 done")).toBe("ticket <REDACTED> done");
    expect(redact("(?i)badge\\s*[:=]\\s*\\S+", "Badge: 77 ok")).toBe("Badge: <REDACTED> ok");
    expect(redact("(?i)badge\\s*[:=]\\s*\\S+", '{Badge="77"}')).toBe('{Badge="<REDACTED>"}');
    expect(redact("T-\\d+", "ticket T-12 done")).toBe("ticket <REDACTED> done");
    expect(redact("[a-z]{1,20} \\$1", "cost $1")).toBe("<REDACTED>");
    expect(redact("BADGE \\d", "badge 7")).toBe("badge 7");
  });

  it("accepts the patterns that the specification names", () => {
    const patterns = ["(?i)api[_-]?key\\s*[:=]\\s*\\S+", "(?i)password\\s*[:=]\\s*\\S+"];
    expect(createRedactor({ patterns }).text("API-KEY: abc PASSWORD=x")).toBe(
      "API-KEY: <REDACTED> PASSWORD=<REDACTED>",
    );
  });

  it.each(["(a+)+$", "(a|b)*", "((x?)y){2,}", "(?:\\d+)*x", "(a)\\1", "([a-z]+\\s?){1,40}"])(
    "refuses %s, which could run away, and names its place",
    (pattern) => {
      expect(errorOf(["fine", "fine", pattern])).toMatch(/^InvalidConfig: redaction\.patterns\[2\] /);
    },
  );

  it.each(["(?s)x", "a(?i)b", "(?i:x)", "(unclosed", "x*", ""])("refuses %s as unreadable", (pattern) => {
    expect(errorOf([pattern])).toMatch(/^InvalidConfig: redaction\.patterns\[0\] /);
  });

  it.each(["(foo|bar)-\\d+", "(?:ab){3}", "x[(+*]+", "\\(a+\\)", "(?<id>T-\\d{2,4})", "(?=x)y+", "(a?b){2}"])(
    "accepts %s",
    (pattern) => {
      expect(errorOf([pattern])).toBe("no error");
    },
  );

  it("finds matches anywhere in a long text, long ones whole", () => {
    const redactor = createRedactor({ patterns: ["T-\\d+", "blob=\\w+"] });
    const filler = "x ".repeat(1_500);
    const text = `${filler}T-123456${filler}T-1 ${filler}blob=${"a".repeat(9_000)} end`;
    expect(redactor.text(text)).toBe(`${filler}<REDACTED>${filler}<REDACTED> ${filler}blob=<REDACTED> end`);
  });
});

describe("allow, pii, enabled", () => {
  it("spares exact values", () => {
    const redactor = createRedactor({ allow: ["hunter2"] });
    expect(redactor.text("password: hunter2, password: hunter3")).toBe("password: hunter2, password: <REDACTED>");
    expect(redactor.json({ password: "hunter2" })).toEqual({ password: "hunter2" });
  });

  it("finds personal details only when asked", () => {
    const text = "mail jo.doe+x@mail.example.org, call +49 30 1234567 or (555) 123-4567, card 4111 1111 1111 1111";
    expect(createRedactor().text(text)).toBe(text);
    const M = "<REDACTED>";
    expect(createRedactor({ pii: true }).text(text)).toBe(`mail ${M}, call ${M} or ${M}, card ${M}`);
    const stays = "2031-03-01 12:00:01, 4111 1111 1111 1112, v1.2.3, 1234567890123, npm@10.2.0, +1234 5";
    expect(createRedactor({ pii: true }).text(stays)).toBe(stays);
  });

  it("passes everything unchanged when switched off", () => {
    const redactor = createRedactor({ enabled: false });
    const value = { password: "hunter2" };
    expect(redactor.isEnabled).toBe(false);
    expect(redactor.text("password: hunter2")).toBe("password: hunter2");
    expect(redactor.json(value)).toBe(value);
    expect(createRedactor().isEnabled).toBe(true);
  });
});
