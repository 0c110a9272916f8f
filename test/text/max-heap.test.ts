import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HeapEntry, MaxHeap } from "../../src/text/max-heap.ts";

function drain<Item>(heap: MaxHeap<Item>): HeapEntry<Item>[] {
  const popped: HeapEntry<Item>[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) popped.push(next);
  return popped;
}

describe("a heap", () => {
  it("gives the most worth first, of equals the one that came first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 })), (worths) => {
        const entries = worths.map((worth, item) => ({ worth, item }));
        const sorted = [...entries].sort((a, b) => b.worth - a.worth || a.item - b.item);
        expect(drain(new MaxHeap(entries)).map(({ item }) => item)).toEqual(sorted.map(({ item }) => item));
      }),
    );
  });

  it("takes an entry back for less, behind its new equals", () => {
    const heap = new MaxHeap([
      { worth: 3, item: "a" },
      { worth: 2, item: "b" },
      { worth: 1, item: "c" },
    ]);
    expect(heap.pop()?.item).toBe("a");
    heap.push({ worth: 2, item: "a" });
    expect(heap.most()).toBe(2);
    expect(drain(heap).map(({ item }) => item)).toEqual(["b", "a", "c"]);
  });

  it("is worth nothing at all when it is empty", () => {
    const heap = new MaxHeap<string>([]);
    expect(heap.most()).toBe(Number.NEGATIVE_INFINITY);
    expect(heap.pop()).toBeUndefined();
  });
});
