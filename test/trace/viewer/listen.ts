// A browser tab that is open at the viewer: reads its live events.

export interface LiveEvent extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

export interface Listening {
  /** All so far, the greeting first. */
  readonly events: readonly LiveEvent[];
  readonly heartbeats: number;
  /** Rejects when it has not come true after some seconds. */
  until(isThere: (events: readonly LiveEvent[]) => boolean): Promise<void>;
  close(): void;
}

const PATIENCE_MS = 10_000;

/** Resolves when the greeting is there. */
export async function listen(url: string): Promise<Listening> {
  const stop = new AbortController();
  const events: LiveEvent[] = [];
  let heartbeats = 0;
  let wake = (): void => {};
  const response = await fetch(url, { signal: stop.signal });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        if (message.startsWith("data: ")) events.push(JSON.parse(message.slice(6)) as LiveEvent);
        else heartbeats++;
      }
      wake();
    }
  };
  void read().catch(() => {});
  const until: Listening["until"] = async (isThere) => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!isThere(events)) {
      if (performance.now() > deadline) throw new Error(`Still waiting, with ${events.length} events`);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, 100);
      });
    }
  };
  await until(() => events.length > 0);
  return {
    events,
    get heartbeats() {
      return heartbeats;
    },
    until,
    close: () => stop.abort(),
  };
}
