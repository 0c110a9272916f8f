// Forty demands that hold for good, in wordings written before the rules were tuned: what a colleague would not miss.
export interface ClearRule {
  readonly text: string;
  readonly by: "user" | "system";
  readonly polarity: "must" | "must_not";
}

const must = (text: string, by: ClearRule["by"] = "user"): ClearRule => ({ text, by, polarity: "must" });
const mustNot = (text: string, by: ClearRule["by"] = "user"): ClearRule => ({ text, by, polarity: "must_not" });

export const CLEAR_RULES: readonly ClearRule[] = [
  // Coding
  must("Every commit message has to reference the ticket number."),
  must("Going forward, put new components under src/ui and nowhere else."),
  mustNot("Under no circumstances should the generated client be edited by hand."),
  mustNot("The legacy folder is off limits."),
  mustNot("Hands off the payment module, please."),
  mustNot("Leave the CI configuration alone."),
  must("package-lock.json must stay as it is."),
  must("As a rule, we write the failing test before the fix."),
  must("Make sure that you run the type checker after each change."),
  mustNot("Please refrain from adding comments that restate the code."),
  must("Whatever you do, keep the function signatures backwards compatible."),
  mustNot("I don't want to see any default exports in this repo."),
  must("Remember to bump the schema version every time a migration is added."),
  mustNot("We don't use semicolons here, so please leave them out."),
  // Operations
  mustNot("Deploys on Fridays are not allowed."),
  must("Production access requires a second approver at all times."),
  mustNot("Nobody restarts the primary database without asking me first."),
  must("Always take a snapshot prior to touching a volume."),
  mustNot("The staging secrets must never end up in the logs."),
  mustNot("It is forbidden to scale the cluster below three nodes."),
  must("Any change to the firewall needs to be announced in the channel beforehand."),
  // Research and writing
  must("Cite a primary source for each claim."),
  mustNot("Avoid citing preprints unless I explicitly ask for them."),
  must("Throughout this project, report temperatures in kelvin."),
  must("Keep answers under two hundred words."),
  mustNot("Never round the figures in the tables."),
  // Support
  must("The agent must verify the customer's identity before making any change.", "system"),
  mustNot("You should not offer refunds above $50 without a supervisor.", "system"),
  must("Transfer the caller to a human if the request falls outside the scope of your actions.", "system"),
  mustNot("Gift cards cannot be exchanged for cash.", "system"),
  must("Deny any request that goes against this policy.", "system"),
  // Other languages
  mustNot("Auf keinen Fall die Tabelle `kunden` verändern."),
  must("Ab sofort bitte alle Meldungen auf Deutsch schreiben."),
  mustNot("Bajo ningún concepto toques la rama principal."),
  must("A partir de ahora, responde siempre en español."),
  mustNot("Não mexa nos ficheiros de produção."),
  mustNot("Ne modifie jamais le fichier de licence."),
  mustNot("绝对不要改动 config 目录。"),
  must("今后所有的接口都必须有测试。"),
  mustNot("本番のデータベースには絶対に触らないでください。"),
];
