/** Tags and events that run scripts where a page takes a text for markup. */
const tags = [
  'img src=x',
  'svg',
  'body',
  'video src=x',
  'audio src=x',
  'details open',
  'input autofocus',
  'marquee',
  'iframe',
  'object data=x',
]
const events = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onpointerenter', 'onanimationstart', 'onloadstart', 'onfocusin', 'onbegin']
const handlers = tags.flatMap((tag) => events.map((event) => `<${tag} ${event}="window.attacked = true">`))

const attack = 'window.attacked=true'
/** Ways to write the same script so that a filter by its words lets it through. */
const disguised = [
  `<ScRiPt>${attack}</sCrIpT>`,
  `<script\t>${attack}</script\n>`,
  `<<script>${attack}//<</script>`,
  `<script/x>${attack}</script>`,
  `&lt;script&gt;${attack}&lt;/script&gt;`,
  `%3Cscript%3E${attack}%3C/script%3E`,
  `\\u003cscript\\u003e${attack}\\u003c/script\\u003e`,
  `<scr<script>ipt>${attack}</scr</script>ipt>`,
  `<svg><script>${attack}</script></svg>`,
  `<math><mtext><script>${attack}</script></mtext></math>`,
  `<noscript><p title="</noscript><script>${attack}</script>">`,
  `<template><script>${attack}</script></template>`,
  `--><script>${attack}</script>`,
  `]]><script>${attack}</script>`,
  `</title><script>${attack}</script>`,
  `</textarea><script>${attack}</script>`,
  `</pre><script>${attack}</script>`,
  `<img src="x\` \`<script>${attack}</script>"\` \`>`,
  `+ADw-script+AD4-${attack}+ADw-/script+AD4-`,
  `'; ${attack}; '`,
  `"; ${attack}; "`,
  `\`; ${attack}; \``,
  `*/ ${attack} /*`,
]

/** What would reach another host, or leave the page. */
const leaving = ['src', 'href', 'poster', 'background', 'data', 'srcset', 'formaction', 'ping'].flatMap((name) =>
  ['https:', ''].map((scheme) => `<a ${name}="${scheme}//attacker.invalid/${name}">x</a>`),
)
const styles = [
  '<style>@import "https://attacker.invalid/a.css"</style>',
  '<style>body { background: url(https://attacker.invalid/a.png) }</style>',
  '<div style="background: url(https://attacker.invalid/b.png)">x</div>',
  '<div style="position: fixed; inset: 0; z-index: 999; background: red">over all</div>',
  '<link rel="prefetch" href="https://attacker.invalid/a">',
  '<link rel="dns-prefetch" href="//attacker.invalid">',
  '<link rel="manifest" href="https://attacker.invalid/a.json">',
  '<embed src="https://attacker.invalid/a.swf">',
  '<table background="https://attacker.invalid/c.png"><tr><td>x</td></tr></table>',
]

/** What Markdown, templates and terminals might act on. */
const markdown = [
  '![picture](//attacker.invalid/pixel.png "title")',
  '[a]: javascript:window.attacked=true\n[a]',
  '<javascript:window.attacked=true>',
  '[link](data:text/html,<script>window.attacked=true</script>)',
  '[link](  javascript:window.attacked=true)',
  '[link](java\tscript:window.attacked=true)',
  '```html\n<script>window.attacked=true</script>\n```',
  '| a | b |\n| - | - |\n| <img src=x onerror="window.attacked = true"> | x |',
  '{{7*7}}',
  '{% include "/etc/passwd" %}',
  '<%= window.attacked = true %>',
  '#{window.attacked = true}',
  '[[constructor.constructor("window.attacked=true")()]]',
  '\u001B]8;;https://attacker.invalid\u0007link\u001B]8;;\u0007',
  '\u001B[2J\u001B[H',
]

/** What breaks names, numbers, layout and lookups. */
const odd = [
  '',
  ' ',
  '\n\n\n',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__.polluted',
  'NaN',
  '-0',
  '1e999',
  'null',
  'undefined',
  "' OR 1=1 --",
  '"; DROP TABLE calls; --',
  '../../../../etc/passwd',
  'C:\\Windows\\system32',
  'weave:///other/project/call/00000000-0000-0000-0000-000000000000',
  '🏳️‍🌈'.repeat(50),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́O̵̹̻̝̳͂̌̌͘',
  '\uD800 half a character',
  '\u200B\u200C\u200D\uFEFF',
  '‮⁦right to left⁩',
  'word '.repeat(2_000),
  `[${'['.repeat(500)}${']'.repeat(500)}]`,
]

/**
 * Two hundred texts that would do something if a page took them for anything but text. Those with a script set `window.attacked`, and those
 * with an address would reach another host.
 */
export const hostileTexts: readonly string[] = [
  '<script>window.attacked = true</script>',
  '<img src=x onerror="window.attacked = true">',
  '<svg onload="window.attacked = true"><circle r=9></svg>',
  '<iframe srcdoc="<script>parent.attacked = true</script>"></iframe>',
  '<a href="javascript:window.attacked = true">link</a>',
  '[link](javascript:window.attacked=true)',
  '![picture](https://attacker.invalid/pixel.png)',
  '<img src="https://attacker.invalid/pixel.png">',
  '<link rel=stylesheet href="https://attacker.invalid/a.css">',
  '<style>* { display: none !important }</style>',
  '<meta http-equiv="refresh" content="0; url=https://attacker.invalid/">',
  '<base href="https://attacker.invalid/">',
  '<form action="https://attacker.invalid/"><button>send</button></form>',
  '<object data="data:text/html,<script>parent.attacked = true</script>"></object>',
  '"><script>window.attacked = true</script>',
  "'-(window.attacked = true)-'",
  '{{constructor.constructor("window.attacked = true")()}}',
  '${window.attacked = true}',
  'javascript:window.attacked=true',
  'data:text/html,<script>window.attacked=true</script>',
  '\u202Egnp.exe\u202C right to left',
  '\u0000\u0001\u001B[31mred\u001B[0m',
  '__proto__',
  'a'.repeat(5_000),
  '%00%2e%2e%2f..\\..\\',
  ...handlers,
  ...disguised,
  ...leaving,
  ...styles,
  ...markdown,
  ...odd,
]
