// Times the module of in_wasm.rs in processor time: node in_wasm.mjs MODULE [THROWS [SEED]]
import { readFileSync } from 'node:fs';

const [module, throws = '200', seed = '1'] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { open, solve, memory } = instance.exports;
const clock = () => { const used = process.cpuUsage(); return (used.user + used.system) / 1000; };

const begun = clock();
open();
console.log(`dictionary ${(clock() - begun).toFixed(0)} ms`);
for (let n = 0; n < 20; n++) solve(7, n); // draws the shapes, and lets the engine warm up
const times = [];
let sum = 0;
for (let n = 0; n < throws; n++) {
  const begun = clock();
  sum += solve(Number(seed), n);
  times.push(clock() - begun);
}
times.sort((a, b) => a - b);
const at = (p) => times[Math.min(times.length - 1, Math.floor(times.length * p / 100))].toFixed(2);
const mean = times.reduce((a, b) => a + b, 0) / times.length;
console.log(`proof: p50 ${at(50)} ms  p90 ${at(90)} ms  p99 ${at(99)} ms  max ${at(100)} ms  mean ${mean.toFixed(2)} ms`);
console.log(`${throws} throws, sum of scores ${sum}, memory ${(memory.buffer.byteLength / 2 ** 20).toFixed(1)} MiB`);
