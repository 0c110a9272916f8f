import { describe, expect, it } from "vitest";
import { createMemoryObservationStore } from "../../../src/observations/memory-observation-store.ts";
import { readImportedRows } from "../../../src/observations/transfer/read-rows.ts";
import { NOW } from "../rows.ts";
import { contents, dump, importText, lines, NOTHING_ADDED } from "./dump.ts";

const note = (content: string, more: object = {}) => ({ content, created_at: "2026-01-02 03:04:05", ...more });
const read = (text: string) => readImportedRows(text);
const texts = (text: string) => read(text).observations.map(({ row }) => row.content);

describe("the format of a text", () => {
  it.each([
    ["export", { version: "0.1.0", exported_at: "2026-01-01 00:00:00", sessions: [], observations: [], prompts: [] }],
    ["export", { sessions: [{ id: "s" }], observations: [{ id: 1, content: "a" }], prompts: [] }],
    ["export-lines", { lines: [{ type: "observation", row: note("a") }], next_cursor: null }],
    ["knowledge-graph", { entities: [{ name: "A", entityType: "x", observations: [] }], relations: [] }],
    ["knowledge-graph", { type: "entity", name: "A", entityType: "x", observations: ["f"] }],
    ["plain", note("a")],
    ["plain", [note("a"), note("b")]],
    ["plain", ["a", "b"]],
    ["plain", { memories: [note("a")], total: 1 }],
    ["plain", { data: { results: [{ id: "x", memory: "a" }] } }],
    ["knowledge-graph", { graph: { entities: [{ name: "A", entityType: "x", observations: [] }], relations: [] } }],
    ["knowledge-graph", { entities: { A: { entityType: "x", observations: ["f"] } } }],
  ])("is told by its content: %s", (format, value) => {
    expect(read(JSON.stringify(value)).format).toBe(format);
    expect(read(`\ufeff${JSON.stringify(value, null, 2).replaceAll("\n", "\r\n")}\r\n`).format).toBe(format);
  });

  it.each([
    "",
    "   ",
    "hello",
    "[]",
    "{}",
    "null",
    "[1, 2]",
    '{"a": 1}',
    '[{"content": ""}]',
    '{"observations": {"length": 2147483648}}',
  ])("is unknown for %j, and says what is taken", (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: "InvalidInput", code: "UNKNOWN_FORMAT" }));
  });

  it("is looked for inside of what wraps a list, and the texts of a bare one are memories", () => {
    expect(texts(JSON.stringify({ results: [note("a"), { id: 2 }, note("b")] }))).toEqual(["a", "b"]);
    expect(read(JSON.stringify({ results: [note("a"), { id: 2 }] })).skipped).toMatchObject([
      { reason: "no text", positions: ["results[1]"] },
    ]);
    expect(texts(JSON.stringify(["one", "two"]))).toEqual(["one", "two"]);
    expect(texts(JSON.stringify({ content: "mine", data: [note("other")] }))).toEqual(["mine"]);
  });

  it("may keep the words of an observation in another column", () => {
    const row = { id: 1, title: "t", narrative: "what was found", text: null, created_at: "2026-01-02 03:04:05" };
    expect(read(JSON.stringify({ observations: [row], sessions: [] }))).toMatchObject({
      observations: [{ row: { title: "t", content: "what was found" } }],
      skipped: [],
    });
  });

  it("can be asked for, and must be one then", () => {
    const graph = JSON.stringify({ type: "entity", name: "A", entityType: "x", observations: ["f"], content: "c" });
    expect(readImportedRows(graph, "plain").format).toBe("plain");
    expect(() => readImportedRows(graph, "export")).toThrow(/no export of a memory store/);
    expect(() => readImportedRows(graph, "csv")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("plain") }),
    );
  });
});

