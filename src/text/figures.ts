// Numbers in sentences: `1,204 rows` on a screen, `1204 rows` in a text that a model or a program reads.

/** `1,204`, with three decimals at most. By hand: the tables of a locale take longer to open than most commands run. */
export function figure(value: number): string {
  const [whole = "", decimals] = String(Math.round(value * 1000) / 1000).split(".");
  const grouped = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** For a person: `1,204 rows`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${figure(count)} ${count === 1 ? noun : many}`;
}

/** For a model or a program: `1204 rows`. */
export function plainPlural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
