import { describe, expect, it } from "vitest";
import {
  familyOf,
  groupDuplicates,
  groupTopics,
  type StaleNote,
} from "../../../src/observations/compaction/stale-groups.ts";

let next = 0;
function note(parts: Partial<StaleNote> = {}): StaleNote {
  next += 1;
  return {
    id: next,
    createdAt: next,
    place: "p",
    type: "manual",
    topicKey: null,
    factHash: "f",
    isLiving: false,
    isStanding: false,
    ...parts,
  };
}

const ids = (notes: readonly StaleNote[]) => notes.map(({ id }) => id);

describe("groupDuplicates", () => {
  it("tells apart what is filed as something else", () => {
    expect(groupDuplicates([note({ type: "bugfix" }), note({ type: "decision" })])).toEqual([]);
  });

  it("keeps the newest by real time, whatever its id", () => {
    const [late, early, middle] = [note({ createdAt: 900 }), note({ createdAt: 100 }), note({ createdAt: 500 })];
    const groups = groupDuplicates([late, early, middle]);
    expect(groups.map(({ kept, copies }) => [kept.id, ids(copies)])).toEqual([[late.id, [early.id, middle.id]]]);
  });

  it("keeps apart what belongs to other places or says something else", () => {
    expect(groupDuplicates([note(), note({ place: "P" }), note({ factHash: "g" })])).toEqual([]);
  });

  it("keeps one row of each topic, and rows without a topic for none", () => {
    const [plain, first, second, again] = [
      note(),
      note({ topicKey: "a/x" }),
      note({ topicKey: "a/y" }),
      note({ topicKey: "a/x" }),
    ];
    const newest = note();
    const groups = groupDuplicates([plain, first, second, again, newest]);
    expect(groups.map(({ kept, copies }) => [kept.id, ids(copies)])).toEqual([
      [again.id, [plain.id, first.id, newest.id]],
    ]);
  });

  it("lets a living row stay, also as the one that is kept", () => {
    const [old, living, newest] = [note(), note({ isLiving: true }), note()];
    expect(groupDuplicates([old, living, newest]).map(({ kept, copies }) => [kept.id, ids(copies)])).toEqual([
      [newest.id, [old.id]],
    ]);
    const last = note({ isLiving: true });
    expect(groupDuplicates([old, last])[0]?.kept.id).toBe(last.id);
  });
});

describe("groupTopics", () => {
  it.each([
    ["sdd/payments/spec", "sdd/payments"],
    ["bug/login", "bug"],
    ["notes", "notes"],
    ["/x", "/x"],
  ])("%s is of the family %s", (key, family) => {
    expect(familyOf(key)).toBe(family);
  });

  it("takes families of three or more, without living rows", () => {
    const family = ["a/x", "a/y", "a/z"].map((topicKey) => note({ topicKey }));
    const others = [
      note({ topicKey: "b/x" }),
      note({ topicKey: "b/y" }),
      note({ topicKey: "b/z", isLiving: true }),
      note(),
    ];
    const same = [note({ topicKey: "k" }), note({ topicKey: "k" }), note({ topicKey: "k" })];
    const elsewhere = note({ topicKey: "a/w", place: "q" });
    const groups = groupTopics([...family, ...others, ...same, elsewhere], []);
    expect(groups.map((group) => [group.family, ids(group.members.map((member) => member.note))])).toEqual([
      ["a", ids(family)],
      ["k", ids(same)],
    ]);
  });

  it("takes copies along, once, and counts none of them", () => {
    const rows = [note({ topicKey: "a/x" }), note({ topicKey: "a/x" }), note({ topicKey: "a/y", factHash: "g" })];
    const duplicates = groupDuplicates(rows);
    expect(groupTopics(rows, duplicates)).toEqual([]);
    const more = [...rows, note({ topicKey: "a/z", factHash: "h" })];
    const [group] = groupTopics(more, groupDuplicates(more));
    expect(group?.members.map((member) => [member.note.id, ids(member.copies)])).toEqual([
      [rows[1]?.id, [rows[0]?.id]],
      [rows[2]?.id, []],
      [more[3]?.id, []],
    ]);
  });

  it("parts a family of more than 200 evenly", () => {
    const rows = Array.from({ length: 401 }, (_, i) => note({ topicKey: "a/x", factHash: `${i}` }));
    expect(groupTopics(rows, []).map(({ members }) => members.length)).toEqual([134, 134, 133]);
  });

  it("are no families of a type: what bugs have in common is to be bugs", () => {
    const bugs = ["bug/rounding", "bug/lost-lock", "bug/slow-login"].map((topicKey) =>
      note({ topicKey, type: "bugfix" }),
    );
    const plans = ["config/a", "config/b", "config/c"].map((topicKey) => note({ topicKey, type: "config" }));
    const keyed = [1, 2, 3].map((at) => note({ topicKey: "config", factHash: `${at}` }));
    const deeper = ["bug/login/a", "bug/login/b", "bug/login/c"].map((topicKey) => note({ topicKey, type: "bugfix" }));
    const groups = groupTopics([...bugs, ...plans, ...keyed, ...deeper], []);
    expect(groups.map(({ family, members }) => [family, members.map((member) => member.note.id)])).toEqual([
      ["config", ids(keyed)],
      ["bug/login", ids(deeper)],
    ]);
  });

  it("leave rules and preferences alone", () => {
    const rows = ["a/x", "a/y", "a/z"].map((topicKey) => note({ topicKey }));
    const rule = note({ topicKey: "a/rule", isStanding: true });
    expect(groupTopics([...rows, rule], []).map(({ members }) => members.length)).toEqual([3]);
  });
});
