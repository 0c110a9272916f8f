// People, conservatively: a name counts only where the words around it give it a role or ask something of it, and
// a handle only with its `@`. A capital letter alone says nothing.
import type { IdentifierPattern } from "./identifier.ts";

const NAME_WORD = "(?:(?:Mc|Mac|O['’]|D['’])?\\p{Lu}[\\p{Ll}\\p{M}'’-]{1,30}(?:-\\p{Lu}\\p{Ll}{1,30})?)";
const FULL_NAME = `(${NAME_WORD}(?: (?:de|da|dos|van|von|der|den|la|el|bin|al))?(?: ${NAME_WORD}){1,2})`;
const NAME = `(${NAME_WORD}(?: ${NAME_WORD}){0,2})`;

const ROLE =
  "engineer|developer|analyst|architect|accountant|supervisor|boss|head|director|advisor|agent|colleague|teammate|admin|administrator|editor|translator|investor|founder|doctor|professor|supplier|representative|Chefin|Chef|Kollegin|Kollege|Leiterin|Leiter|jef[ea]|encargad[oa]|compañer[oa]|directeur|directrice|collègue|gerente|colega|chefe|reviewer|approver|owner|product owner|assignee|author|maintainer|contact|point of contact|on-?call|lead|tech lead|team lead|manager|stakeholder|designer|PM|DBA|CTO|CEO|sponsor|customer|client|Prüfer(?:in)?|Ansprechpartner(?:in)?|Verantwortliche[r]?|revisor[a]?|responsable|contacto|propriet[aá]ri[oa]|relecteur|relectrice|respons[aá]vel|aprovador[a]?";
const REQUEST =
  "ask|ping|contact|notify|tell|call|email|cc|check with|talk to|speak (?:to|with)|coordinate with|hand (?:it |this )?(?:over )?to|escalate to|approval from|sign-?off from|approved by|reviewed by|assigned to|assign (?:it |this )?to|reported by|requested by|owned by|frag(?:e|en)?(?: Sie)?|kontaktiere|pregunt[ae] a|contacta a|avisa a|demande[rz]? à|contacte[rz]?|pergunte (?:a|ao|à)|avise";
/** First words of phrases that are written like names. */
const NO_NAME =
  /^(?:I['’]\w|C['’]est|Es|Was|Who|What|How|Why|Where|Which|Here|There|Also|Now|So|As|At|In|On|From|With|After|Before|Once|Since|Great|Good|Thanks|Hello|Hi|Dear|Sorry|Sure|Ok|Okay|Basic|Business|Economy|First|Second|Third|Last|Open|Web|Code|Data|Pull|Merge|Main|Base|Core|Event|Error|File|Session|Agent|Model|Server|Client|Service|Build|Release|Python|Java|Type|Go|Rust|Visual|Windows|Linux|Mac|Apple|Meta|Oracle|Cloud|Redis|The|This|That|These|Those|It|If|When|Then|We|You|He|She|They|And|But|Or|Not|No|Yes|For|All|Any|Our|My|Your|Is|Are|Please|Claude|Google|Amazon|Microsoft|Azure|Visual|Github|GitHub|Next|Open|New|Unit|Step|Phase|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Read|Write|Bash|Task|Tool|User|Node|React|Docker|Spring|Apache|Red|San|New|North|South|Team|Support|Platform|Der|Die|Das|El|Los|Las|Les|Une?)\b/u;
/** Last words of things that are written like names. */
const NO_LAST_NAME =
  /(?:^| )(?:Mode|Standard|Server|Service|Client|Tests?|Code|Files?|API|Team|Events?|State|View|Page|Button|List|Table|Model|Agent|Session|Handler|Manager|Studio|Cloud|Source|System|Module|Package|Tools?|Hooks?|Policy|Guide|Framework|Library|Project|Plan|Version|Release|Branch|Integration|Analysis|Report|Card|Class|Member|Airlines?|Flight|Option|Price|Number|Support|Settings?|Request|Response|Error|Engine|Platform|Store|True|False|None|Null)$/u;
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
  return name === undefined || NO_NAME.test(name) || NO_LAST_NAME.test(name) ? undefined : name;
};

