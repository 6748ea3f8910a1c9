import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { asyncOnce } from '../async-once.ts'

/** One form of a file, as it is sent. */
export interface StaticVariant {
  /** Content-Encoding; absent for the file itself. */
  encoding?: 'br' | 'gzip'
  bytes: Uint8Array<ArrayBuffer>
  /** Strong, in quotation marks: another one for every other content. */
  etag: string
}

/** A file and its compressed forms, which are next to it. */
export interface StaticFile {
  /** Below the folder, with a slash in front: `/assets/index-4fGh7_kQ.js`. */
  path: string
  /** In the order of preference; the last one is the file itself. */
  variants: readonly StaticVariant[]
}

const encodings = [
  { ending: '.br', encoding: 'br' },
  { ending: '.gz', encoding: 'gzip' },
] as const

/** Paths whose characters are unchanged in a URL. */
const plainPath = /^(?:\/[\w@~-][\w.@~-]*)+$/

/** A folder whose files are known, and not read before one of them is needed. */
export interface StaticFolder {
  /** Of its files, without their compressed forms. */
  paths: readonly string[]
  /** One of its files. The first call reads all of them, so that they belong to one build. @throws Error for one that is gone since */
  read(path: string): Promise<StaticFile>
}

/**
 * Lists a folder, so that no path of a request ever becomes the path of a file. Leaves out links and names that begin with a dot.
 * `x.br` and `x.gz` are variants of `x` where that is there.
 * @throws Error for a name that a URL would change, or when the files have more than `maxBytes` in all
 */
export async function openStaticFolder(folder: string, maxBytes: number): Promise<StaticFolder> {
  const names = await listPaths(folder, maxBytes)
  const isVariant = (path: string) => encodings.some(({ ending }) => path.endsWith(ending) && names.has(path.slice(0, -ending.length)))
  const paths = [...names].filter((path) => !isVariant(path))
  const readAll = asyncOnce(() => readFiles(folder, names, paths))
  return {
    paths,
    async read(path) {
      const file = (await readAll()).get(path)
      if (!file) throw new Error(`${path.slice(1)} is no longer in ${folder}, which another build replaced: start the server again`)
      return file
    },
  }
}

async function listPaths(folder: string, maxBytes: number): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.flatMap((entry) => {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).replaceAll(sep, '/')}`
    if (!entry.isFile() || path.includes('/.')) return []
    if (!plainPath.test(path)) throw new Error(`cannot serve ${file}: its path may only contain letters, digits and -._~@`)
    return [{ file, path }]
  })
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size))
  if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes)
    throw new Error(`cannot serve ${folder}: its files have more than ${maxBytes} bytes`)
  return new Set(files.map(({ path }) => path))
}

/** Files that are read at the same time. */
const readAtOnce = 16

async function readFiles(folder: string, names: ReadonlySet<string>, paths: readonly string[]): Promise<Map<string, StaticFile>> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  const waiting = [...names]
  while (waiting.length > 0) {
    const some = waiting.splice(0, readAtOnce)
    const read = await Promise.all(some.map((path) => readFile(join(folder, path)).catch(unlessMissing)))
    for (const [at, bytes] of read.entries()) if (bytes !== undefined) contents.set(some[at]!, Uint8Array.from(bytes))
  }
  const variantOf = (path: string, encoding?: 'br' | 'gzip'): StaticVariant[] => {
    const bytes = contents.get(path)
    return bytes ? [{ ...(encoding && { encoding }), bytes, etag: etagOf(bytes) }] : []
  }
  return new Map(
    paths
      .filter((path) => contents.has(path))
      .map((path) => {
        const compressed = encodings.flatMap(({ ending, encoding }) => variantOf(path + ending, encoding))
        return [path, { path, variants: [...compressed, ...variantOf(path)] }]
      }),
  )
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** ETag of a form of a file with these bytes. */
export const etagOf = (bytes: Uint8Array) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
