// People, conservatively: a name counts only where the words around it give it a role or ask something of it, and
// a handle only with its `@`. A capital letter alone says nothing.
import type { IdentifierPattern } from "./identifier.ts";

const NAME_WORD = "\\p{Lu}[\\p{Ll}\\p{M}'’-]{1,30}(?:\\p{Lu}\\p{Ll}{1,30})?";
const FULL_NAME = `(${NAME_WORD}(?: (?:de|da|dos|van|von|der|den|la|el|bin|al))?(?: ${NAME_WORD}){1,2})`;
const NAME = `(${NAME_WORD}(?: ${NAME_WORD}){0,2})`;

const ROLE =
  "reviewer|approver|owner|product owner|assignee|author|maintainer|contact|point of contact|on-?call|lead|tech lead|team lead|manager|stakeholder|designer|PM|DBA|CTO|CEO|sponsor|customer|client|Prüfer(?:in)?|Ansprechpartner(?:in)?|Verantwortliche[r]?|revisor[a]?|responsable|contacto|propriet[aá]ri[oa]|relecteur|relectrice|respons[aá]vel|aprovador[a]?";
const REQUEST =
  "ask|ping|contact|notify|tell|call|email|cc|check with|talk to|speak (?:to|with)|coordinate with|hand (?:it |this )?(?:over )?to|escalate to|approval from|sign-?off from|approved by|reviewed by|assigned to|assign (?:it |this )?to|reported by|requested by|owned by|frag(?:e|en)?(?: Sie)?|kontaktiere|pregunt[ae] a|contacta a|avisa a|demande[rz]? à|contacte[rz]?|pergunte (?:a|ao|à)|avise";
/** First words of phrases that are written like names. */
const NO_NAME =
  /^(?:The|This|That|These|Those|It|If|When|Then|We|You|He|She|They|And|But|Or|Not|No|Yes|For|All|Any|Our|My|Your|Is|Are|Please|Claude|Google|Amazon|Microsoft|Azure|Visual|Github|GitHub|Next|Open|New|Unit|Step|Phase|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Read|Write|Bash|Task|Tool|User|Node|React|Docker|Spring|Apache|Red|San|New|North|South|Team|Support|Platform|Der|Die|Das|El|Los|Las|Les|Une?)\b/u;
/** After `@`: marks of code and of documentation, not people. */
const NO_HANDLE =
  /^(?:param|params|returns?|type|types|typedef|throws|example|see|deprecated|ts-\w{1,30}|media|import|keyframes|font-face|property|override|overload|staticmethod|classmethod|dataclass|pytest|app|router|Component|Injectable|Input|Output|Test|Before|After|Autowired|Bean|latest|next|everyone|here|channel|internal|private|public|todo|since|link|author|license|module|default|template|apply|layer|tailwind|supports|charset|include|mixin|extend|use|forward|if|else|for|async|cached|login_required)\b/i;

/** Either case for the first letter: the expressions themselves must tell capitals apart. */
const eitherCase = (words: string) =>
  words
    .split("|")
    .map((word) => `[${word.charAt(0).toLowerCase()}${word.charAt(0).toUpperCase()}]${word.slice(1)}`)
    .join("|");
const ANY_ROLE = eitherCase(ROLE);
const ANY_REQUEST = eitherCase(REQUEST);

const readName = (match: RegExpExecArray) => {
  const name = match.slice(1).find((group) => group !== undefined);
  return name === undefined || NO_NAME.test(name) ? undefined : name;
};

const EXPRESSIONS: readonly RegExp[] = [
  new RegExp(`(?<![\\p{L}])(?:${ANY_ROLE})(?: is| ist| es| est| é|:| =|,) ${NAME}`, "gu"),
  new RegExp(`(?<![\\p{L}])(?:${ANY_REQUEST}) ${FULL_NAME}`, "gu"),
  new RegExp(`(?<![\\p{L}])(?:${ANY_REQUEST}) ${NAME} (?:from|in|of|at) (?:the )?[a-z]{2,20}`, "gu"),
  new RegExp(
    `(?<![\\p{L}])${FULL_NAME}(?: from (?:the )?[a-z]{2,20}\\b| \\((?:${ANY_ROLE}|[a-z]{2,20})\\)|,? (?:our|the|who is the) (?:${ROLE})\\b| (?:owns|approves|reviews|maintains|is responsible|must (?:approve|sign|review)|has to (?:approve|sign)|is the (?:${ROLE})|is on-?call|wants|asked|requested|decided|approved))`,
    "gu",
  ),
  /(?:负责人|审批人|联系人|评审人|審批人|負責人)(?:是|为|：|:) ?([\u4e00-\u9fff]{2,4}?)(?=[，。,.；;\s（(]|$)/g,
  /(?:担当者?|責任者|承認者|レビュアー)(?:は|：|:) ?([\u3040-\u30ff\u4e00-\u9fff]{2,8}?)(?=さん|です|様|。|、|\s|$)/g,
];

export const PERSON_PATTERNS: readonly IdentifierPattern[] = EXPRESSIONS.map((expression) => ({
  form: "person",
  expression,
  read: readName,
}));

export const HANDLE_PATTERN: IdentifierPattern = {
  form: "person",
  expression: /(?<![\w./@`"'-])@[A-Za-z][\w-]{1,38}(?![\w/(@.]\w|[\w/(@])/g,
  needs: "@",
  read: ([match]) => (NO_HANDLE.test(match.slice(1)) ? undefined : match),
};
