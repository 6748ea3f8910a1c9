import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** In bytes, compressed with gzip. */
const limits = { firstScripts: 150_000, styles: 20_000, firstList: 190_000, page: 285_000, furtherChunk: 60_000, overlays: 75_000 }
/** Name of the chunk of the page that users open first and most often. */
const listOfTraces = 'calls'
const folder = new URL('dist/', import.meta.url)

/**
 * @typedef {{ file: string, name?: string, isEntry?: boolean, imports?: string[], dynamicImports?: string[], css?: string[] }} Chunk a file in the
 * build's manifest
 */
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(new URL('node_modules/.manifest.json', import.meta.url), 'utf8'))

/** The entry and a chunk, with all that they import statically: what a browser loads before it shows them. @param {string} [key] @returns {Set<string>} */
function chunksOf(key) {
  const found = new Set(Object.keys(manifest).filter((one) => manifest[one]?.isEntry || one === key))
  for (const one of found) for (const imported of manifest[one]?.imports ?? []) found.add(imported)
  return found
}

/** @param {string} file */
const sizeOf = (file) => gzipSync(readFileSync(new URL(file, folder))).length
/** @param {Iterable<string>} files */
const sumOf = (files) => [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0)

const first = chunksOf()
/** @param {Set<string>} names */
const filesOf = (names) => [...names].flatMap((name) => manifest[name] ?? [])
/** @param {Set<string>} names */
const scriptsOf = (names) =>
  sumOf(
    filesOf(names)
      .map(({ file }) => file)
      .filter((file) => file.endsWith('.js')),
  )
/** @param {Set<string>} names */
const stylesOf = (names) => sumOf(filesOf(names).flatMap(({ css = [] }) => css))
/** @param {string} key */
const nameOf = (key) => manifest[key]?.name ?? key
// The router imports each page when it is opened. Some pages are in chunks that several of them share.
const pages = [...first]
  .flatMap((key) => manifest[key]?.dynamicImports ?? [])
  .filter((key) => key.startsWith('src/pages/') || ['calls', 'trace'].includes(nameOf(key)))
const overlays = Object.keys(manifest).filter((key) => nameOf(key) === 'overlays')
if (pages.length < 30 || overlays.length === 0)
  throw new Error('the manifest does not name the pages and the overlays as before: correct this check')
const measured = [
  { what: 'scripts of every page', bytes: scriptsOf(first), limit: limits.firstScripts },
  ...pages.map((key) => ({
    what: `scripts of ${nameOf(key)}`,
    bytes: scriptsOf(chunksOf(key)),
    limit: nameOf(key) === listOfTraces ? limits.firstList : limits.page,
  })),
  ...pages.map((key) => ({ what: `styles of ${nameOf(key)}`, bytes: stylesOf(chunksOf(key)), limit: limits.styles })),
  { what: 'menus, selects and dialogs', bytes: scriptsOf(new Set(overlays)), limit: limits.overlays },
  ...Object.entries(manifest)
    .filter(([name, { file }]) => !first.has(name) && !overlays.includes(name) && file.endsWith('.js'))
    .map(([name, { file }]) => ({ what: name, bytes: sizeOf(file), limit: limits.furtherChunk })),
]
for (const { what, bytes, limit } of measured) {
  const line = `${(bytes / 1000).toFixed(1).padStart(7)} kB of ${limit / 1000} kB  ${what}\n`
  process.stdout.write(line)
}
const exceeded = measured.filter(({ bytes, limit }) => bytes > limit)
if (exceeded.length > 0) {
  process.stderr.write(
    `too large after gzip: ${exceeded.map(({ what }) => what).join(', ')}. Load what a page does not need at once by import().\n`,
  )
  process.exitCode = 1
}
