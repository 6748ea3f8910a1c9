import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** In bytes, compressed with gzip. */
const limits = { traces: 190_000, page: 200_000, styles: 20_000, furtherChunk: 60_000, overlays: 75_000 }
/** How many scripts a page fetches at its first load. */
const mostScripts = 12
const folder = new URL('dist/', import.meta.url)

/** @typedef {{ file: string, name?: string, imports?: string[], css?: string[] }} Chunk a file in the build's manifest */
/** @type {{ chunks: Record<string, Chunk>, pages: Record<string, string[]> }} `pages` has the files that each page begins with */
const { chunks, pages } = JSON.parse(readFileSync(new URL('node_modules/.built.json', import.meta.url), 'utf8'))
/** @param {string} file */
const chunkOf = (file) => Object.values(chunks).find((chunk) => chunk.file === file)

/** Files that are fetched with files: what they import statically, and its styles. @param {Iterable<string>} files */
function withImports(files) {
  const found = new Set(files)
  for (const file of found) {
    const { imports = [], css = [] } = chunkOf(file) ?? {}
    for (const name of imports) found.add(chunks[name]?.file ?? '')
    for (const one of css) found.add(one)
  }
  return [...found]
}

/** What the page of every address names: its script and styles, and all that it has the browser fetch ahead. */
const named = [...readFileSync(new URL('index.html', folder), 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
  ([, file = '']) => file,
)

/** @param {readonly string[]} files */
const bytesOf = (files) => files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, folder))).length, 0)
/** @param {readonly string[]} files */
const scriptsOf = (files) => files.filter((file) => file.endsWith('.js'))
/** @param {readonly string[]} files */
const stylesOf = (files) => files.filter((file) => file.endsWith('.css'))

const firstLoads = Object.entries(pages).map(([page, starts]) => ({ page, files: withImports([...named, ...starts]) }))
const fetchedFirst = new Set(firstLoads.flatMap(({ files }) => files))
const further = Object.values(chunks).filter(({ file }) => file.endsWith('.js') && !fetchedFirst.has(file))
const overlays = further.filter(({ name }) => name === 'overlays').map(({ file }) => file)
if (firstLoads.length < 30 || named.length < 2 || overlays.length === 0)
  throw new Error('the build does not name its pages, scripts and overlays as before: correct this check')

const measured = [
  { what: 'scripts of every page', bytes: bytesOf(scriptsOf(withImports(named))), limit: limits.traces },
  ...firstLoads.flatMap(({ page, files }) => {
    const scripts = scriptsOf(files)
    return [
      { what: `${scripts.length} scripts of ${page}`, bytes: bytesOf(scripts), limit: page === 'calls-page' ? limits.traces : limits.page },
      { what: `styles of ${page}`, bytes: bytesOf(stylesOf(files)), limit: limits.styles },
    ]
  }),
  { what: 'menus, selects and dialogs', bytes: bytesOf(overlays), limit: limits.overlays },
  ...further
    .filter(({ file }) => !overlays.includes(file))
    .map(({ file }) => ({ what: file, bytes: bytesOf([file]), limit: limits.furtherChunk })),
]
for (const { what, bytes, limit } of measured)
  process.stdout.write(`${(bytes / 1000).toFixed(1).padStart(7)} kB of ${limit / 1000} kB  ${what}\n`)

const faults = [
  ...measured
    .filter(({ bytes, limit }) => bytes > limit)
    .map(({ what }) => `too large after gzip: ${what}. Load what a page does not need at once by import().`),
  ...firstLoads
    .filter(({ files }) => scriptsOf(files).length > mostScripts)
    .map(
      ({ page, files }) =>
        `${page} fetches ${scriptsOf(files).length} scripts of at most ${mostScripts}: lower the number of requests in build.mjs.`,
    ),
]
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`)
  process.exitCode = 1
}
