// More forms that count only where somebody says them: files without an extension, tickets without a dash, packages
// with their version, machine types, names after the word for what they are, dates by number, codes of errors.
import type { IdentifierPattern } from "./identifier.ts";

/** After them a name with dashes is the name of one: "cluster prod-eks-7". */
const NAMED_THINGS =
  "cluster|namespace|bucket|queue|topic|(?:consumer )?group|pool|instance|database|deployment|pod|job|container|stack|project|subscription|tenant|environment|account|profile|secret|chart|index|alias|role|service|workspace|app|repo|repository|dashboard|channel|runner|host|server|node|volume|vault|realm|Cluster|Warteschlange|Dienst|Projekt|clúster|cola|proyecto|servicio|projet|fila|projeto";
/** Words of the language that have a dash. */
const COMPOUND =
  /^(?:up|end|re|so|non|pre|post|well|long|short|high|low|in|on|off|by|to|of|one|two|three|multi|self|real|built|read|write|cross|per|full|left|right|first|second|third|open|closed|hard|soft|double|single|follow|opt|pull|push|day|back|best|old|new|all|any|sub|semi|anti|co|ex|e|event|time|data|user|server|client|test|type|case|error|fault|cost|state|run|set|check|log|sign|roll|stand|start|shut|fail|add|plug|look|time|work)-(?!.*\d)/;
const MONTHS =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)";
const WEEKDAYS = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const AZURE_REGIONS =
  "(?:west|north)europe|(?:east|west|central|northcentral|southcentral|westcentral)us[23]?|(?:uk|france|japan|korea|canada|brazil|australia|germany|sweden|norway|switzerland|poland|italy|spain|uae|southafrica|qatar|israel|mexico)(?:south|north|east|west|central|westcentral|southeast)\\d?|(?:southeast|east)asia|(?:south|central|west)india";

const all = (match: RegExpExecArray) => match[0].replace(/[.,;:-]{1,5}$/, "");

export const TOLD_PATTERNS: readonly IdentifierPattern[] = [
  { form: "path", expression: /(?<![\w/.\\-])\.env(?:\.[a-z]{2,20}){0,2}(?![\w.]\w|\w)/g, needs: ".env" },
  {
    form: "path",
    expression:
      /(?<![\w/.\\-])(?:Make|Docker|Proc|Jenkins|Vagrant|Gem|Rake|Brew|Just|Pip|Caddy|Tilt)file(?:\.[a-z]{2,20})?(?!\w)/g,
    needs: "file",
  },
  { form: "uuid", expression: /(?<![\w-])0[0-7][0-9A-HJKMNP-TV-Z]{24}(?![\w-])/g },
  { form: "ticket", expression: /(?<![\w-])[A-Z]{2,6}\d{5,12}(?![\w-])/g },
  { form: "ticket", expression: /(?<![\w-])[A-Z]{2,6}-\d{1,6}-[A-Z0-9]{1,6}(?![\w-])/g, needs: "-" },
  { form: "ticket", expression: /(?<![\w-])[A-Z]{2,15}(?:-[A-Z]{2,15}){1,3}-\d{1,7}(?![\w-]|\.\d)/g, needs: "-" },
  { form: "ticket", expression: /(?<![\w-])#?[A-Z]-\d{4,10}(?![\w-]|\.\d)/g, needs: "-" },
  { form: "ticket", expression: /(?<=^|[\s(])!\d{1,7}(?![\w=])/gm, needs: "!" },
  {
    form: "version",
    expression:
      /(?<![\w@./-])(?:@[\w-]{1,40}\/)?[a-z][\w.-]{1,60}@[v^~]?\d{1,4}(?:\.\d{1,6}){0,3}(?:[-+][\w.]{1,30})?(?![\w@])/g,
    needs: "@",
  },
  { form: "version", expression: /(?<![\w.-])(?:python|node|go|php|java|ruby)\d{1,2}(?:\.\d{1,3}){1,2}(?!\w)/g },
  {
    form: "version",
    expression:
      /(?<![\w.-])[a-z][a-z0-9_]{1,30}(?:-[a-z0-9_]{1,30}){0,4}-v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-+][\w.]{1,30})?(?!\w)/g,
    needs: "-",
  },
  { form: "flag", expression: /(?<=^|[\s`(])-[A-Za-z](?:[ms][sx])?\d{1,6}[kmgKMG]?(?![\w.])/gm, needs: "-", read: all },
  {
    form: "variable",
    expression: /(?:process\.env|import\.meta\.env|os\.environ)(?:\.|\[["'])([A-Z_][A-Z0-9_]{1,60})/g,
    needs: "env",
    read: (match) => match[1],
  },
  {
    form: "cloud",
    expression:
      /(?<![\w.-])(?:(?:db|cache|ml)\.)?[a-z]{1,3}\d[a-z]{0,4}(?:\.(?:nano|micro|small|medium|large|metal|\d{0,2}xlarge)|-(?:standard|highmem|highcpu|micro|megamem)-\d{1,3})(?!\w)/g,
  },
  { form: "cloud", expression: /(?<![\w-])Standard_[A-Z]{1,3}\d{1,3}[a-z]{0,4}(?:_v\d)?(?!\w)/g, needs: "Standard_" },
  { form: "cloud", expression: new RegExp(`(?<![\\w-])(?:${AZURE_REGIONS})(?![\\w-])`, "g") },
  {
    form: "cloud",
    expression: new RegExp(
      `(?<![\\p{L}-])(?:${NAMED_THINGS}) (?:(?:is|named|called) )?["'“«]?([a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,6})(?![\\w/])`,
      "gu",
    ),
    needs: "-",
    read: (match) => (COMPOUND.test(match[1] ?? "") ? undefined : match[1]),
  },
  { form: "date", expression: /(?<![\w./-])\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d{2}(?![\w/-]|\.\d)/g },
  {
    form: "date",
    expression: new RegExp(`(?<!\\w)\\d{1,2}(?:st|nd|rd|th)? of ${MONTHS}(?:,? \\d{4})?(?!\\w)`, "g"),
    needs: " of ",
  },
  { form: "date", expression: /(?<![\w.:-])\d{1,2}(?::\d{2})? ?(?:[ap]m|[AP]M)(?!\w)/g },
  { form: "date", expression: new RegExp(`(?<!\\w)(?:EOD|EOB|COB|noon|midnight)(?: on)? ${WEEKDAYS}(?!\\w)`, "g") },
  {
    form: "person",
    expression: /(?<![\w.+-])[\w+-]{1,40}(?:\.[\w+-]{1,40}){0,4}@(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12}(?![\w@-])/gi,
    needs: "@",
  },
  {
    form: "code",
    expression:
      /(?<!\w)(?:HTTP (?:status )?[1-5]\d{2}|[Ee]xit(?:ed with)?(?: code| status)? \d{1,3}|SQLSTATE \w{5}|errno \d{1,3})(?!\w)/g,
  },
  { form: "code", expression: /(?<![\w-])(?:E|TS|CS|SC|RUF|PLW|ORA|MY|PG)\d{3,5}(?![\w-])/g },
];

/** Words with an underscore are names, whatever stands before them. */
export const UNDERSCORE_PATTERN: IdentifierPattern = {
  form: "code",
  expression: /(?<![\w./@$<-])(?:[A-Za-z]\w{0,40}\.){0,3}[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,6}(?![\w(<=/.-])/g,
  needs: "_",
};
