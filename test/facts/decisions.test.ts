import { describe, expect, it } from "vitest";
import { extractDecisions, mergeDecisions } from "../../src/facts/kinds/decisions.ts";
import { calling, printed, said } from "./spoken-messages.ts";

const decided = (author: "user" | "assistant", text: string) => extractDecisions(said([[author, text]]));

const BY_ASSISTANT = [
  "I'll use SQLite instead of Postgres because the tool runs on one machine.",
  "Decision: keep the old endpoint for one release.",
  "I chose a ring buffer to avoid reallocations.",
  "Going with the second layout.",
  "I decided to split the parser in two.",
  "We'll go with a queue, since the writes come in bursts.",
  "I'll modify the reader to use streams instead of buffers, so that it fits into memory.",
  "Instead of patching every caller, I'll change the default.",
  "Let me pass a function rather than a string.",
  "I've decided against a cache.",
  "I'm going with plain text over JSON.",
  "I'll keep the id in the header so that old clients still work.",
  "I need to use the shared clock instead of the local one.",
  "We will use one table because joins are slow here.",
  "Decided to keep the cache in memory.",
  "I ended up using a worker because the main thread blocked.",
];

const BY_USER = [
  "let's go with option 2",
  "use Redis because we already run it",
  "we'll keep the old format",
  "I prefer tabs",
  "ok, let's use the second design",
  "let's store it in the metadata",
  "go with the smaller one",
  "I'd rather ship without it",
  "let's drop the legacy mode",
  "use a set instead of a list",
  "yes, let's keep both",
  "we'll use one certificate for each host",
  "I would prefer a single file",
  "let's call it ledger",
  "let's stick with version 3",
];

const NONE_BY_ASSISTANT = [
  "I also updated the script to call run() instead of walk() to avoid the warning.",
  "Good, because this keeps the old behaviour rather than rewriting it.",
  "I understand that you want dates instead of numbers to get a better order.",
  "We read the header instead of the body when paging, which keeps it fast.",
  "Decision: each part has three fields:",
  "Document why we chose the queue.",
  "I'll update the test to expect a map instead of a list.",
  "Changed the loop to compare by id instead of by name.",
  "Let me simplify the loop since the total is known.",
  "Let me read the file.",
  "Now I'll run the tests.",
  "I'll use the search tool to find the callers.",
  "probably the CLI has no --force flag",
  "The test fails because it expects the old name.",
  "It creates a new row instead of updating the old one.",
  "Would you like me to use SQLite instead of Postgres?",
  "We could use a queue instead of a table.",
  "If you prefer, I can keep the old format.",
  "I'll start with the parser since it is the smallest.",
  "Let me check the config first because it may be stale.",
  "All tests pass now.",
  "The function returns null instead of throwing an error.",
  "Maybe we should use a set instead of a list.",
  "I'll keep this in mind.",
  "The choice is yours.",
  "It failed until I set the limit to 3.",
];

const NONE_BY_USER = [
  "I'd prefer a flight that departs after eight.",
  "I'm cancelling because my plans changed.",
  "let's start with the parser",
  "use time.now() for the clock",
  "can you use SQLite instead of Postgres?",
  "should we go with option 2?",
  "fix the failing tests",
  "why did you use a list instead of a set?",
  "it shows 5 instead of 7",
  "let's see",
  "let's go",
  "the build fails because of a typo",
  "I don't know which one",
  "what would you prefer?",
  "thanks, that works",
  "run it again",
  "I'd prefer not to wait",
  "do you prefer tabs?",
  "add a test since there is none",
];

describe("sentences that are decisions", () => {
  it.each(BY_ASSISTANT)("assistant: %s", (text) => {
    expect(decided("assistant", text)).toMatchObject([{ text, by: "assistant" }]);
  });
  it.each(BY_USER)("user: %s", (text) => {
    expect(decided("user", text)).toMatchObject([{ text, by: "user" }]);
  });
});

describe("sentences that are none", () => {
  it.each(NONE_BY_ASSISTANT)("assistant: %s", (text) => {
    expect(decided("assistant", text)).toEqual([]);
  });
  it.each(NONE_BY_USER)("user: %s", (text) => {
    expect(decided("user", text)).toEqual([]);
  });
});

