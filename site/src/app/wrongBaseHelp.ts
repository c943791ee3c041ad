/** On the page that shows the right base: it lies at the base itself, wherever that is. */
const { base = '/' } = (document.currentScript as HTMLScriptElement).dataset;
const found = document.getElementById('found');
const actual = new URL('.', location.href).pathname;

if (found) {
  const code = document.createElement('code');
  code.textContent = `base = "${actual}"`;
  found.replaceChildren(
    ...(actual === base
      ? ['It is published there, too: the base URL is right.']
      : [
          'It is published elsewhere. Put ',
          code,
          ' below [site] in siftwren.toml and build again.',
        ]),
  );
}
