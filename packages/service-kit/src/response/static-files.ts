import { completeAddresses } from './complete-addresses.ts'
import { pagePolicy } from './content-policy.ts'
import { contentTypeOf } from './content-types.ts'
import type { OpenRawRoute } from '../routing/mount-options.ts'
import { readStaticFiles, type StaticFile, type StaticVariant } from './read-static-files.ts'

export interface StaticFilesOptions {
  /** A built user interface. Read once: changes are served after a restart. */
  folder: string
  /** Bytes of all its files, which stay in memory. Default 64 MiB. */
  maxBytes?: number
  /** Put before the addresses in `index.html`, the one file that names others from the root. Default `''`: the page goes out as it was built. */
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

type Answer = OpenRawRoute['handle']

function routesOf(path: string, handle: Answer): OpenRawRoute[] {
  return (['GET', 'HEAD'] as const).map((method) => ({ name: 'files', method, path, open: true, handle }))
}

/** Files with a hash in their name are immutable; others are revalidated. */
const cacheControlOf = (path: string) => (isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')

/** As in `/assets/index-4fGh7_kQ.js`. Without a digit or capital it may be a word instead of a hash. */
const isHashed = (path: string) => /^\/assets\/.*[-.](?=[\w-]*[A-Z\d])[\w-]{8,}(?:\.\w+)+$/.test(path)

function answerWith({ path, variants }: StaticFile): Answer {
  const headers = {
    'content-type': contentTypeOf(path),
    'cache-control': cacheControlOf(path),
    'content-security-policy': pagePolicy,
    ...(variants.length > 1 && { vary: 'accept-encoding' }),
  }
  return ({ headers: asked }) => {
    const { encoding, bytes, etag } = pickVariant(variants, asked.get('accept-encoding') ?? '')
    if (isKnown(etag, asked.get('if-none-match'))) return new Response(null, { status: 304, headers: { ...headers, etag } })
    const content = { ...(encoding && { 'content-encoding': encoding }), 'content-length': String(bytes.byteLength) }
    return new Response(bytes, { headers: { ...headers, ...content, etag } })
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
