// The contract of every decision log: each adapter's test calls this with a way to open a fresh, empty log.
import { afterEach, beforeEach, describe } from "vitest";
import type { DecisionLog } from "../../src/decisions/decision-log.ts";
import { describeEvidence } from "./suite/evidence.ts";
import { describeKept } from "./suite/kept.ts";
import { describePages } from "./suite/pages.ts";
import { describeRandom } from "./suite/random.ts";
import { describeRecords } from "./suite/records.ts";
import type { OpenLog } from "./suite/sample-records.ts";
import { describeTransactions } from "./suite/transactions.ts";

export interface LogSuiteOptions {
  /** Random records that every answer is compared over. Default 500, 3,000 with PROPERTY_RUNS; fewer where a record is a file. */
  readonly records?: number;
}

const RECORDS = process.env.PROPERTY_RUNS === undefined ? 500 : 3000;

export function decisionLogSuite(name: string, open: OpenLog, { records = RECORDS }: LogSuiteOptions = {}): void {
  describe(`${name} keeps the contract of a decision log`, () => {
    let log: DecisionLog;
    const current = () => log;

    beforeEach(async () => {
      log = await open();
    });
    afterEach(() => log.close());

    describeRecords(current);
    describePages(current);
    describeEvidence(current);
    describeKept(current);
    describeTransactions(current);
    describeRandom(current, records);
  });
}
