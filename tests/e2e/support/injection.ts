/**
 * Texts that would run something if any of them became markup, an address or a style on the way to
 * the screen. All of them set one global name, so that one look at the page tells whether one did.
 */
const MARK = '__ran';
const RUN = `globalThis.${MARK}=1`;
const QUOTED = `globalThis['${MARK}']=1`;

const HANDLERS = [
  ['img src=x', 'onerror'],
  ['img src=x srcset=,,,', 'onerror'],
  ['svg', 'onload'],
  ['svg><animate attributeName=x dur=1s', 'onbegin'],
  ['svg><set attributeName=x', 'onend'],
  ['math href=x', 'onclick'],
  ['body', 'onload'],
  ['body', 'onpageshow'],
  ['video><source', 'onerror'],
  ['audio src=x', 'onerror'],
  ['video poster=x src=x', 'onerror'],
  ['input autofocus', 'onfocus'],
  ['button autofocus', 'onfocus'],
  ['select autofocus', 'onfocus'],
  ['textarea autofocus', 'onfocus'],
  ['details open', 'ontoggle'],
  ['p tabindex=0 autofocus', 'onfocus'],
  ['marquee', 'onstart'],
  ['object data=x', 'onerror'],
  ['embed src=x', 'onload'],
  ['iframe src=/404', 'onload'],
  ['link rel=stylesheet href=/404', 'onerror'],
  ['script src=/404', 'onerror'],
  ['style', 'onload'],
  ['dialog open', 'ontoggle'],
  ['p style=animation-name:x', 'onanimationstart'],
  ['p popover', 'onbeforetoggle'],
  ['abbr', 'onmouseover'],
  ['kbd', 'onpointerenter'],
  ['br', 'onclick'],
];

/** How attributes may be written so that a parser of our own misses them. */
const SPELLINGS: ((tag: string, handler: string) => string)[] = [
  (tag, handler) => `<${tag} ${handler}="${RUN}">`,
  (tag, handler) => `<${tag.toUpperCase()} ${handler.toUpperCase()}=${QUOTED}>`,
  (tag, handler) => `<${tag.replaceAll(' ', '/')}/${handler}='${RUN}'//>`,
  (tag, handler) => `<${tag.replaceAll(' ', '\n')}\n${handler}\n=\n"${RUN}"\n>`,
  (tag, handler) => `<${tag} title="a>b" ${handler}="${RUN}"`,
];

const WHOLE = [
  `<script>${RUN}</script>`,
  `<ScRiPt >${RUN}</sCrIpT\t\n foo>`,
  `<script\n>${RUN}</script\n>`,
  `<script type=module>${RUN}</script>`,
  `<script src="data:text/javascript,${RUN}"></script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<<script>${RUN}//<</script>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text x=9 y=9>x</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><image href=x onerror=${RUN} /></svg>#x">`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${MARK}=1</script>"></foreignObject></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror="${RUN}"></annotation-xml></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<title><img src=x onerror=${RUN}></title>`,
  `<textarea><img src=x onerror=${RUN}></textarea><img src=x onerror=${RUN}>`,
  `<xmp><img src=x onerror=${RUN}></xmp>`,
  `<plaintext><img src=x onerror=${RUN}>`,
  `<select><template><style></select><img src=x onerror=${RUN}>`,
  `<table><td><a href=javascript:${RUN}>x</a></td></table>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!-- --!><img src=x onerror=${RUN}> -->`,
  `<!---><img src=x onerror=${RUN}>`,
  `<![CDATA[><img src=x onerror=${RUN}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${RUN}>`,
  `<!DOCTYPE x [<!ENTITY y "<script>${RUN}</script>">]>&y;`,
  `<% <img src=x onerror=${RUN}> %>`,
  `</p><img src=x onerror=${RUN}>`,
  `</div></div></article></main><script>${RUN}</script>`,
  `<iframe src="javascript:parent.${MARK}=1"></iframe>`,
  `<iframe srcdoc="&lt;script&gt;parent.${MARK}=1&lt;/script&gt;"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<base href="javascript:/${RUN}//">`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<link rel=import href="data:text/html,<script>${RUN}</script>">`,
  `<style>@import 'data:text/css,*{x:expression(${RUN})}';</style>`,
  `<p style="background:url(javascript:${RUN})">x</p>`,
  `<form action="javascript:${RUN}"><button autofocus>x</button></form>`,
  `<button formaction="javascript:${RUN}">x</button>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<a href="jav&#x09;ascript:${RUN}">x</a>`,
  `<a href="&#106;avascript:${RUN}">x</a>`,
  `<a href=" &#14; javascript:${RUN}">x</a>`,
  `<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>`,
  `<abbr title="x" onmouseover="${RUN}" autofocus tabindex=0>x</abbr>`,
  `<abbr title="&quot; onmouseover=&quot;${RUN}">x</abbr>`,
  `<abbr title='"><img src=x onerror=${RUN}>'>x</abbr>`,
  `<details open ontoggle=${RUN}><summary>x</summary></details>`,
  `<kbd\u0000 onclick=${RUN}>x</kbd>`,
  `\u0000<img src=x onerror=${RUN}>`,
  `\ufeff<img src=x onerror=${RUN}>`,
  `<img src=x onerror\u0000=${RUN}>`,
  `<img\u000csrc=x\u000conerror=${RUN}>`,
  `＜img src=x onerror=${RUN}＞`,
  `\u202e<img src=x onerror=${RUN}>`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `&amp;lt;img src=x onerror=${RUN}&amp;gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `\\x3cimg src=x onerror=${RUN}\\x3e`,
  `%3Cimg%20src=x%20onerror=${RUN}%3E`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `"onmouseover="${RUN}`,
  `'autofocus onfocus='${RUN}`,
  `\`onmouseover=${RUN}`,
  `"><script>${RUN}</script>`,
  `'-${RUN}-'`,
  `";${RUN};//`,
  `</script><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</mark><img src=x onerror=${RUN}><mark>`,
  `]]><img src=x onerror=${RUN}>`,
];

