// Which names of an answer the input has, in whatever spelling, and what becomes of those that it lacks.
import { describe, expect, it } from "vitest";
import { assistant, pair, user } from "../conversation/support.ts";
import { GOOD, outcomeOf, requestOf, summarizerBench } from "./session.ts";

describe("names that the input lacks", () => {
  it.each([
    ["a path", "the fix is in src/import/ghost_parser.ts"],
    ["a ticket", "it belongs to INC-99999"],
    ["a longer ticket", "it belongs to INC-404171"],
    ["a URL", "see https://wiki.example.com/ghost"],
    ["a commit", "committed as deadbee7"],
    ["a region", "deployed to us-west-4"],
    ["a number", "the run took 48213 rows"],
    ["a quantity", "the time-out is 4500 ms"],
    ["a version", "it needs Node 93"],
    ["an address", "mail went to boss@ghost.example"],
    ["a value", "minRetry=23 was set"],
    ["a host", "it runs on 10.99.3.7"],
    ["a UUID", "job 123e4567-e89b-42d3-a456-426614174999 ran"],
    ["a numbered host", "it went to ghost-7"],
    ["a class", "GhostService was rewritten"],
    ["an error code", "it failed with TS99999"],
    ["a command", "`npm run ghost` passed"],
    ["a word of code", "the `ghost` flag was set"],
    ["a route", "POST /ghost/rows answers"],
    ["a package", "@ghost/rows was added"],
    ["a time", "ghost: the job began at 14:05"],
  ])("are struck and counted: %s", async (_what, claim) => {
    const { summary } = await outcomeOf([`${GOOD}\n\n## Progress\n- After the repair ${claim} [1.9]`]);
    const line = summary?.text.split("\n").find((line) => line.startsWith("- After the repair"));
    expect(line).toContain("[unverified]");
    expect(summary?.doubts?.length).toBeGreaterThan(0);
    // What is no number is nobody's name: it does not stand there any more.
    expect(summary?.text).not.toMatch(/ghost[^ :]|[Gg]hostS|[-S]99999|404171|deadbee7|us-west-4|10\.99|174999/);
  });

  it("take the line with them only when nothing else is left of it", async () => {
    const { summary } = await outcomeOf([
      GOOD.replace("## Commands", "- src/import/ghost.ts: rewritten [1.6]\n- src/import/ghost.ts [1.6]\n\n## Commands"),
    ]);
    expect(summary?.text.match(/\[unverified\]/g)).toHaveLength(1);
    expect(summary?.text).toContain("- [unverified]: rewritten [1.6]");
    expect(summary?.doubts).toHaveLength(2);
    expect(summary?.doubts?.[0]).toMatchObject({ kind: "name", text: "src/import/ghost.ts" });
  });

  it("keep a line number that is wrong, with a mark", async () => {
    const { summary } = await outcomeOf([`${GOOD}\n\n## Progress\n- The fault was in src/import/rows.ts:981 [1.6]`]);
    expect(summary?.text).toContain("The fault was in src/import/rows.ts:981 [unverified] [1.6]");
    expect(summary?.doubts).toMatchObject([{ kind: "claim", text: "src/import/rows.ts:981" }]);
  });

  it("are none when the input writes them otherwise", async () => {
    const request = requestOf([
      user("The limit is 128,000 tokens, deadline 2031-04-17 06:30 UTC, host db on port 5432. Reviewer: Dana Kim."),
      assistant("parse(line) changed in commit 4f2a9c1d8e77 on Node.js 20. It saves 12.5 %."),
    ]);
    const answer = `## Goals\n- Limit 128000 tokens by 17 April 2031; db:5432 [1.1]\n\n## Progress\n- \`parse()\` changed in 4f2a9c1 on node 20, Node.js, 12.5 % saved; Dana Kim reviews [1.2]`;
    const { summarizer } = summarizerBench([answer]);
    const summary = await summarizer.summarize(request);
    expect(summary.text).not.toContain("unverified");
    expect(summary.doubts).toBeUndefined();
  });

  it.each([
    ["src/core/auth/session-store.ts line 12", "session-store.ts:12"],
    ['File "src/core/auth/store.py", line 12, in run', "src/core/auth/store.py:12"],
    ["src/a/file.ts(12,5): error TS2345", "TS2345 at src/a/file.ts:12"],
    ["src/a/file.ts:12:5 TS2345", "TS2345 at src/a/file.ts(12,5)"],
    ["src/a.ts\n    11→const a = 1;\n    12→const b = 2;", "src/a.ts:12"],
    ["src/a.ts\n@@ -10,7 +12,9 @@ const a", "src/a.ts:12"],
    ["lines 10 to 25 of src/a.ts", "src/a.ts:10-25"],
    ["C:\\proj\\src\\a\\file.ts", "src/a/file.ts"],
    ["src/a/file.ts", "src\\a\\file.ts"],
    ['{"path":"C:\\\\proj\\\\file.ts"}', "C:\\proj\\file.ts"],
    ["cwd /home/kim/app; src/a/file.ts", "/home/kim/app/src/a/file.ts"],
    ["src/very/long/name/file.ts", "src/.../file.ts"],
    ["PR 1234 was merged", "PR #1234"],
    ["INC-40417", "INC 40417, inc-40417"],
    ["error TS-2345", "TS2345"],
    ["issue 1234 of acme/web", "acme/web#1234"],
    ["exit code 137, status 503", "exited with 137, HTTP 503"],
    ["node v20.19.1", "Node 20.19.1, Node 20"],
    ["1 500 000 rows and 128k tokens", "1500000 rows, 128,000 tokens"],
    ["the wait took 1500 ms, the heap 500 MB", "1.5 s and 0.5 GB"],
    ["table user_accounts, OrderService, DATABASE_URL", "userAccounts, `order_service`, `databaseUrl`"],
    ["@acme/ui-kit in version 3.4.1", "@acme/ui-kit@3.4.1"],
    ["npx vitest run test/rows.test.ts --reporter=dot", "`vitest run test/rows.test.ts`"],
    ["deployed to staging-7 at 14:05", "staging 7 and staging-7, 14:05"],
    ["GET http://localhost:8080/api/v1/users/", "GET /api/v1/users"],
  ])("are none in another spelling: %j is %j", async (input, said) => {
    const request = requestOf([user("Look at it."), ...pair(["a"], input, "run_command", { command: "show" })]);
    const { summarizer } = summarizerBench([`## Goals\n- Look at it [1.1]\n\n## Progress\n- Seen: ${said} [1.3]`]);
    const summary = await summarizer.summarize(request);
    expect(summary.text).toContain(`Seen: ${said} [1.3]`);
    expect(summary.doubts).toBeUndefined();
  });

  it("are not words of another language that stand like code", async () => {
    const { summary } = await outcomeOf([`${GOOD}\n\n## Progress\n- Estado: \`não iniciado\`, \`未着手\` [1.9]`]);
    expect(summary?.text).toContain("`não iniciado`, `未着手`");
    expect(summary?.doubts).toBeUndefined();
  });

  it("may come from the note, the earlier summary and the ledger", async () => {
    const { summary } = await outcomeOf([`${GOOD}\n\n## Progress\n- Look at INC-777, src/old/a.ts and 9443 [1.1]`], {
      note: "keep INC-777",
      previous: "- src/old/a.ts [1.1]\n- port 9443 [1.1]",
    });
    expect(summary?.text).toContain("INC-777, src/old/a.ts and 9443");
  });

  it("are none for three hundred files of one folder, told by another system", async () => {
    const files = Array.from({ length: 300 }, (_, n) => `src\\summarizers\\part${n}\\file${n}.ts`);
    const messages = [user("Look at it."), ...pair(["a"], files.join("\n"), "list_files", { path: "." })];
    const request = requestOf(messages, { maxTokens: 20_000 });
    const said = files.map((file) => `- ${file.replaceAll("\\", "/")}: looked at [1.3]`);
    const { summarizer } = summarizerBench([`## Files read\n${said.join("\n")}`]);
    const summary = await summarizer.summarize(request);
    expect(summary.doubts).toBeUndefined();
  });
});