describe("a damaged text", () => {
  it("loses nothing but the damaged lines, which are named", () => {
    const text = [
      JSON.stringify(note("one")),
      '{"content": "two',
      "",
      JSON.stringify(note("three")),
      '{"content":"fo',
    ].join("\r\n");
    expect(texts(text)).toEqual(["one", "three"]);
    expect(read(text).skipped).toEqual([
      { reason: "not JSON", count: 1, positions: ["line 2"] },
      { reason: "the text is cut off here", count: 1, positions: ["line 5"] },
    ]);
  });

  it("names items without a text, and those that are too long", () => {
    const text = lines(note("fine"), { content: 5 }, 7, note("x".repeat(1_000_001)), note("y".repeat(1_000_000)));
    expect(texts(text).map((content) => content.length)).toEqual([4, 1_000_000]);
    expect(read(text).skipped).toEqual([
      { reason: "no text", count: 2, positions: ["line 2", "line 3"] },
      { reason: "content over 1,000,000 UTF-16 units", count: 1, positions: ["line 4"] },
    ]);
  });

  it("gives a short report of very many faults, and stops looking for more", () => {
    const faulty = (lines: number) =>
      `${JSON.stringify(note("fine"))}\n${"x\n".repeat(lines)}${JSON.stringify(note("last"))}`;
    expect(texts(faulty(1000))).toEqual(["fine", "last"]);
    expect(read(faulty(1000)).skipped).toMatchObject([{ count: 1000, positions: { length: 20 } }]);
    expect(texts(faulty(100_000))).toEqual(["fine"]);
    expect(read(faulty(100_000)).skipped.map(({ reason }) => reason)).toEqual([
      "not JSON",
      "not read, nor any line after it: too many before it are not JSON",
    ]);
  });

  it("counts its lines through, however long they are", () => {
    const long = JSON.stringify(note("x".repeat(50_000)));
    const text = lines(long, "{torn", long, note("short"), "", "{torn", long);
    expect(read(text).skipped).toEqual([{ reason: "not JSON", count: 2, positions: ["line 2", "line 6"] }]);
    expect(read(text).observations.map(({ position }) => position)).toEqual(["line 1", "line 3", "line 4", "line 7"]);
  });
});

describe("one JSON text that is cut off", () => {
  const rows = Array.from({ length: 6 }, (_, index) => note(`row ${index}`, { id: index + 1 }));
  const written = {
    "a row a line": `{"version":"0.1.0",\n"observations":[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n],\n"prompts":[]}`,
    indented: JSON.stringify({ observations: rows, prompts: [] }, null, 2),
    "one line": JSON.stringify({ observations: rows, prompts: [] }),
    "a list": JSON.stringify(rows),
    "a graph": JSON.stringify({ entities: [{ name: "A", entityType: "x", observations: ["f"] }], relations: [] }),
  };

  it.each(Object.entries(written))("is said to be so wherever it ends: %s", (_name, text) => {
    expect(read(text).observations.length).toBeGreaterThan(0);
    for (let end = 1; end < text.length; end += 3)
      expect(() => read(`\ufeff${text.slice(0, end)}`)).toThrow(
        expect.objectContaining({ kind: "InvalidInput", code: "TRUNCATED_JSON" }),
      );
  });

  it("is told from JSON Lines, and by the line it ends in", () => {
    expect(() => read('{"observations":[\n{"content":"a"},\n{"content":"b')).toThrow(
      /cut off in line 3, in the middle of a string/,
    );
    expect(() => read('{"observations":[\n{"content":"a"},\n')).toThrow(/cut off in line 2, in the middle of a list/);
    expect(texts('{"content":"two\n{"content":"three"}')).toEqual(["three"]);
    expect(texts('{"content":"one"}\n{"content":"tw')).toEqual(["one"]);
  });
});

