import {gunzipSync} from "node:zlib";import {readFileSync,readdirSync,writeFileSync} from "node:fs";import {it} from "vitest";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { findKeyedSecrets } from "../../src/redaction/keyed-secrets.ts";
import { createShapeFinder } from "../../src/redaction/token-shapes.ts";
it("x",()=>{const r=createRedactor(); const out:string[]=[]; const fs=createShapeFinder();
let bytes=0,ms=0,jms=0,idem=0,files=0,badall=0;
for(const d of ["transcripts/","memory-md/","observations/","decisions/","derived/"]) for(const f of readdirSync("/work/shared/corpus/"+d,{recursive:true}) as string[]){ if(!/(json|jsonl|md|yaml|yml|txt)(\.gz)?$/.test(f)) continue; const b=readFileSync("/work/shared/corpus/"+d+f); const s=(f.endsWith(".gz")?gunzipSync(b):b).toString();
 let t=performance.now(); const o=r.text(s); ms+=performance.now()-t; bytes+=s.length; files++;
 if(r.text(o)!==o){idem++; out.push("NOTIDEM "+f)}
 const lines:unknown[]=[]; for(const l of s.split("\n")){try{lines.push(JSON.parse(l))}catch{continue} try{JSON.parse(r.text(l))}catch{badall++}}
 t=performance.now(); r.json(lines); jms+=performance.now()-t;
 for(const sp of [...findKeyedSecrets(s).map(x=>["K",x] as const),...fs(s).map(x=>["S",x] as const)]) out.push(sp[0]+" "+s.slice(Math.max(0,sp[1].start-60),sp[1].start).replace(/\n/g,"⏎")+"⟦"+s.slice(sp[1].start,Math.min(sp[1].end,sp[1].start+70))+"⟧"+s.slice(sp[1].end,sp[1].end+15).replace(/\n/g,"⏎"));
}
out.unshift(`files ${files} bytes ${bytes} text ${(bytes/1e3/ms).toFixed(1)} MB/s json ${(bytes/1e3/jms).toFixed(1)} idem ${idem} badjson ${badall} finds ${out.length}`);
writeFileSync("/tmp/red.txt",out.join("\n"));},100000);