/** What somebody with a role does; the name stands before it. */
const DUTIES =
  "owns|approves|reviews|maintains|runs|leads|handles|oversees|manages|heads|supervises|coordinates|administers|decides|signs off|signs|looks after|takes care of|takes over|is responsible|is in charge|is accountable|must (?:approve|sign|review)|has to (?:approve|sign|agree)|needs to (?:approve|sign|agree)|will (?:approve|review|sign|take over|handle)|has the final say|wants|asked|requested|reported|decided|approved|confirmed|joined|left|works (?:on|for|at)";
/** The same in the other languages. */
const FOREIGN_DUTIES =
  "ist (?:für [^.?!]{2,60} )?(?:zuständig|verantwortlich)|kümmert sich|leitet|betreut|entscheidet|genehmigt|se encarga|se ocupa|aprueba|revisa|decide|lleva|dirige|(?:es|será|é|será|est|ist) (?:el|la|o|a|le|la|l['’]|der|die|unser|unsere|nuestr[oa]|noss[oa]|notre) ?[\\p{L}]{3,20}|cuida|aprova|responde por|coordena|qui (?:s['’]occupe|gère|valide|décide|dirige|approuve)|s['’]occupe|gère|valide|dirige|approuve";

const EXPRESSIONS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\p{L}])${FULL_NAME}(?:,? (?:who|das|der|die|que|qui))? (?:${DUTIES}|${FOREIGN_DUTIES})(?![\\p{L}])`,
    "gu",
  ),
  new RegExp(
    `(?<![\\p{L}])(?:ist|é|es|est|war|era) ${FULL_NAME}(?: (?:zuständig|verantwortlich)| (?:a|o|la|el|qui)(?![\\p{L}])|(?=[.,;!]|$))`,
    "gu",
  ),
  new RegExp(
    `(?<![\\p{L}])(?:(?:[Mm]y|[Tt]he (?:customer|client|patient|passenger|tenant)['’]s) name is|I am|I['’]m|[Tt]his is|[Mm]ein Name ist|[Ii]ch (?:heiße|bin)|[Mm]e llamo|[Mm]i nombre es|[Jj]e m['’]appelle|[Mm]on nom est|[Mm]eu nome é|[Mm]e chamo|(?:[Tt]he )?(?:person|one|right person) (?:to (?:ask|contact|talk to|call)|in charge|responsible)(?: [^.?!]{2,40})? is) ${FULL_NAME}`,
    "gu",
  ),
  new RegExp(
    `(?<![\\p{L}])(?:[Oo]ur|[Mm]y|[Tt]heir|[Uu]nsere?|[Mm]eine?|[Nn]uestr[oa]|[Mm]i|[Nn]otre|[Mm]on|[Nn]oss[oa]|[Mm]eu|[Mm]inha) (?:${ANY_ROLE}),? ${FULL_NAME}`,
    "gu",
  ),
  new RegExp(`(?<![\\p{L}])(?:${ANY_REQUEST}) ${NAME} (?:about|for|before|if|when|to|once|first)(?![\\p{L}])`, "gu"),
  /(?:由|找|联系|请示|请) ?([\u4e00-\u9fff]{2,4}?)(?=负责|审批|批准|确认|处理|维护)/g,
  /([\u4e00-\u9fff]{2,4}?)(?:さん|様)(?=が担当|に確認|が承認|に連絡|の承認)/g,
  new RegExp(`(?<![\\p{L}])(?:${ANY_ROLE})(?: is| ist| es| est| é|:| =|,) ${NAME}`, "gu"),
  new RegExp(`(?<![\\p{L}])(?:${ANY_REQUEST}) ${FULL_NAME}`, "gu"),
  new RegExp(`(?<![\\p{L}])(?:${ANY_REQUEST}) ${NAME} (?:from|in|of|at) (?:the )?[A-Za-z]{2,20}`, "gu"),
  new RegExp(
    `(?<![\\p{L}])${FULL_NAME}(?: from (?:the )?[a-z]{2,20}\\b| \\((?:${ANY_ROLE}|[a-z]{2,20})\\)|,? (?:our|the|who is the) (?:${ROLE})\\b| (?:is (?:the|our|my|an?) (?:${ROLE})|is on-?call))`,
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
