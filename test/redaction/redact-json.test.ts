import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/redaction/redactor.ts";

const redactor = createRedactor();

describe("json", () => {
  it("replaces strings under secret names as a whole, keeps all else and the original", () => {
    const original = {
      password: "hunter2 and more",
      headers: { authorization: "Bearer abc", Accept: "text/html" },
      access_token: "abc",
      max_tokens: 500,
      token: true,
      client_secret: null,
      api_key: "",
      note: "api_key=sk-abc123 is set",
      list: [1, "password: hunter2", { name: "X-Api-Key", value: "abc" }, { name: "LANG", value: "C" }],
    };
    const before = structuredClone(original);
    expect(redactor.json(original)).toEqual({
      password: "<REDACTED>",
      headers: { authorization: "<REDACTED>", Accept: "text/html" },
      access_token: "<REDACTED>",
      max_tokens: 500,
      token: true,
      client_secret: null,
      api_key: "",
      note: "api_key=<REDACTED> is set",
      list: [1, "password: <REDACTED>", { name: "X-Api-Key", value: "<REDACTED>" }, { name: "LANG", value: "C" }],
    });
    expect(original).toEqual(before);
  });

  it("knows the fields whose value tells: cookies, registry logins, private parts of web keys", () => {
    const auth = Buffer.from("deploy:hunter2xyz").toString("base64");
    expect(
      redactor.json({
        Cookie: "theme=dark; sid=abc123def456",
        auths: { "images.internal": { auth } },
        auth: "none",
        key: { kty: "EC", d: "abcdefgh-ijklmnop_1", x: "abc" },
        line: { d: "M 0 0 L 100 100 Z and more of it" },
      }),
    ).toEqual({
      Cookie: "theme=dark; sid=<REDACTED>",
      auths: { "images.internal": { auth: "<REDACTED>" } },
      auth: "none",
      key: { kty: "EC", d: "<REDACTED>", x: "abc" },
      line: { d: "M 0 0 L 100 100 Z and more of it" },
    });
  });

  it("keeps key order, null prototypes and the key __proto__", () => {
    const bare = Object.assign(Object.create(null), { b: 1, a: "x" }) as object;
    const copy = redactor.json({ z: 1, y: bare, ...JSON.parse('{"__proto__": {"password": "hunter2"}}') });
    expect(Object.keys(copy)).toEqual(["z", "y", "__proto__"]);
    expect(Object.getPrototypeOf(copy.y)).toBeNull();
    expect(JSON.stringify(copy)).toBe('{"z":1,"y":{"b":1,"a":"x"},"__proto__":{"password":"<REDACTED>"}}');
  });

  it("survives deep nesting, cycles and values that are not plain", () => {
    let deep: unknown = "password: hunter2";
    for (let level = 0; level < 50_000; level++) deep = level % 2 === 0 ? [deep] : { deep };
    let inner: unknown = redactor.json(deep);
    while (typeof inner === "object" && inner !== null) inner = Object.values(inner)[0];
    expect(inner).toBe("password: <REDACTED>");

    const cycle: Record<string, unknown> = { password: "hunter2" };
    cycle.self = cycle;
    const copy = redactor.json(cycle);
    expect(copy.self).toBe(copy);
    expect(copy.password).toBe("<REDACTED>");
    expect(redactor.json({ at: new Date(0), none: undefined })).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      none: undefined,
    });
    expect(redactor.json(7)).toBe(7);
    expect(redactor.json(null)).toBeNull();
  });

  it("redacts a serialised JSON line so that it still parses to the redacted value", () => {
    const line = { role: "tool", content: '{"api_key": "sk-demo-1", "ok": true}\npassword="a b"' };
    expect(JSON.parse(redactor.text(JSON.stringify(line)))).toEqual(redactor.json(line));
  });
});

describe("a secret in two parts of a message", () => {
  const key = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"}`;

  it("goes from both, wherever it is split", () => {
    for (let at = 1; at < key.length; at++) {
      const parts = [`key ${key.slice(0, at)}`, `${key.slice(at)} end`].map((text) => ({ type: "text", text }));
      const left = redactor.json(parts);
      const whole = left.map(({ text }) => text).join("");
      expect(whole).toMatch(/^key (?:<REDACTED>){1,2} end$/);
      expect(redactor.json(left)).toEqual(left);
    }
  });

  it("goes from three parts, and when its name stands in the one before", () => {
    const texts = (...parts: string[]) => redactor.json(parts.map((text) => ({ text }))).map(({ text }) => text);
    expect(texts("a gh", key.slice(2, 20), `${key.slice(20)} b`)).toEqual([
      "a <REDACTED>",
      "<REDACTED>",
      "<REDACTED> b",
    ]);
    expect(texts("password: ", "hunter2, then")).toEqual(["password: ", "<REDACTED>, then"]);
    expect(texts("one", " two", "")).toEqual(["one", " two", ""]);
  });

  it("does not take the name away from a value that stands alone", () => {
    const left = redactor.json([{ text: `X-Api-Key: ${key.slice(4)}` }, { text: `X-Api-Key: ${key.slice(4)}` }]);
    expect(JSON.stringify(left)).not.toContain(key.slice(-8));
    expect(redactor.text("API_SECRET_KEY=op/0hlHs8XoZp4Ig20tYzC5e5WNJ")).toBe("API_SECRET_KEY=<REDACTED>");
    expect(redactor.text("API_SECRET_KEY=op://vault/item/field")).toBe("API_SECRET_KEY=op://vault/item/field");
  });

  it("is looked for among neighbours only", () => {
    const apart = [{ text: "password: " }, { type: "image" }, { text: "hunter2 is his nickname" }];
    expect(redactor.json(apart)).toEqual(apart);
  });

  it("takes linear time", () => {
    const parts = Array.from({ length: 40_000 }, () => ({ type: "text", text: "password=hunter2 x" }));
    expect(redactor.json(parts)).toHaveLength(parts.length);
  });
});
