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

  it.each(["(a+)+$", "(a|b)*", "(?:\\d+)*x", "(a|a)+b", "([a-z]+\\s?){1,40}!"])(
    "refuses %s, which runs away or matches nothing, and names its place",
    (pattern) => {
      expect(errorOf(["fine", "fine", pattern])).toMatch(/^InvalidConfig: redaction\.patterns\[2\] /);
    },
  );

  it.each(["(?s)x", "a(?i)b", "(?i:x)", "(unclosed", "x*", ""])("refuses %s as unreadable", (pattern) => {
    expect(errorOf([pattern])).toMatch(/^InvalidConfig: redaction\.patterns\[0\] /);
  });

  it.each([
    "(foo|bar)-\\d+",
    "(?:ab){3}",
    "x[(+*]+",
    "\\(a+\\)",
    "(?<id>T-\\d{2,4})",
    "(?=[xy])y+",
    "(a?b){2}",
    "((x?)y){2,}",
    "(a)\\1",
  ])("accepts %s", (pattern) => {
    expect(errorOf([pattern])).toBe("no error");
  });

  it("finds matches anywhere in a long text, long ones whole", () => {
    const redactor = createRedactor({ patterns: ["T-\\d+", "blob=\\w+"] });
    const filler = "x ".repeat(1_500);
    const text = `${filler}T-123456${filler}T-1 ${filler}blob=${"a".repeat(9_000)} end`;
    expect(redactor.text(text)).toBe(`${filler}<REDACTED>${filler}<REDACTED> ${filler}blob=<REDACTED> end`);
  });
});

describe("allow, pii, enabled", () => {
  it.each([
    [
      "postgres://booking:bo0kPASSWORDx9@db.firm.net:5432/berths",
      "postgres://booking:<REDACTED>@db.firm.net:5432/berths",
    ],
    ["amqp://u:p%40ss@mq.firm.net then a.b@firm.net", "amqp://u:<REDACTED>@mq.firm.net then <REDACTED>"],
    ["https://firm.net/a.b@firm.net", "https://firm.net/<REDACTED>"],
  ])("keeps the host of an address whose password goes: %s", (text, left) => {
    const redactor = createRedactor({ pii: true });
    expect(redactor.text(text)).toBe(left);
    expect(redactor.text(left)).toBe(left);
  });

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

describe("a variable's value at a sentence's end", () => {
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"}`;

  it.each([
    [`Use DEPLOY_TOKEN=${token}.`, "Use DEPLOY_TOKEN=<REDACTED>."],
    [`DEPLOY_TOKEN=${token}, then deploy`, "DEPLOY_TOKEN=<REDACTED>, then deploy"],
    [`export DEPLOY_TOKEN=${token}?!\nnext`, "export DEPLOY_TOKEN=<REDACTED>?!\nnext"],
    // Of no known shape: the mark may be the password's own.
    ["DB_PASSWORD=correcthorse9.", "DB_PASSWORD=<REDACTED>"],
    [`DB_PASSWORD=${token}.more`, "DB_PASSWORD=<REDACTED>"],
  ])("keeps the mark behind a known shape: %s", (text, left) => {
    const redactor = createRedactor();
    expect(redactor.text(text)).toBe(left);
    expect(redactor.text(left)).toBe(left);
  });
});

describe("a pattern that finds the mark's own letters", () => {
  it.each(["[A-Z]{8}", "[A-Z]{4,9}", "RED", "[A-Z]", ".", "<[A-Z]{1,9}", "[^ ]{1,20}"])(
    "redacts what is there, once: %s",
    (pattern) => {
      const { text } = createRedactor({ patterns: [pattern] });
      const once = text("code <REDACTED> end ABCDEFGH, api_key=sk-abc123def456ghi789");
      expect(text(once)).toBe(once);
      expect(once).not.toMatch(/<<|>ACTED|sk-abc/);
      expect(text("A".repeat(10_000)).length).toBeLessThanOrEqual(10_000 * "<REDACTED>".length);
    },
  );
});