describe("other languages", () => {
  it.each([
    ["assistant", "Usaré SQLite en lugar de Postgres porque es más simple.", "Postgres", "es más simple"],
    ["user", "vamos con la segunda opción", undefined, undefined],
    ["assistant", "Vou usar SQLite em vez de Postgres porque é mais simples.", "Postgres", "é mais simples"],
    ["user", "vamos ficar com o formato antigo", undefined, undefined],
    ["assistant", "Ich verwende SQLite statt Postgres, weil es einfacher ist.", "Postgres", "es einfacher ist"],
    ["user", "nehmen wir die zweite Variante", undefined, undefined],
    [
      "assistant",
      "Je vais utiliser SQLite au lieu de Postgres parce que c'est plus simple.",
      "Postgres",
      "c'est plus simple",
    ],
    ["user", "on garde l'ancien format", undefined, undefined],
    ["assistant", "我决定使用 SQLite 而不是 Postgres，因为它更简单。", "Postgres", "它更简单"],
    ["user", "就用第二个方案", undefined, undefined],
    ["assistant", "Postgresの代わりにSQLiteを使います。", "Postgres", undefined],
    ["user", "二番目の案にしましょう", undefined, undefined],
  ] as const)("%s: %s", (author, text, alternative, rationale) => {
    const [decision] = decided(author, text);
    expect(decision?.text).toBe(text);
    expect(decision?.alternatives).toEqual(alternative === undefined ? [] : [alternative]);
    expect(decision?.rationale).toBe(rationale);
  });

  it.each([
    "Voy a leer el archivo.",
    "Vou rodar os testes.",
    "Ich werde die Tests ausführen.",
    "Je vais lire le fichier.",
    "我来看一下文件。",
    "ファイルを確認します。",
  ])("none: %s", (text) => {
    expect(decided("assistant", text)).toEqual([]);
  });
});

describe("why, and over what", () => {
  it.each([
    ["I'll use a queue instead of src/poll.ts because polling drops events.", ["src/poll.ts"], "polling drops events"],
    ["I'll use `open()` rather than `read()`, to avoid a copy.", ["`read()`"], "to avoid a copy"],
    ["We went with gRPC over REST since clients stream.", ["REST"], "clients stream"],
    ["I chose gRPC over REST since the clients stream.", ["REST"], "the clients stream"],
    ["Instead of a lock, I'll use one writer.", ["a lock"], undefined],
  ])("%s", (text, alternatives, rationale) => {
    const [decision] = decided("assistant", text);
    expect(decision?.alternatives).toEqual(alternatives);
    expect(decision?.rationale).toBe(rationale);
  });

  it("takes the reason from the next sentence", () => {
    const [decision] = decided("assistant", "I decided to keep the old name. This avoids a breaking change.");
    expect(decision?.rationale).toBe("This avoids a breaking change.");
  });
});

describe("options and proposals", () => {
  const offer = "Two ways:\n\n1. **Keep** the old store\n2. Move to one file\n3. Both\n\nWhich one?";

  it.each(["2", "option 2", "yes do option 2", "let's go with option 2, it is simpler", "2."])("%s", (answer) => {
    expect(
      extractDecisions(
        said([
          ["assistant", offer],
          ["user", answer],
        ]),
      ),
    ).toMatchObject([{ text: "option 2: Move to one file", by: "user", alternatives: ["Keep the old store", "Both"] }]);
  });

  it("reads letters, and options told on the line below", () => {
    const text = "**Option A**\nOne lock for all\n\n**Option B**:\nOne lock each";
    expect(
      extractDecisions(
        said([
          ["assistant", text],
          ["user", "option B"],
        ]),
      ),
    ).toMatchObject([{ text: "option B: One lock each", alternatives: ["One lock for all"] }]);
    const lettered = "A) One lock for all\nB) One lock each";
    expect(
      extractDecisions(
        said([
          ["assistant", lettered],
          ["user", "B"],
        ]),
      ),
    ).toMatchObject([{ text: "option B: One lock each" }]);
  });

  it("takes the words of an option from the lines below its label, and no answer to a why for a choice", () => {
    const offer = "**Option 1**:\n- From: Here\n- At: 9:40\n\n**Option 2**:\n- From: Here\n- At: 11:10";
    const why = "What is the reason for this?\n1. Lost\n2. Broken";
    const answered = (text: string) =>
      extractDecisions(
        said([
          ["assistant", text],
          ["user", "2"],
        ]),
      );
    expect(answered(offer)).toMatchObject([{ text: "option 2: From: Here; At: 11:10" }]);
    expect(answered(why)).toEqual([]);
  });

  it("takes a number for no choice where nothing was offered, or was asked about", () => {
    expect(
      extractDecisions(
        said([
          ["assistant", "How many?"],
          ["user", "2"],
        ]),
      ),
    ).toEqual([]);
    expect(
      extractDecisions(
        said([
          ["assistant", offer],
          ["user", "what would option 2 cost?"],
        ]),
      ),
    ).toEqual([]);
    expect(
      extractDecisions(
        said([
          ["assistant", offer],
          ["user", "2 tests fail"],
        ]),
      ),
    ).toEqual([]);
  });

  it("makes an approved recommendation the user's decision, and an unapproved one none", () => {
    const text = "There are two ways. I'd recommend one worker per host because it is simpler. Shall I?";
    expect(
      extractDecisions(
        said([
          ["assistant", text],
          ["user", "yes"],
        ]),
      ),
    ).toMatchObject([
      { text: "I'd recommend one worker per host because it is simpler.", by: "user", rationale: "it is simpler" },
    ]);
    expect(
      extractDecisions(
        said([
          ["assistant", text],
          ["user", "no"],
        ]),
      ),
    ).toEqual([]);
    expect(extractDecisions(said([["assistant", text]]))).toEqual([]);
  });

  it("takes what was only weighed as decided when doing follows", () => {
    const text = "The simplest fix is to merge both tests.";
    expect(decided("assistant", text)).toEqual([]);
    expect(extractDecisions([calling(text, "edit_file", { path: "a.ts" }, 1)])).toMatchObject([{ text }]);
  });
});

