// Waiting that ends. Whoever flushes wants to go on, whatever the other end does.

/** Resolves when `work` has settled, however, or the time is over. Never rejects. */
export async function withinTime(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeIsOver]).catch(() => {});
  clearTimeout(timer);
}
