// A second place to think: the same program, without a page. Messages that come before it is ready wait.
import init, { worker_hears } from '{{app}}';

const waiting = [];
let ready = false;
onmessage = ({ data }) => { if (ready) worker_hears(data); else waiting.push(data); };
init().then(() => {
  ready = true;
  for (const data of waiting) worker_hears(data);
});
