// Lets the model of a cycle say of wordings that are near each other whether they are one principle. What it has said is kept
// beside the records and holds until the wordings are others.
import { doubtfulPairs, type Judged, judgedWordings, SAME_WORDINGS } from "../wisdom/merge-wordings.ts";
import type { Cycle } from "./apply-decision-compaction.ts";

/** Each cycle asks of so many at most. */
const MOST_ASKED = 12;
/** The latest answers that are kept. */
const MOST_KEPT = 2000;

/** A model that fails is asked no more; what it did not say, the next cycle asks. @throws the reason of an aborted `signal`. */
export async function judgeWordings({ log, lease, options: { texts, signal }, modelWatch }: Cycle): Promise<void> {
  if (texts?.isSame === undefined || modelWatch.isDown) return;
  const judged: Judged[] = [];
  for (const { keys, texts: both } of await log.read((reader) => doubtfulPairs(reader, MOST_ASKED))) {
    signal?.throwIfAborted();
    await lease.renew();
    try {
      const isSame = await texts.isSame(both, { signal });
      // An answer of no use would be the same the next time.
      judged.push([...keys, isSame === true]);
    } catch {
      signal?.throwIfAborted();
      break;
    }
  }
  if (judged.length === 0) return;
  await log.write(async (writer) => {
    await writer.setState(SAME_WORDINGS, [...(await judgedWordings(writer)), ...judged].slice(-MOST_KEPT));
  });
}
