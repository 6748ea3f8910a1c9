import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { OpenRawRoute } from '../routing/mount-options.ts'
import { contentTypeOf } from './content-types.ts'
import { etagOf, readStaticFiles, type StaticFile, type StaticVariant } from './read-static-files.ts'

export interface StaticFilesOptions {
  /** A built user interface. Read once: changes are served after a restart. */
  folder: string
  /** Most bytes of all its files, which are kept in memory. Default 64 MiB. */
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
  const built = await readStaticFiles(folder, maxBytes)
  const isPage = (path: string) => path === '/index.html'
  const files = built.map((file) => (basePath !== '' && isPage(file.path) ? completeAddresses(file, basePath) : file))
  const index = files.find(({ path }) => isPage(path))
  if (!index) throw new Error(`cannot serve ${folder}: it has no index.html; build the user interface first`)
  const page = answerWith(index)
  const raw = [...files.flatMap((file) => routesOf(file.path, answerWith(file))), ...routesOf('/', page)]
  return { raw, page }
}

/**
 * The pages of a folder, for `mount` below a prefix: `x.html` under `/x`, `index.html` under the prefix with a slash, all else under its path. A browser
 * that opens another path gets `404.html`, whose addresses from the root get the base path in front; other pages must reference files relatively.
 * @throws Error when the folder has no `index.html` or `404.html`, or cannot be read or served
 */
export async function staticSite({ folder, maxBytes = 64 * 2 ** 20, basePath = '' }: StaticFilesOptions): Promise<StaticRoutes> {
  const files = await readStaticFiles(folder, maxBytes)
  const fileAt = (path: string) => {
    const file = files.find((one) => one.path === path)
    if (!file) throw new Error(`cannot serve ${folder}: it has no ${path.slice(1)}`)
    return file
  }
  fileAt('/index.html')
  const missing = basePath === '' ? fileAt('/404.html') : completeAddresses(fileAt('/404.html'), basePath)
  const answerMissing = answerWith(missing, 404)
  const raw = files
    .filter(({ path }) => path !== '/404.html')
    .flatMap((file) => routesOf(file.path.replace(/(?:(?<=\/)index)?\.html$/, ''), answerWith(file)))
  // Without the slash at the end, the relative addresses of the first page would miss the prefix.
  const toFirstPage: Answer = ({ url }) => {
    const name = new URL(url).pathname.split('/').at(-1) ?? ''
    return new Response(null, { status: 308, headers: { location: `${name}/`, 'cache-control': 'no-cache' } })
  }
  return { raw: [...raw, ...routesOf('', toFirstPage)], page: answerMissing }
}

type Answer = OpenRawRoute['handle']

function routesOf(path: string, handle: Answer): OpenRawRoute[] {
  return (['GET', 'HEAD'] as const).map((method) => ({ name: 'files', method, path, open: true, handle }))
}

/** Files with a hash in their name are immutable; all others are revalidated. */
const cacheControlOf = (path: string) => (isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')

/** As in `/assets/index-4fGh7_kQ.js`. Without a digit or capital it may be a word instead of a hash. */
const isHashed = (path: string) => /^\/assets\/.*[-.](?=[\w-]*[A-Z\d])[\w-]{8,}(?:\.\w+)+$/.test(path)

function answerWith({ path, variants }: StaticFile, status = 200): Answer {
  const headers = {
    'content-type': contentTypeOf(path),
    'cache-control': cacheControlOf(path),
    'content-security-policy': pagePolicy,
    ...(variants.length > 1 && { vary: 'accept-encoding' }),
  }
  return ({ headers: asked }) => {
    const { encoding, bytes, etag } = pickVariant(variants, asked.get('accept-encoding') ?? '')
    if (status === 200 && isKnown(etag, asked.get('if-none-match')))
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
