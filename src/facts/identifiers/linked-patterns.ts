// Names that would fall apart if their pieces were searched for first: an address without a scheme, a repository by
// its host, a share, an image with its tag, an issue of another repository, a host in brackets. Only where somebody
// says them: what tools print is full of their like.
import type { IdentifierPattern } from "./identifier.ts";

const WEB_DOMAINS =
  "com|org|net|io|dev|app|ai|co|cloud|internal|local|corp|example|edu|gov|info|tech|site|eu|de|fr|es|it|nl|pt|br|jp|cn|kr|uk|ch|at|pl|se|us|ca|au|mx|sh|gg|me";

export const LINKED_PATTERNS: readonly IdentifierPattern[] = [
  { form: "url", expression: /(?<![\w.@-])git@[\w.-]{1,80}:[\w./~-]{1,160}[\w-]/g, needs: "git@" },
  { form: "path", expression: /(?<![\w\\])\\\\[\w.-]{1,60}(?:\\[\w.$ -]{0,80}[\w$-]){1,12}/g, needs: "\\\\" },
  {
    form: "host",
    expression: /(?<![\w:])\[(?:[0-9a-f]{0,4}:){1,7}[0-9a-f]{0,4}\]:\d{2,5}(?!\d)/gi,
    needs: "]:",
  },
  {
    form: "url",
    expression:
      /(?<![\w.@/-])(?:[a-z0-9][\w.-]{1,60}\.[a-z]{2,10}(?::\d{2,5})?\/)(?:[\w.-]{1,60}\/){0,6}[\w.-]{1,60}:[\w][\w.-]{0,60}(?![\w/])/g,
    needs: ":",
    read: ([match]) => match.replace(/[.-]{1,5}$/, ""),
  },
  // In double quotes it is what code imports.
  {
    form: "url",
    expression: new RegExp(
      `(?<![\\w.@/:"'-])(?:[a-z0-9-]{1,60}\\.){1,5}(?:${WEB_DOMAINS})(?::\\d{2,5})?/[\\w./~%?&=+#@:-]{0,300}[\\w/=#]`,
      "g",
    ),
    needs: "/",
  },
  { form: "ticket", expression: /(?<![\w./-])[\w.-]{1,39}\/[\w.-]{1,60}#\d{1,7}(?!\w)/g, needs: "#" },
];
