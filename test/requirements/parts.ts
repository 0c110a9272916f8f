// All requirement lists in the order in which the reference page shows them.
import { conversation } from "./conversation.ts";
import { decisions } from "./decisions.ts";
import { expectedValues } from "./expected-values.ts";
import { fieldFaults } from "./field-faults.ts";
import { fieldReports } from "./field-reports.ts";
import { memoryFiles } from "./memory-files.ts";
import { observations } from "./observations.ts";
import type { RequirementPart } from "./requirement.ts";
import { rulings } from "./rulings.ts";

export const requirementParts: readonly RequirementPart[] = [
  { title: "Conversation", file: "conversation.ts", requirements: conversation },
  { title: "Observations", file: "observations.ts", requirements: observations },
  { title: "Decisions", file: "decisions.ts", requirements: decisions },
  { title: "Memory files", file: "memory-files.ts", requirements: memoryFiles },
  { title: "Rulings", file: "rulings.ts", requirements: rulings },
  { title: "Expected values", file: "expected-values.ts", requirements: expectedValues },
  { title: "Field reports", file: "field-reports.ts", requirements: fieldReports },
  { title: "Field faults", file: "field-faults.ts", requirements: fieldFaults },
];
