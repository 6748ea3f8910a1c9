import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * @typedef {object} Chunk a script of the bundle
 * @property {'chunk'} type
 * @property {string} fileName
 * @property {string} code
 * @property {string[]} imports names of the files that it imports statically
 * @property {string[]} dynamicImports names of the files that it imports by `import()`
 * @property {Record<string, unknown>} modules by their ids
 * @property {boolean} isEntry
 */
/** @typedef {Record<string, Chunk | { type: 'asset' }>} Bundle */

/** Pages within another, which are fetched with it. @type {Record<string, string>} */
const around = { 'thread-page': 'threads-page' }

/** @param {Bundle} bundle @returns {Chunk[]} */
const chunksIn = (bundle) => Object.values(bundle).filter((file) => file.type === 'chunk')

/**
 * The chunks that a browser fetches first: of the entry, and of each page, which the router imports when it is opened.
 * @param {Bundle} bundle @param {readonly string[]} pages ids of the pages' modules
 */
export function startsOfPages(bundle, pages) {
  const chunks = chunksIn(bundle)
  const entry = chunks.find(({ isEntry }) => isEntry)?.fileName
  const fileOf = new Map(pages.map((id) => [basename(id, '.tsx'), chunks.find(({ modules }) => id in modules)?.fileName]))
  /** @param {string} name */
  const startsOf = (name) => [entry, fileOf.get(around[name] ?? name), fileOf.get(name)].filter((file) => file !== undefined)
  return new Map([...fileOf.keys()].map((name) => [name, [...new Set(startsOf(name))]]))
}

/**
 * What pages may fetch after their start: all that they import by `import()`, without other pages.
 * @param {Bundle} bundle @param {ReturnType<typeof startsOfPages>} starts
 */
export function laterOfPages(bundle, starts) {
  const ofPages = new Set([...starts.values()].flat())
  return [...starts.values()].map((files) => {
    const found = new Set(files)
    for (const file of found) {
      const chunk = bundle[file]
      if (chunk?.type !== 'chunk') continue
      for (const imported of chunk.imports) found.add(imported)
      for (const imported of chunk.dynamicImports) if (!ofPages.has(imported)) found.add(imported)
    }
    return [...found].filter((file) => bundle[file]?.type === 'chunk')
  })
}

/** The code of a bundle as the planner of chunks wants it. @param {Bundle} bundle */
export const partsOf = (bundle) =>
  chunksIn(bundle).map(({ fileName, code, imports }) => ({
    name: fileName,
    bytes: gzipSync(code).length,
    imports: imports.filter((name) => bundle[name]?.type === 'chunk'),
  }))

/** The modules of chunks. @param {Bundle} bundle @param {readonly string[]} files */
export const modulesOf = (bundle, files) =>
  new Set(chunksIn(bundle).flatMap(({ fileName, modules }) => (files.includes(fileName) ? Object.keys(modules) : [])))
