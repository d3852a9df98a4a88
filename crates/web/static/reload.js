
// Only in the page of a quick build, which somebody is working on (`cargo xtask watch`): a page of another version takes its place.
setInterval(async () => {
  const page = await fetch('/index.html', { cache: 'no-store' }).then((answer) => answer.text()).catch(() => '');
  const version = /name="version" content="([^"]*)"/.exec(page)?.[1];
  if (version && version !== document.querySelector('meta[name=version]')?.content) location.reload();
}, 1000);
