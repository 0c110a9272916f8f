// English cues of decisions: what says that a choice was made, why, and over what.
import { any, type DecisionCues } from "./cues.ts";

export const englishDecisions: DecisionCues = {
  gate: /\b(?:resolved|after|settled|option|instead|not|never mind|forget|favou?r|made up|going to|i['’]m|i am|we['’]re|we are|excluded|included|dropped|limited|restricted|ignored|assumed|treated|voted|what i|rather|opposed to|decisions?|decided|agreed|ended up|choice|cho[so]en?|opt(?:ed|ing)?|picked|selected|settl(?:ed|ing)|elected|going with|go (?:with|for)|went with|let['’]?s|let us|prefere?|because|since|so that|to (?:avoid|prevent|keep|preserve)|simplest|cleanest|best|right|proper|correct|easiest|safest|robust|better|invasive|fix is|fix:|solution|approach|stick|sticking|stay|we['’]ll|we will|i['’]ll|we want|i want to|recommend)\b/i,
  choice: any(
    "\\b(?:i|we)(?:['’]m| am|['’]re| are) (?:choosing|picking|opting for|settling (?:on|for)|sticking (?:with|to))\\s+\\S",
    "\\b(?:i|we)(?:['’]ve| have|['’]ll| will)? (?!would|could|might|should|can)[a-z]+\\s[^.?]{2,80}? in favou?r of\\s+\\S",
    "\\b(?:that|this|which)(?:['’]s| is) (?:what|the one|the way) (?:i|we)(?:['’]ve| have|['’]ll| will)? (?:implement(?:ed)?|cho(?:se|sen)|use[d]?|built|went with|go with|pick(?:ed)?|keep|kept)\\b",
    "\\b(?:i|we)(?:['’]ve| have)? made up (?:my|our) minds?\\b[^?]{0,6}\\S",
    "\\b(?:the )?(?:team|board|group|committee|client|customer|management|everyone|they|both sides)(?: have| has)? (?:decided|agreed|settled|chosen?|opted|voted)\\s+(?:to|on|for|against|that|in)\\b",
    "\\b(?:i|we)(?:['’]ve| have)? (?:excluded|included|dropped|limited|restricted|ignored|assumed|weighted|treated|skipped|postponed|rejected)\\s[^?]{2,160}\\b(?:because|since|so that|as (?:it|they|the|its|their))\\b",
    "^(?:settled|resolved|decided|agreed)\\s*[:—–]\\s*\\S",
    "^after (?:weighing|considering|comparing|looking at|trying) [^,.]{2,80}, (?:i|we)(?:['’]m| am|['’]re| are|['’]ll| will)? (?!was|were|saw|found|see|noticed|could|can)[a-z]+\\s+\\S",
    "^(?:(?:ok(?:ay)?|so|then)[,.! ]+){0,2}let['’]?s (?:go with|use|take|pick) (?:option|approach|variant|plan|solution) \\S",
    "^(?:so |then |finally |also )?decided (?:to|on|against|not)\\s+\\S",
    "^(?:(?:my|our) (?:decision|choice)|the decision) (?:is|was) to\\s",
    "\\bwe(?:['’]ve| have)? agreed (?:to|on|that)\\s+\\S",
    "\\b(?:i|we) ended up (?:using|with|going|choosing|keeping|putting)\\s+\\S",
    "^(?:the |our |my |final |key |design |architecture |architectural |technical )*(?:decisions?|choice)(?: made| taken)?\\s*[:—–]\\s*\\S[^\\n]{0,498}[^:\\s]\\s*$",
    "(?<!\\b(?:why|how|what|when|whether|where|if|which|that|explain|document) )\\b(?:i|we)(?:['’]ve| have)? (?:decided|chose|opted|settled|elected)\\b(?! (?:whether|if|yet))\\s+(?:to|on|against|for|not|that|\\S)",
    "\\b(?:i|we)(?:['’]ll| will|['’]m| am|['’]re| are)? (?:go|going|went) with\\s+(?!that (?:then)?[.?])\\S",
    "^(?:ok(?:ay)?[,.]? |so[,]? |then[,]? )?(?:going|sticking|settling) (?:with|on|for)\\s+\\S",
    "\\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to) (?:stick|stay) (?:with|to)\\s+\\S|\\b(?:i|we)(?:['’]ll| will) opt for\\s+\\S",
    "\\b(?:i|we)(?:['’]ve| have)? (?:picked|selected)\\s+\\S[^.]{0,120}\\b(?:because|since|over|instead|rather|as the|for)\\b",
  ),
  userChoice: any(
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|right|fine|good)[,.! ]+){0,3}(?:we|i)(?:['’]re| are|['’]m| am) (?:using|keeping|dropping|going (?:with|for)|moving to|staying (?:with|on|at)|switching (?:to|from)|not (?:using|doing|supporting|going to)|sticking (?:with|to)|skipping|postponing)\\s+(?!it\\b)\\S",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|hmm*)[,.! ]+){0,3}let['’]?s not (?!(?:worry|forget|talk|go there|rush|get|do (?:that|this|it)[.! ]*$))[a-z]",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|hmm*)[,.! ]+){0,3}(?:forget|scrap|drop) (?!it\\b|that\\b|this\\b|about it)[^,.;]{2,60}[,;.—–-]+ ?(?:we['’]ll|we will|i['’]ll|i will|let['’]?s|use|take|go (?:with|for)|do)\\s+\\S",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|please|but)[,.! ]+){0,3}(?:don['’]?t|do not) (?:use|do|take|call|pick|store|put)\\s[^.?]{2,80}?[,;.—–-]*\\s(?:just (?:use )?|use |instead use |do |take |but (?:use )?)(?!it\\b|that\\b)\\S",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually)[,.! ]+){0,3}(?:let['’]?s|let us|we['’]ll|we will) (?:postpone|delay|defer|limit|restrict|exclude|include|focus only|cancel|book|ship without|do (?!(?:it|that|this|some|another)\\b)[^?]{2,120}(?:rather than|instead of|first)\\b)\\b",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|great|perfect|in that case)[,.! ]+){0,3}(?:i['’]ll|i will|we['’]ll|we will) take (?!a (?:look|break|closer)|another look|care|it from|over|note|some|your)\\S",
    "^(?:(?:ok(?:ay)?|yes|yeah|yep|alright|cool|hmm*|so|then|no|good|right|fine|great)[,.! ]+){0,3}(?:let['’]?s|let us|we['’]ll|we will|i['’]ll|we['’]re going to) (?:go with|go for|use|keep|store|stick|drop|skip|call it|call the|name|stay|switch|move to|put|save|host|run|deploy|base|write it|target|support|pick|choose|adopt|leave)\\b(?! (?:it )?(?:as )?(?:going|moving|up|the good)\\b)",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|hmm*)[,.! ]+){0,3}go (?:with|for)\\s+(?!it[.! ]*$)\\S",
    "^(?!i appreciate|i understand your)(?:[^,]{0,60}[,.] (?:and |so |but )?|.{0,80}\\b(?:and|so|but|think) )?(?:i|we)(?:['’]?d| would)? (?:much |really |strongly |rather )?prefere? (?!(?:to )?(?:see|know|if you|not|a more)\\b)(?!(?:an? |any |some |only )?[a-z-]* ?[a-z-]+ (?:that|which|departing|leaving|arriving|between|before|after|within|under|below|with)\\b)(?![^.]{0,80}\\b(?:if (?:it|they|that|possible|there)|available)\\b)(?!an?\\b[^.]{0,60}\\b(?:that|which)\\b)\\S",
    "\\b(?:i|we)(?:['’]?d| would) rather\\s+(?!not\\b)[a-z]",
    "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|hmm*|please|just)[,.! ]+){0,3}(?:use|keep|put|store|pick|choose|take|make it|name it|call it|move it)\\s[^?]{1,200}\\b(?:because|instead of|rather than|since(?!\\())(?![\\w-])",
    "\\b(?:i|we) want to (?:implement|keep|use|do|handle|store|build|ship|put|release|model)\\b[^?]{1,80}\\b(?:as a|instead|rather|separate|separately|in|with|because)\\b",
    "\\bno[,.]? we want (?:to )?\\S",
  ),
  intent: any(
    "^(?:(?:ok(?:ay)?|alright|great|good|perfect|right|so|now|then|therefore|here|for now|first|actually|you['’]re right|since [^,]{1,80}|because [^,]{1,80}|for [^,]{1,60}|to [^,]{1,80}|given [^,]{1,80}|in this case|done|got it)[,.!:—– -]+){0,3}(?:i['’]ll|i will|i['’]m going to|i am going to|let me|let['’]?s|we['’]ll|we will|we (?:now|will now)|i need to|i['’]m (?:using|keeping|making|putting|moving|replacing|switching)|i (?:used|kept|made|moved|replaced|switched|put|changed)|i['’]ve (?:used|kept|made|moved|replaced|switched|put|changed))\\s+(?:now |therefore |just |simply |also |still )?(?!(?:read|check|look|search|run|rerun|re-run|try|see|view|find|examine|verify|inspect|explore|investigate|understand|test|think|first|start by|take a look|debug|grep|list|open|confirm|review|analy[sz]e|show you|explain|wait|ask|do a|get|proceed|continue|begin|walk|help|make sure|know|double-check|keep (?:this|that|it|you|going|an eye|looking|reading|in mind)|use (?:the )?\\S{1,40} (?:tool|skill|command|agent)))",
    "^(?:instead of|rather than) [^,]{2,160},? (?:we|i)\\b(?! (?:can|could|might|may|should|would|have|had|need)\\b)|^(?:instead of|rather than) [^,]{2,160},? (?:i['’]ll|let me|we['’]ll|i['’]m)\\b",
    "^(?:updated|fixed)\\b[^.]{0,100}?\\bto (?:use|show|return|compare|pass|call|read|write|store)\\b",
    "^[^,.]{1,40} now (?:uses?|returns?|shows?|goes|reads?|writes?|stores?)\\b",
    "^(?:got it|understood|makes sense)\\s*[-–—,:.]\\s*\\S",
    "^(?:changed|switched|moved|replaced|replace|switch|use|keep|now uses?|kept|chose|take|store|put|return|pass|track|compare|queue|iterate|made|make|call)\\b",
  ),
  edit: any(
    "^(?!instead of|rather than)(?:[^,]{1,60}, )?(?:(?:ok(?:ay)?|alright|great|good|perfect|right|so|now|then|next|finally|first|also|done|got it|you['’]re right)[,.!:—– -]+){0,3}(?:i['’]ll|i will|i['’]m going to|let me|let['’]?s|we['’]ll|we will|i need to|we need to|i['’]ve|i|we)\\s+(?:now |therefore |just |simply |also |still )?(?:need to |should )?(?:modif(?:y|ied)|updated?|changed?|edit(?:ed)?|fix(?:ed)?|adjust(?:ed)?|refactor(?:ed)?|correct(?:ed)?|rewr(?:ite|ote)|revised?|simplif(?:y|ied)|convert(?:ed)?|make|made|add(?:ed)?|tweak(?:ed)?|improved?|clean(?:ed)?)\\b",
    "^(?:instead of|rather than) [^,]{2,160},? (?:it|we|i)(?:['’]re| are)? now\\b",
    "^[^,.]{1,40} now (?:uses?|returns?|shows?|goes|reads?|writes?|stores?)\\b",
    "^(?:updated|fixed|changed|modified|made|adjusted|refactored|corrected|converted|switched|replaced|moved)\\b",
  ),
  reasoned: any(
    "^(?:(?:ok(?:ay)?|alright|great|good|perfect|right|so|then|therefore|here|for now|you['’]re right|since [^,]{1,160}|because [^,]{1,160}|for [^,]{1,60}|to [^,]{1,80}|given [^,]{1,80}|after [^,]{1,80}|in this case|done|got it)[,.!:—– -]+){0,3}(?:i['’]ll|i will|i['’]m going to|we['’]ll|we will|let me|let['’]?s|i['’]m|i(?= (?:used|kept|placed|stored|made|skipped|left|replaced|switched|put)\\b)|i['’]ve)\\s+(?:therefore |just |simply |also |still |now )?(?:take(?! (?:a|another) (?:look|closer))|pick|choose|use|using|used|keep(?! (?:this|that|it|you|going|an eye|looking|reading|in mind))|keeping|kept|put|putting|place|placed|store|storing|stored|make it|made it|base|skip|skipped|skipping|leave|left|leaving|replace|replaced|switch|switched|pass|merge|split|avoid|treat|limit|go|write it in|not)\\b(?! (?:the )?\\S{1,40} (?:tool|skill|command|agent)\\b)(?! (?:through|over|back|and|see|check|look)\\b)",
    "^(?:use|keep|store|put|skip|pick)\\s[^.]{2,200}\\b(?:because|since|so that)\\b",
    "^(?:(?:ok(?:ay)?|so|then|here)[,.!: ]+){0,2}i['’]ll add [^.]{2,160}\\b(?:since|because)\\b",
  ),
  weighing: any(
    "\\bthe (?:simplest|cleanest|best|right|proper|correct|easiest|safest|most robust|better|least invasive) (?:fix|approach|solution|way|option|change|choice|thing|place|design)\\b[^.?]{0,60}?\\b(?:is to|is|would be to|would be)\\s+\\S",
    "\\b(?:we|i) should\\s+(?!(?:i|we|probably|maybe|also note|be able|see|have|now|first|check|verify|look|test|consider|ask|run|read)\\b)[^?]{2,200}\\b(?:rather than|instead of|because|so that|to avoid)\\b",
    "\\bthe fix is (?:simple: |to )(?!.{0,200}\\bor to\\b)[a-z]+\\b",
    "^(?:\\S+ )?(?:fix|solution|approach)(?: \\([^)]{1,30}\\))?:\\s+(?!the\\b)\\S[^?]{5,}\\b(?:instead of|rather than|so that|because|by )",
  ),
  proposal:
    /^(?!if you\b|given\b).{0,200}\b(?:i(?:['’]d| would)? (?:recommend|suggest|propose)(?! (?:you|contact|speak|review|check|reach|transferr|that you|try|wait|ask|call)\w*\b)|(?:i(?:['’]d| would)? (?:go with|lean towards?))|my (?:recommendation|suggestion|proposal)(?: is|:)|(?:is|are) (?:the )?(?:option|approach) i['’]?d (?:recommend|pick))\b/i,
  doubt:
    /\?["')*]*$|^(?:good|bad|neutral),|^(?:i|we)(?:['’]ve| have)? (?:also |just |then |now )?(?:updated|changed|fixed|modified|adjusted|refactored|corrected|rewrote|added|converted)\b|\b(?:probably|perhaps|maybe|might|could|possibly|would you|should i|do you|if you (?:prefer|want|like)|i (?:guess|suspect|assume|wonder|bet)|not sure|it seems|seems|looks like|likely|(?:is|are|was|were|keeps?) (?:failing|creating|being|using|not|still)|fails?|failing|failed|error|expects?|expected to|bug|problem is|issue is|the (?:problem|issue)|cannot|can['’]t|unable|didn['’]t|doesn['’]t|wasn['’]t|isn['’]t|what if|alternatively|option \w+:|either|wrong(?:ly)?|incorrectly|mistakenly|accidentally|actually (?:using|calling))\b/i,
  alternative:
    /\b(?:instead of|rather than|as opposed to|over(?<=\b(?:chose|choose|picked|prefer|preferred|selected|opt for|go with|going with|went with)\s[^,.;]{1,80}over))\s+(?=\S)/i,
  rationale:
    /\b(?:because|since(?!\(|\s+(?:`|v?\d|last|yesterday|then|when|version|commit|monday|tuesday|wednesday|thursday|friday|january|the (?:last|start|beginning|first|previous|release))\b)|so that|in order to|(?<!\b(?:decided|chose|opted|needs?|want|going|have|has|is|was|be|prefer|like|rather|how|agreed|plan|hoping|elected|used|continue)\s)to (?:avoid|prevent|keep|preserve|ensure|reduce|make sure|allow|stay|match|trigger|guard|have|get|let|give|support)|for the reason that|(?=for (?:simplicity|consistency|performance|speed|clarity|safety|security|compatibility|readability)\b)|due to|this way|that way|given that|reason:|which (?:avoids|keeps|makes|means|gives|lets|preserves))\s*(?=\S)/i,
};
