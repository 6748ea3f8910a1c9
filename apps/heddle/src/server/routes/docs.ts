import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unauthenticated } from '@heddle/core-api/internal'
import { type MountedService, mount, type OpenRawRoute, type ServiceLog, staticSite } from '@heddle/service-kit'

/** Where the build puts the documentation: next to the command, or in a checkout that runs from its sources, where apps/docs builds it. */
export const builtDocs = fileURLToPath(
  import.meta.url.endsWith('.ts') ? new URL('../../../../docs/dist', import.meta.url) : new URL('docs', import.meta.url),
)

/** Where the documentation begins. */
export const docsPath = '/docs'

interface DocsOptions {
  folder: string
  log: ServiceLog
  /** Path under which browsers see the server, without a slash at the end. Default `''`: the root. */
  basePath?: string
}

/**
 * The documentation at `/docs`, without a key: pages, their Markdown, `llms.txt` and the search. If it is not built, the response explains how to
 * build it.
 * @throws Error when the folder holds what cannot be served
 */
export async function openDocs({ folder, log, basePath = '' }: DocsOptions): Promise<MountedService> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  return mount<Record<string, never>, never, undefined>({
    name: 'docs',
    resources: {},
    handlers: {},
    prefixes: [docsPath],
    authenticate: () => {
      throw unauthenticated()
    },
    context: () => undefined,
    log,
    ...(isBuilt ? await staticSite({ folder, basePath }) : notBuilt),
  })
}

const explain = () =>
  new Response('The documentation is not built. In a checkout: run "npm start", or "npm run build" and start the server again.\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
const root: OpenRawRoute = { name: 'page', method: 'GET', path: '/', open: true, handle: explain }
const notBuilt = { raw: [root], page: explain }
