import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { OpenRawRoute } from './mount-options.ts'
import { contentTypeOf } from '../response/content-types.ts'
import { etagOf, openStaticFolder, type StaticFile, type StaticFolder, type StaticVariant } from '../response/read-static-files.ts'

export interface StaticFilesOptions {
  /** A built user interface. Read once, when it is first needed: changes after that are served after a restart. */
  folder: string
  /** Most bytes of all its files, which are kept in memory once one was needed. Default 64 MiB. */
  maxBytes?: number
  /**
   * Prefixed to the addresses in `index.html`, the only file that references others from the root. Default `''`: the page is sent as it was built.
   */
  basePath?: string
}

/** Options of `mount` that serve files. */
export interface StaticRoutes {
  raw: readonly OpenRawRoute[]
  page: OpenRawRoute['handle']
}

/**
 * The files of a folder, for `mount`: each under its path, and `index.html` at the root and for every unknown path that a browser opens, so
 * that client-side routes work.
 * @throws Error when the folder has no `index.html`, or cannot be read or served
 */
export async function staticFiles({ folder, maxBytes = 64 * 2 ** 20, basePath = '' }: StaticFilesOptions): Promise<StaticRoutes> {
  const built = await openStaticFolder(folder, maxBytes)
  const index = '/index.html'
  if (!built.paths.includes(index)) throw new Error(`cannot serve ${folder}: it has no index.html; build the user interface first`)
  const page = answerWith({ path: index, read: readerOf(built, index, basePath) })
  const raw = built.paths.flatMap((path) => routesOf(path, path === index ? page : answerWith({ path, read: readerOf(built, path) })))
  return { raw: [...raw, ...routesOf('/', page)], page }
}

/**
 * The pages of a folder, for `mount` below a prefix: `x.html` under `/x`, `index.html` under the prefix with a slash, all else under its path. A browser
 * that opens another path gets `404.html`, whose addresses from the root get the base path in front; other pages must reference files relatively.
 * @throws Error when the folder has no `index.html` or `404.html`, or cannot be read or served
 */
export async function staticSite({ folder, maxBytes = 64 * 2 ** 20, basePath = '' }: StaticFilesOptions): Promise<StaticRoutes> {
  const built = await openStaticFolder(folder, maxBytes)
  for (const path of ['/index.html', missingPage])
    if (!built.paths.includes(path)) throw new Error(`cannot serve ${folder}: it has no ${path.slice(1)}`)
  const answerMissing = answerWith({ path: missingPage, read: readerOf(built, missingPage, basePath), status: 404 })
  const raw = built.paths
    .filter((path) => path !== missingPage)
    .flatMap((path) => routesOf(path.replace(/(?:(?<=\/)index)?\.html$/, ''), answerWith({ path, read: readerOf(built, path) })))
  // Without the slash at the end, the relative addresses of the first page would miss the prefix.
  const toFirstPage: Answer = ({ url }) => {
    const name = new URL(url).pathname.split('/').at(-1) ?? ''
    return new Response(null, { status: 308, headers: { location: `${name}/`, 'cache-control': 'no-cache' } })
  }
  return { raw: [...raw, ...routesOf('', toFirstPage)], page: answerMissing }
}

type Answer = OpenRawRoute['handle']

/** Shown for every path of a site that it does not have. */
const missingPage = '/404.html'

/** Reads a file; with a base path, its addresses are completed once. */
function readerOf(folder: StaticFolder, path: string, basePath = ''): () => Promise<StaticFile> {
  if (basePath === '') return () => folder.read(path)
  let completed: StaticFile | undefined
  return async () => (completed ??= completeAddresses(await folder.read(path), basePath))
}

function routesOf(path: string, handle: Answer): OpenRawRoute[] {
  return (['GET', 'HEAD'] as const).map((method) => ({ name: 'files', method, path, open: true, handle }))
}

/** Files with a hash in their name are immutable; all others are revalidated. */
const cacheControlOf = (path: string) => (isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')

/** As in `/assets/index-4fGh7_kQ.js`. Without a digit or capital it may be a word instead of a hash. */
const isHashed = (path: string) => /^\/assets\/.*[-.](?=[\w-]*[A-Z\d])[\w-]{8,}(?:\.\w+)+$/.test(path)

interface AnsweredFile {
  path: string
  read(): Promise<StaticFile>
  /** Default 200. */
  status?: number
}

function answerWith({ path, read, status = 200 }: AnsweredFile): Answer {
  const fixed = {
    'content-type': contentTypeOf(path),
    'cache-control': cacheControlOf(path),
    'content-security-policy': pagePolicy,
  }
  return async ({ headers: requested }) => {
    const { variants } = await read()
    const headers = { ...fixed, ...(variants.length > 1 && { vary: 'accept-encoding' }) }
    const { encoding, bytes, etag } = pickVariant(variants, requested.get('accept-encoding') ?? '')
    if (status === 200 && isKnown(etag, requested.get('if-none-match')))
      return new Response(null, { status: 304, headers: { ...headers, etag } })
    const content = { ...(encoding && { 'content-encoding': encoding }), 'content-length': String(bytes.byteLength) }
    return new Response(bytes, { status, headers: { ...headers, ...content, etag } })
  }
}

/** The first variant that the client accepts. */
function pickVariant(variants: readonly StaticVariant[], acceptEncoding: string): StaticVariant {
  const accepted = new Set(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
      .map((coding) => coding.split(';', 1)[0]!.trim()),
  )
  return variants.find(({ encoding }) => encoding === undefined || accepted.has(encoding))!
}

/** Weak comparison, as RFC 9110, 13.1.2, requires for a GET. */
function isKnown(etag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((known) => ['*', etag].includes(known.trim().replace(/^W\//, '')))
}

/**
 * Content security policy of our pages: load and fetch only from this server, no inline scripts, no text turned into code or markup, no framing.
 * Images and sound may also use `blob:` URLs, which show data of a response.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const compress = { br: brotliCompressSync, gzip: gzipSync }

/** A page with the base path before each address in it that begins at the root, in the encodings in which it was built. */
function completeAddresses({ path, variants }: StaticFile, basePath: string): StaticFile {
  const html = new TextDecoder().decode(variants.at(-1)!.bytes)
  const completed = new TextEncoder().encode(html.replace(/ (href|src|content|data-\w+)="\/(?!\/)/g, ` $1="${basePath}/`))
  return {
    path,
    variants: variants.map(({ encoding }) => {
      const bytes = Uint8Array.from(encoding ? compress[encoding](completed) : completed)
      return { ...(encoding && { encoding }), bytes, etag: etagOf(bytes) }
    }),
  }
}
