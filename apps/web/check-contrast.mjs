import { readFileSync } from 'node:fs'

// Tests the colours of src/styles/tokens.css against WCAG 2.2: 4.5 for text (1.4.3), 3 for marks and edges of controls (1.4.11).
const text = 4.5
const mark = 3

/** @type {Map<string, string[]>} */
const tokens = new Map()
const css = readFileSync(new URL('src/styles/tokens.css', import.meta.url), 'utf8')
for (const [, name = '', light = '', dark = ''] of css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g))
  tokens.set(name, [light, dark])

/** Relative luminance. @param {string} color such as `#1b1a18` */
function luminanceOf(color) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @param {string} a @param {string} b */
function contrastOf(a, b) {
  const [dark = 0, light = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((first, second) => first - second)
  return (light + 0.05) / (dark + 0.05)
}

/** @param {string} name @returns {string[]} */
function colorsOf(name) {
  const colors = tokens.get(name)
  if (!colors) throw new Error(`tokens.css has no colour --${name} in the form light-dark(#rrggbb, #rrggbb)`)
  return colors
}

/** @param {string} front @param {string} back @param {number} least @returns {string[]} what is too close */
function check(front, back, least) {
  return ['light', 'dark'].flatMap((scheme, index) => {
    const contrast = contrastOf(colorsOf(front)[index] ?? '', colorsOf(back)[index] ?? '')
    return contrast < least ? [`${scheme}: --${front} on --${back} has ${contrast.toFixed(2)} of ${least}`] : []
  })
}

const surfaces = ['app', 'sheet', 'sunken', 'raised', 'hover', 'selected']
const status = ['red', 'green', 'amber', 'blue']
const texts = ['fg', 'fg-2', 'fg-3', ...['accent', ...status].map((name) => `${name}-text`)]
const marks = ['accent', ...status, ...[1, 2, 3, 4, 5, 6, 7, 8].map((series) => `s${series}`)]
const kinds = ['agent', 'llm', 'tool', 'retrieval', 'scorer', 'guard', 'fn'].map((kind) => `kind-${kind}`)

const faults = [
  ...surfaces.flatMap((surface) => [
    ...texts.flatMap((name) => check(name, surface, text)),
    ...marks.flatMap((name) => check(name, surface, mark)),
  ]),
  ...['sheet', 'sunken', 'raised'].flatMap((surface) => check('control', surface, mark)),
  ...['accent', ...status].flatMap((name) => check(`${name}-text`, `${name}-soft`, text)),
  ...kinds.flatMap((kind) => [...check(kind, `${kind}-soft`, text), ...check(kind, 'sheet', text)]),
  ...['key', 'string', 'number', 'word'].flatMap((name) => check(`code-${name}`, 'sunken', text)),
  ...check('ink-fg', 'ink', text),
  ...check('fg-2', 'active', text),
  ...check('fg-3', 'active', text),
  ...check('sheet', 'accent', text),
]
if (faults.length > 0) {
  process.stderr.write(`Colours that are too close, for WCAG 2.2:\n${faults.join('\n')}\n`)
  process.exitCode = 1
}