describe("a field of a wrong type", () => {
  const reasons = (text: string) =>
    read(text).notes.map(({ reason, count, positions }) => `${reason}: ${count} ${positions.join()}`);
  const wrong = { title: 5, project: {}, session_id: 5, scope: [], topic_key: 1, revision_count: "x", type: false };

  it("is said by its name, in an export", () => {
    const observations = [note("a", { id: 1, ...wrong, tool_name: null }), note("b", { id: {}, title: [] })];
    const { row } = read(JSON.stringify({ observations })).observations[0] ?? {};
    expect(row).toMatchObject({ title: "", project: null, session_id: "manual-save", revision_count: 1 });
    expect(new Set(reasons(JSON.stringify({ observations })))).toEqual(
      new Set([
        "field of a wrong type: session_id: 1 observations[0]",
        "field of a wrong type: type: 1 observations[0]",
        "field of a wrong type: title: 2 observations[0],observations[1]",
        "field of a wrong type: project: 1 observations[0]",
        "field of a wrong type: scope: 1 observations[0]",
        "field of a wrong type: topic_key: 1 observations[0]",
        "field of a wrong type: revision_count: 1 observations[0]",
        "field of a wrong type: id: 1 observations[1]",
      ]),
    );
  });

  it("is said of sessions, prompts and relations", () => {
    const text = JSON.stringify({
      sessions: [{ id: "s", project: 5, directory: null, summary: {}, started_at: "2026-01-01" }],
      observations: [note("a", { id: 1 }), note("b", { id: 2 })],
      prompts: [{ id: 1, content: "go", project: 5, session_id: [], created_at: "2026-01-01" }],
      relations: [{ from_id: 1, to_id: 2, type: 5, note: {} }],
    });
    expect(new Set(reasons(text))).toEqual(
      new Set([
        "field of a wrong type: project: 2 sessions[0],prompts[0]",
        "field of a wrong type: summary: 1 sessions[0]",
        "field of a wrong type: session_id: 1 prompts[0]",
        "field of a wrong type: type: 1 relations[0]",
        "field of a wrong type: note: 1 relations[0]",
      ]),
    );
  });

  it("is said of plain objects and entities, not of one that is missing", () => {
    const { title, project, session_id } = wrong;
    const text = lines(
      note("a", { title, project, session_id, tags: ["x", 1] }),
      note("b", { title: null, tags: "x" }),
    );
    expect(new Set(reasons(text))).toEqual(
      new Set(["title", "project", "session_id", "tags"].map((name) => `field of a wrong type: ${name}: 1 line 1`)),
    );
    expect(reasons(JSON.stringify({ name: "A", entityType: 5, observations: ["f"] }))).toEqual([
      "field of a wrong type: entityType: 1 the file",
    ]);
  });
});