describe("surroundings", () => {
  it("names what was looked at before and written after, three at most", () => {
    const messages = [
      calling("", "read_file", { path: "src/old.ts" }, 1),
      calling("", "bash", { command: "npm test\necho done" }, 2),
      calling("I'll use a map instead of a list.", "edit_file", { path: "src/a.ts", old_str: "x", new_str: "y" }, 3),
      printed("ok", 4),
      calling("", "write_file", { path: "src/b.ts", content: "z" }, 5),
    ];
    expect(extractDecisions(messages)).toMatchObject([
      { inputs: ["src/old.ts", "npm test"], outputs: ["src/a.ts", "src/b.ts"] },
    ]);
  });

  it("takes nothing from what a tool printed or a host wrote", () => {
    const text = "Decision: use SQLite instead of Postgres because it is small.";
    expect(extractDecisions([printed(text, 1)])).toEqual([]);
    expect(
      extractDecisions(
        said([
          ["host", text],
          ["system", text],
        ]),
      ),
    ).toEqual([]);
  });
});

describe("over rounds", () => {
  const round = (text: string, step: number) => extractDecisions(said([["assistant", text]], step));
  const current = (texts: readonly string[]) =>
    texts
      .map((text, index) => round(text, index + 1))
      .reduce((known, next) => mergeDecisions(known, next), [])
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map(({ text }) => text);

  it.each([
    ["I decided to use Redis.", "I decided to use Memcached instead of Redis."],
    ["I decided to use Redis for the cache.", "I decided to use Memcached for the cache."],
    ["Decision: the port is 8443.", "Decision: the port is now 9443."],
  ])("%s is replaced by %s", (older, newer) => {
    expect(current([older, newer])).toEqual([newer]);
  });

  it.each([
    ["I decided to use Redis for the cache.", "I decided to use Postgres for the log."],
    ["Decision: port 8443 is for metrics.", "Decision: port 8444 is for health."],
    ["I decided to keep src/a.ts.", "I decided to keep src/b.ts."],
    ["I'll call `append` for the log, to avoid a copy.", "I'll use `queue` instead of `append` on the socket."],
  ])("%s and %s both stand", (older, newer) => {
    expect(current([older, newer])).toContain(newer);
    expect(current([older, newer]).length + (older.startsWith("I'll call") ? 1 : 0)).toBe(2);
  });

  it("keeps the order, and a repeat once", () => {
    const texts = ["I decided to split the parser.", "I decided to drop the cache.", "I decided to split the parser!"];
    expect(current(texts)).toEqual(texts.slice(0, 2));
  });
});

describe("hostile text", () => {
  it.each([
    "instead of ",
    "I'll use a ",
    "because ",
    "1. x\n",
    "the fix is to ",
    "since a, ",
    "の代わりに",
    "因为",
    "over ",
    "let's use ",
  ])("%j a hundred thousand times", (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    for (const author of ["user", "assistant"] as const)
      expect(
        extractDecisions(
          said([
            [author, text],
            ["user", "2"],
          ]),
        ).length,
      ).toBeLessThan(120_000);
  });
});
