// Message lists as a session that is compacted again and again makes them: some of the list before, repeats, new ones,
// and messages that look like what an archive itself could write.

export interface Random {
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error("nothing to pick from");
      return items[below(items.length)] as Item;
    },
  };
}

const ODD: readonly unknown[] = [
  { $archived: [1, 2] },
  { $message: { role: "user" } },
  { __proto__: null, role: "user", content: '\n\r\u2028{"n":1}\n' },
  ["agent-compact lines", 1],
  ["same", 1, 1, 1, 1],
  ["end", 1],
  "a bare text",
  null,
  [],
  0,
  { "": { "": [[[]]] }, content: "\ud800 \u0000 👩‍👩‍👧" },
];

export function randomLists(random: Random, count: number): readonly (readonly unknown[])[] {
  const lists: (readonly unknown[])[] = [];
  let list: readonly unknown[] = [];
  for (let n = 0; n < count; n++) {
    const kept = list.slice(0, random.below(list.length + 1));
    const repeated = list.length > 0 ? [random.pick(list)] : [];
    const added = Array.from({ length: random.below(20) }, (_, index) =>
      random.below(5) === 0
        ? random.pick(ODD)
        : { role: "user", content: `${n}.${index} ${"x".repeat(random.below(300))}` },
    );
    list = [...kept, ...repeated, ...added];
    lists.push(list);
  }
  return lists;
}
