// English words of which the other forms are known to mean the same in a principle. Only these are ever inflected: a rule
// on endings alone would take a police for a policy and one family's name for another's.

/** Things: one or several of them. */
export const THINGS = `action adapter agent alert alias annotation answer approach argument artifact aspect assertion assumption author
backup batch benchmark bias boundary branch bug bundle callback candidate capability case category cause certificate
challenge check checklist checkpoint child class client cluster column comment commit comparison component concern condition conflict
connection consequence consideration constraint consumer container context contract convention correlation cost counter
credential criterion customer cycle dashboard database deadline deadlock decision default defect delay deliverable dependency
deployment description design detail developer difference directory discussion document domain draft duplicate duplication
edge effect effort email endpoint engineer entity entry enum environment error estimate event example exception expectation
experiment expert explanation export expression extension failover feature field file filter finding fix fixture flag flow
folder fork format framework function gap gate goal graph group guard guideline guess handler hash header hint hook hypothesis
idea identifier image import incident index input insight instance instruction integration interface interval invariant
investigation issue item iteration job join key label language latency layer lesson level library limit limitation line link
list listener loop machine maintainer measurement merge message method metric microservice migration milestone mistake
mock mode model module monitor name namespace node note object observation operation operator opinion option order outage
outcome output override owner package page parameter parser patch path pattern permission person phase pipeline
plan platform plugin pointer policy pool port practice prediction principle priority probe problem procedure
process product project prompt property proposal protocol prototype provider proxy query question queue race rate
reason recommendation record refactor reference region regression relation release report repository request
requirement resolution resolver resource response restriction result retry review reviewer revision risk role rollback
rollout root round route router row rule runner schedule schema scope script secret section server service session
shard side signal signature single size skill snapshot solution source spec specification spike sprint stage
stakeholder standard statement step store story strategy stream structure style subject suite summary symptom
system table tag target task technique template tenant test theory thread threat threshold ticket timeout token tool
topic trace tradeoff transaction transition trigger type unit update upgrade user utility validation validator value variable
variant vendor version view violation volume vulnerability warning website word workaround worker workflow
workload workspace wrapper`;

/** Doings: to do it, doing it, who does it. Having done it, where that is the verb of a sentence. */
export const DOINGS = `add adjust agree align analyze announce answer apply approve archive arrange ask assert assess assume audit
automate back backfill balance batch benchmark bisect bump bundle cache calculate capture cause change check choose clarify
clean cleanup clear clone code collect combine commit communicate compare compile compose compute
configure confirm confuse connect consider consolidate consult convert copy correct cost count cover create debug decide
declare decouple define delay delegate delete deliver deploy describe design detect develop diagnose
discover discuss document drop duplicate eliminate embed emit encode encourage encrypt enforce enrich ensure escape
escalate establish estimate evaluate examine execute expand expect explain explore expose express extend extract
favor fetch fix focus force format gather generate group guard guess handle help hide identify ignore
implement improve index infer inform inject inline insert inspect install instrument integrate
introduce investigate invest isolate iterate join judge jump justify label lead learn let limit link list listen
log look maintain make map match matter measure mention merge migrate minimize mirror mitigate mock model monitor move
name narrow normalize note notice notify observe offer omit optimize order organize outperform outweigh overlap
overlook pack pair parse pass patch pay persist pick pin plan point postpone prefer prepare prevent prioritize
profile promote propose protect prototype prove provide publish pull push query question queue quote
rank rate reach read rebase rebuild record recover reduce refactor refine refresh release rely remove rename render
reorder repair repeat report reproduce request research reserve reset resolve respect restart restore restructure
retry return reuse reveal revert review revise rewrite rotate route run sample sanitize save scale scan schedule
scope score search select send separate serialize serve ship shorten show simplify sketch skip slice solve sort
spawn specify speed spend split stage standardize start state store stream streamline strip structure
study submit suggest summarize surface survey switch sync synchronize tag take talk think tighten throttle
track trade train transform translate treat trim try tune underestimate understand unify update upgrade use
validate verify version visualize vote warn waste watch weigh win work wrap write yield`;

/** Doings of which the one who does and the one it is done to are easily mistaken: "blocking calls" are no "blocked calls". */
export const TWO_SIDED = `block break bring call charge control crash depend drive export fall follow import include inherit invoke keep kill load
lock manage merge own poll replace require share support test trigger trust wait`;

/** Forms that no rule makes; the word itself last. */
export const IRREGULAR_FORMS = `children=child people=person criteria=criterion hypotheses=hypothesis analyses=analysis indices=index
indexes=index schemata=schema matrices=matrix vertices=vertex statuses=status viruses=virus halves=half
written=write wrote=write chose=choose made=make kept=keep led=lead won=win paid=pay sent=send spent=spend took=take
brought=bring caught=catch catches=catch catching=catch beats=beat beating=beat costs=cost built=build builds=build
building=build controlling=control`;