describe("a hostile text", () => {
  it("is read without being obeyed", async () => {
    const store = createMemoryObservationStore();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = `[{"content":"deep","nested":${deep}},
      {"content":"proto","__proto__":{"project":"evil","content":"evil"},"constructor":{"x":1}},
      {"__proto__":{"content":"inherited"}},
      {"content":"huge","id":9007199254740991,"revision_count":1e308,"created_at":1e308},
      {"content":"huge id","id":1e400},
      {"content":"half \\ud83d","title":"\\udc00","project":"a\\ud800b"}]`;
    await importText(store, text);
    const { observations } = await dump(store);
    expect(observations.map(({ id, content, project }) => [id, content, project])).toEqual([
      [1, "deep", null],
      [2, "proto", null],
      [3, "huge", null],
      [4, "huge id", null],
      [5, "half \ufffd", "a\ufffdb"],
    ]);
    expect(observations[2]).toMatchObject({ revision_count: 1 });
    expect(Object.keys(read(text).dropped_fields)).toContain("__proto__");
    expect(({} as Record<string, unknown>).project).toBeUndefined();
  });

  it("cannot fill the report with its field names", () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`f${index}\n\u001b[31m${"z".repeat(500)}`, 1]),
    );
    const fields = Object.keys(read(JSON.stringify([note("a", many)])).dropped_fields);
    expect(fields.length).toBeLessThanOrEqual(51);
    for (const field of fields) expect(field).toMatch(/^\P{Cc}{1,60}$/u);
  });

  it("cannot make the store run out of ids", async () => {
    const store = createMemoryObservationStore();
    const observation = { id: Number.MAX_SAFE_INTEGER, content: "a", created_at: "2026-01-01 00:00:00" };
    await importText(store, JSON.stringify({ observations: [observation], sessions: [] }));
    await importText(store, JSON.stringify([note("b")]));
    expect((await dump(store)).observations.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("cannot name a hash that is not its content's", () => {
    const forged = { content: "a", normalized_hash: "f".repeat(64), created_at: "2026-01-01 00:00:00" };
    const [imported] = read(JSON.stringify({ observations: [forged] })).observations;
    expect(imported?.row.normalized_hash).toBe(imported?.hash);
    expect(imported?.hash).not.toBe(forged.normalized_hash);
  });
});

describe("data exports of chats", () => {
  it("are sessions with what their user wrote, of ChatGPT along the branch that stands", () => {
    const node = (id: string, parent: string | null, role: string, text: string, more: object = {}) => ({
      [id]: {
        id,
        parent,
        message: {
          author: { role },
          content: { content_type: "text", parts: [text] },
          create_time: 1767323045,
          ...more,
        },
      },
    });
    const conversation = {
      id: "c-1",
      title: "Tides",
      create_time: 1767323045.5,
      update_time: 1767323099,
      current_node: "4",
      mapping: {
        root: { id: "root", parent: null, message: null },
        ...node("0", "root", "user", "profile", { metadata: { is_visually_hidden_from_conversation: true } }),
        ...node("1", "0", "user", "When is high tide?"),
        ...node("2", "1", "assistant", "At noon."),
        ...node("3", "2", "user", "And at nigth?"),
        ...node("4", "2", "user", "And at night?"),
      },
    };
    const { format, sessions, prompts } = read(JSON.stringify([conversation]));
    expect(format).toBe("chat-export");
    expect(sessions.map(({ row }) => row)).toEqual([
      {
        id: "c-1",
        project: "",
        directory: "",
        started_at: "2026-01-02 03:04:05",
        ended_at: "2026-01-02 03:04:59",
        summary: "Tides",
      },
    ]);
    expect(prompts.map(({ row }) => [row.session_id, row.content, row.created_at])).toEqual([
      ["c-1", "When is high tide?", "2026-01-02 03:04:05"],
      ["c-1", "And at night?", "2026-01-02 03:04:05"],
    ]);
  });

  it("are read of Claude, and imported once", async () => {
    const said = (sender: string, text: string) => ({ uuid: text, sender, text, created_at: "2026-01-02T03:04:05Z" });
    const text = JSON.stringify([
      {
        uuid: "u-1",
        name: "Berths",
        created_at: "2026-01-02T03:04:05Z",
        updated_at: "2026-01-02T04:04:05Z",
        chat_messages: [
          said("human", "Which berth is free? <private>Ada</private>"),
          said("assistant", "Number 7."),
          {
            sender: "human",
            text: "",
            content: [{ type: "text", text: "Thanks" }],
            created_at: "2026-01-02T03:05:00Z",
          },
        ],
      },
      { uuid: "u-2", name: "no messages" },
    ]);
    const store = createMemoryObservationStore();
    const report = await importText(store, text);
    expect(report).toMatchObject({ format: "chat-export", sessions: 1, prompts: 2 });
    expect(report.skipped).toEqual([{ reason: "no conversation", count: 1, positions: ["item 2"] }]);
    const { prompts } = await dump(store);
    expect(prompts.map(({ content }) => content)).toEqual(["Which berth is free? [REDACTED]", "Thanks"]);
    expect(await importText(store, text)).toMatchObject(NOTHING_ADDED);
  });
});

describe("plain objects", () => {
  it.each(["content", "text", "memory", "note", "body"])("have their text in %s", (field) => {
    expect(texts(JSON.stringify([{ [field]: "it" }]))).toEqual(["it"]);
  });

  it.each([
    [{ createdAt: 1767323045123 }],
    [{ created_at: 1767323045 }],
    [{ timestamp: "2026-01-02T03:04:05.999Z" }],
    [{ created_at: "2026-01-02T05:04:05+02:00" }],
    [{ created_at: "2026-01-02 03:04:05" }],
  ])("keep their time to the second: %j", (time) => {
    expect(read(JSON.stringify([{ text: "a", ...time }])).observations[0]?.row.created_at).toBe("2026-01-02 03:04:05");
  });

  it("keep what has a column; tags stand behind the title, others are counted", () => {
    const item = {
      id: "b373cb43-b9bd-41a5-86de-896d04aa8737",
      memory: "First line\nsecond",
      type: "decision",
      project: "shop",
      scope: "Personal",
      topic_key: "Design Choices",
      tags: ["a", "b"],
      weight: 1,
      updated_at: "2026-02-01",
      deleted_at: "2026-02-02",
      created_at: "2026-01-01",
    };
    const { observations, dropped_fields } = read(JSON.stringify([item]));
    expect(observations[0]).toMatchObject({
      id: undefined,
      row: {
        title: "First line [a, b]",
        content: "First line\nsecond",
        type: "decision",
        project: "shop",
        scope: "personal",
        topic_key: "design-choices",
        created_at: "2026-01-01 00:00:00",
        updated_at: "2026-02-01 00:00:00",
        deleted_at: "2026-02-02 00:00:00",
      },
    });
    expect(dropped_fields).toEqual({ weight: 1, "id (not a number that the store can keep)": 1 });
  });

  it("keep whose they are as a namespace, and a run or thread as their session", () => {
    const memory = { memory: "Likes tea", user_id: "ada", agent_id: "barista", run_id: "r-7", categories: ["drinks"] };
    const { observations, dropped_fields } = read(
      JSON.stringify({ results: [memory, { ...memory, namespace: "own" }] }),
    );
    expect(observations.map(({ row }) => [row.namespace, row.session_id, row.title])).toEqual([
      ["ada/barista", "r-7", "Likes tea [drinks]"],
      ["own", "r-7", "Likes tea [drinks]"],
    ]);
    expect(dropped_fields).toEqual({});
  });

  it("are facts of a graph, of which those that hold no more are deleted, and labelled blocks", () => {
    const edges = [
      { uuid: "e1", fact: "Ada lives in Porto", group_id: "ada", created_at: "2026-01-02", invalid_at: null },
      { uuid: "e2", fact: "Ada lives in Faro", group_id: "ada", created_at: "2026-01-01", invalid_at: "2026-01-02" },
    ];
    expect(read(JSON.stringify({ edges })).observations.map(({ row }) => [row.namespace, row.deleted_at])).toEqual([
      ["ada", null],
      ["ada", "2026-01-02 00:00:00"],
    ]);
    const blocks = [{ id: "block-1", label: "human", value: "Her name is Ada.", limit: 5000 }];
    const [block] = read(JSON.stringify({ blocks })).observations;
    expect([block?.row.title, block?.row.content]).toEqual(["human", "Her name is Ada."]);
  });

  it("are imported with the import's time where theirs cannot be read, which is said", async () => {
    const store = createMemoryObservationStore();
    const report = await importText(store, lines({ text: "a", timestamp: "yesterday" }, { text: "b" }), NOW);
    expect((await dump(store)).observations.map(({ created_at }) => created_at)).toEqual(
      Array(2).fill("2026-03-01 00:00:00"),
    );
    expect(report.notes).toContainEqual({
      reason: "no time of creation that can be read: the time of the import is taken",
      count: 2,
      positions: ["line 1", "line 2"],
    });
    expect(
      await importText(store, lines({ text: "a", timestamp: "yesterday" }, { text: "b" }), NOW + 1e9),
    ).toMatchObject({
      added: 0,
      unchanged: 2,
    });
  });

  it("do not bring private parts into the store", async () => {
    const store = createMemoryObservationStore();
    await importText(store, JSON.stringify([note("key <private>hunter2</private> kept")]));
    expect(await contents(store)).toEqual(["key [REDACTED] kept"]);
  });
});
