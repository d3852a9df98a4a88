// A second place to think: the same program, without a page. It hears one thing after the other, and fetches the pieces it needs.
import init, { worker_hears } from '{{app}}';

let turn = init();
onmessage = ({ data }) => { turn = turn.then(() => worker_hears(data)); };
