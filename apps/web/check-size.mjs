import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** In bytes, compressed with gzip. */
const limits = { firstScripts: 150_000, firstStyles: 20_000, furtherChunk: 60_000 }
const folder = new URL('dist/', import.meta.url)

/** @typedef {{ file: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk what the manifest of the build says of a file */
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(new URL('node_modules/.manifest.json', import.meta.url), 'utf8'))

/** Chunks that a page cannot start without: the entry and all that it imports statically. @returns {Set<string>} */
function firstChunks() {
  const found = new Set(Object.keys(manifest).filter((name) => manifest[name]?.isEntry))
  for (const name of found) for (const imported of manifest[name]?.imports ?? []) found.add(imported)
  return found
}

/** @param {string} file */
const sizeOf = (file) => gzipSync(readFileSync(new URL(file, folder))).length
/** @param {Iterable<string>} files */
const sumOf = (files) => [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0)

const first = firstChunks()
const chunks = [...first].flatMap((name) => manifest[name] ?? [])
const measured = [
  {
    what: 'scripts of the first load',
    bytes: sumOf(chunks.map(({ file }) => file).filter((file) => file.endsWith('.js'))),
    limit: limits.firstScripts,
  },
  { what: 'styles of the first load', bytes: sumOf(chunks.flatMap(({ css = [] }) => css)), limit: limits.firstStyles },
  ...Object.entries(manifest)
    .filter(([name, { file }]) => !first.has(name) && file.endsWith('.js'))
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