export const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `javascript&colon;${RUN}`,
  `java\tscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `&#x6A;avascript:${RUN}`,
  `javascript:%67lobalThis.${MARK}=1`,
  `javascript://x%0A${RUN}`,
  `view-source:javascript:${RUN}`,
  `vbscript:${RUN}`,
  `livescript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/javascript,${RUN}`,
  `data:image/svg+xml,<svg onload=${RUN}>`,
  `data:application/xhtml+xml,<x/>`,
  `blob:https://elsewhere.example/1`,
  `filesystem:https://elsewhere.example/1`,
  'file:///etc/passwd',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '\\\\elsewhere.example',
];

/** Every text once. */
export const VECTORS: readonly string[] = [
  ...new Set([
    ...HANDLERS.flatMap(([tag = '', handler = '']) =>
      SPELLINGS.map((spell) => spell(tag, handler)),
    ),
    ...WHOLE,
    ...ADDRESSES,
  ]),
];

/** Ways to put a text into Markdown; the number makes labels unlike each other. */
const PLACES: ((text: string, number: number) => string)[] = [
  (text) => text,
  (text) => `Before ${text} after.`,
  (text) => `## ${oneLine(text)}`,
  (text) => `- ${oneLine(text)}`,
  (text) => `| a | b |\n| - | - |\n| ${cell(text)} | x |`,
  (text) => `> [!NOTE]\n> ${oneLine(text)}`,
  (text) => `\`${oneLine(text)}\``,
  (text) => `\`\`\`${oneLine(text)}\ncode\n\`\`\``,
  (text) => `\`\`\`html title="${oneLine(text)}"\n${text}\n\`\`\``,
  (text, number) => `Note[^${number}].\n\n[^${number}]: ${oneLine(text)}`,
  (text) => `**${oneLine(text)}** *${oneLine(text)}* ~~${oneLine(text)}~~`,
  (text) => `$${oneLine(text)}$`,
  (text) =>
    `\`\`\`mermaid\nflowchart LR\n  a["${oneLine(text).replaceAll('"', '&quot;')}"] -->|${oneLine(text)}| b\n\`\`\``,
  (text) => `\`\`\`mermaid\nsequenceDiagram\n  A->>B: ${oneLine(text)}\n\`\`\``,
  (text) => `\`\`\`mermaid\npie title ${oneLine(text)}\n  "a" : 1\n\`\`\``,
];

/** Ways to put an address into Markdown. */
const LINKS: ((address: string, number: number) => string)[] = [
  (address) => `[x](<${oneLine(address)}>)`,
  (address) => `[x](${address.replace(/\s/g, '')})`,
  (address) => `![x](<${oneLine(address)}>)`,
  (address, number) => `[x][r${number}]\n\n[r${number}]: <${oneLine(address)}>`,
  (address) => `<${oneLine(address)}>`,
  (address) =>
    `\`\`\`mermaid\nflowchart LR\n  a --> b\n  style b fill:url(${oneLine(address)})\n  click a "${oneLine(address)}"\n\`\`\``,
  (address) => `[x](https://example.org "${oneLine(address).replaceAll('"', '&quot;')}")`,
];

/** Pieces of Markdown, one for each vector in each place. */
export function markdownPieces(): string[] {
  let number = 0;
  const make = (places: typeof PLACES, texts: readonly string[]) =>
    places.flatMap((place) =>
      texts.map((text) => {
        number += 1;
        return place(text, number);
      }),
    );
  return [...make(PLACES, VECTORS), ...make(LINKS, ADDRESSES)];
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}
