import { readSessions } from "/work/main/bench/peers/sessions/read-sessions.ts";
import { createCrew } from "/work/main/bench/peers/run/worker-crew.ts";
import { isBroken } from "/work/main/bench/peers/run/jobs.ts";
const { sessions, leftOut } = readSessions(new RegExp(process.argv[2] ?? "openai-chat-89"));
for (const s of sessions) console.log(s.name, s.tokens, s.messages.length, s.namedThrice.length, s.namedTwice.length, s.written.length, s.users.length);
console.log(leftOut);
const crew = createCrew();
const listed = await crew.run({ kind: "list" });
if (isBroken(listed)) throw new Error(listed.broken);
console.log(listed.peers.map(p => p.name), listed.missing);
const pattern = new RegExp(process.argv[3] ?? "ours");
for (const session of sessions) for (const share of [0.05,0.1,0.15]) for (const peer of listed.peers.filter(p=>pattern.test(p.name))) {
  const t=Date.now();
  const c = await crew.run({ kind: "compact", peer: peer.name, share, session });
  const t2=Date.now();
  const r = await crew.run({ kind: "replay", peer: peer.name, share, session });
  const t3=Date.now();
  console.log(session.name.slice(0,20), peer.name, share, isBroken(c) ? c.broken : [c.budget, c.tokens, ...Object.values(c.retained).map(h=>h.held+"/"+h.of), JSON.stringify(c.faults), Math.round(c.milliseconds)].join(" "), isBroken(r) ? r.broken : [Math.round(r.weighted/1000)+"k", Math.round(r.summaries/1000)+"k", r.compactions, Math.round(r.meanPrompt)].join(" "), t2-t, t3-t2);
}
await crew.close();
