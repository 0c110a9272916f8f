// The contract of a decision log in memory.
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { decisionLogSuite } from "../log-suite.ts";

decisionLogSuite("the log in memory", async () => createMemoryDecisionLog());
