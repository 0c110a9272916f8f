// Who may call a decision server, as the environment says it. A fault never shows a token.
import { describe, expect, it } from "vitest";
import { readCstpTokens } from "../../src/config/variables.ts";

const SECRET = "3f9a0b7c1d2e4f5a6b7c8d9e0f1a2b3c";
const read = (CSTP_AUTH_TOKENS?: string) => readCstpTokens({ CSTP_AUTH_TOKENS });

it("are none where nothing is set", () => {
  expect(read()).toBeUndefined();
  expect(readCstpTokens({})).toBeUndefined();
});

it.each([
  [`ada:${SECRET}`, [[SECRET, "ada"]]],
  [
    `ada:${SECRET},bob:other`,
    [
      [SECRET, "ada"],
      ["other", "bob"],
    ],
  ],
  [
    ` ada : ${SECRET} ,\n bob:other `,
    [
      [SECRET, "ada"],
      ["other", "bob"],
    ],
  ],
  ["build-agent_2@home:a:b=c", [["a:b=c", "build-agent_2@home"]]],
])("are read from %j", (written, expected) => {
  expect([...(read(written) ?? [])]).toEqual(expected);
});

describe("what cannot be read closes the server", () => {
  it.each([
    ["", "is empty"],
    ["  ", "is empty"],
    [SECRET, "has no colon in entry 1"],
    [`ada:${SECRET},${SECRET}x`, "has no colon in entry 2"],
    [`ada:${SECRET},`, "has nothing in entry 2"],
    [`ada:${SECRET},,bob:x`, "has nothing in entry 2"],
    [`:${SECRET}`, "has no name of an agent in entry 1"],
    [`a b:${SECRET}`, "has no name of an agent in entry 1"],
    [`${"a".repeat(101)}:${SECRET}`, "has no name of an agent in entry 1"],
    ["ada:", "has no token that a header takes in entry 1"],
    [`ada:${SECRET} ${SECRET}`, "has no token that a header takes in entry 1"],
    [`ada:${SECRET}\u00e9`, "has no token that a header takes in entry 1"],
    [`ada:${SECRET},bob:${SECRET}`, "gives one token twice, the second time in entry 2"],
    [`ada:${SECRET},bob:x,ada:y`, "names one agent twice, the second time in entry 3"],
  ])("%j", (written, fault) => {
    try {
      read(written);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ kind: "InvalidConfig", code: "INVALID_CSTP_TOKENS" });
      const { message } = error as Error;
      expect(message).toBe(`The environment variable CSTP_AUTH_TOKENS ${fault}.`);
      expect(JSON.stringify([message, error])).not.toContain(SECRET);
    }
  });
});
