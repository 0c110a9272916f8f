// Numbers in sentences: `1,204 rows` on a screen, `1204 rows` in a text that a model or a program reads.

export function figure(value: number): string {
  return value.toLocaleString("en-US");
}

/** For a person: `1,204 rows`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${figure(count)} ${count === 1 ? noun : many}`;
}

/** For a model or a program: `1204 rows`. */
export function plainPlural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
