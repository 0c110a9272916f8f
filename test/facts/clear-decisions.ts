// Forty choices that were made, in wordings written before the cue lists were tuned, each said as it would be in a
// session: what a colleague would write into the log.
import type { SpokenText } from "../../src/facts/fact-message.ts";

export type Said = readonly [author: SpokenText["author"], text: string];

/** The last text holds the choice. */
export interface ClearDecision {
  readonly said: readonly Said[];
}

const ask = "How should we do this?";
const assistant = (text: string): ClearDecision => ({
  said: [
    ["user", ask],
    ["assistant", text],
  ],
});
const user = (text: string): ClearDecision => ({ said: [["user", text]] });

export const CLEAR_DECISIONS: readonly ClearDecision[] = [
  // Coding
  assistant("I went with SQLite rather than Postgres because the tool has to run without a server."),
  assistant("Decision: keep the parser synchronous; an async one would triple the surface for no measurable gain."),
  assistant("I've decided to split the router into two files so that each can be tested alone."),
  assistant("After weighing both, I'm choosing cursor pagination over offsets."),
  assistant("We'll stick with REST for now, since the client has no GraphQL support."),
  assistant("I opted for a feature flag instead of a long-lived branch."),
  assistant("Rather than patching the vendor library, I wrapped it in an adapter."),
  assistant("I dropped the retry queue in favour of a simple backoff, as the queue hid real failures."),
  assistant("The cleanest option is the second one, so that is what I implemented: a queue per tenant."),
  assistant("I ended up using a read-write lock because a plain mutex starved the readers."),
  user("Let's go with option B, the event log."),
  user("OK, we're using Redis for the sessions, not Memcached."),
  user("I've made up my mind: we drop Windows support."),
  user("We agreed to ship without the export feature."),
  user("Let's not migrate the old rows; we start with an empty table."),
  user("Forget Kafka, we'll take NATS instead."),
  user("The team settled on trunk-based development."),
  user("Go for the smaller instance, the big one is too expensive."),
  // Operations
  assistant("I'm rolling back to 4.2 instead of hot-fixing 4.3, because the fix needs a schema change."),
  assistant("We chose blue-green over canary because sessions are sticky."),
  assistant("I kept the old certificate in place since the new one does not cover the wildcard."),
  user("We decided to move the backups to Frankfurt."),
  user("Let's postpone the cut-over until after the audit."),
  assistant("I decided against restarting the broker: it would drop the unacknowledged messages."),
  // Research
  assistant("I excluded the 2009 survey from the sample because its questions changed half-way."),
  assistant("For the main analysis I use the median rather than the mean, since two outliers dominate."),
  user("We'll limit the review to papers after 2015."),
  user("I'd rather have the narrow definition, so use that one."),
  // Support
  user("I'll take the 9:40 flight."),
  user("I have decided to cancel the order and get a refund to my card."),
  user("Let's do the exchange rather than the refund."),
  user("I would prefer to keep the blue one."),
  // Other languages
  user("Wir haben uns für Hetzner entschieden."),
  assistant("Ich habe mich für eine Warteschlange statt eines Cronjobs entschieden, weil sie Wiederholungen kann."),
  user("Hemos decidido usar Terraform en lugar de Pulumi."),
  assistant("J'ai choisi SQLite plutôt que Postgres parce qu'aucun serveur n'est disponible."),
  user("Decidimos adiar a migração para março."),
  user("我们决定用 Redis,不用 Memcached。"),
  assistant("考虑到性能,我选择了流式解析而不是一次性读取。"),
  user("データベースは Postgres に決めました。"),
];
