
// What several games share travels as one file; each part of it is handed out as if it had come alone.
let whole;
function shared(from, to) {
  whole ??= fetch(new URL('{{shared}}', import.meta.url)).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    return answer.arrayBuffer();
  });
  whole.catch(() => { whole = undefined; });
  const part = (bytes) => new Response(bytes.slice(from, to), { headers: { 'content-type': 'application/wasm' } });
  return whole.then(part);
}
