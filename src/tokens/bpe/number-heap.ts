// A binary heap of numbers, smallest first, in one typed array.

export interface NumberHeap {
  /** Adds without ordering: `order` must follow before anything else. */
  add(value: number): void;
  order(): void;
  push(value: number): void;
  /** The smallest value; -1 when there is none (values are not negative). */
  pop(): number;
  clear(): void;
}

export function createNumberHeap(): NumberHeap {
  let values = new Float64Array(256);
  let size = 0;

  function grow(): void {
    const larger = new Float64Array(2 * values.length);
    larger.set(values);
    values = larger;
  }

  function sink(from: number): void {
    const value = values[from] as number;
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && (values[child + 1] as number) < (values[child] as number)) child++;
      if ((values[child] as number) >= value) break;
      values[index] = values[child] as number;
      index = child;
    }
    values[index] = value;
  }

  return {
    add(value) {
      if (size === values.length) grow();
      values[size++] = value;
    },
    order() {
      for (let index = (size >> 1) - 1; index >= 0; index--) sink(index);
    },
    push(value) {
      if (size === values.length) grow();
      let index = size++;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if ((values[parent] as number) <= value) break;
        values[index] = values[parent] as number;
        index = parent;
      }
      values[index] = value;
    },
    pop() {
      if (size === 0) return -1;
      const top = values[0] as number;
      size--;
      if (size > 0) {
        values[0] = values[size] as number;
        sink(0);
      }
      return top;
    },
    clear() {
      size = 0;
    },
  };
}
