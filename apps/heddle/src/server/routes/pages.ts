import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unauthenticated } from '@heddle/core-api/internal'
import { type MountedService, mount, type OpenRawRoute, type ServiceLog, staticFiles } from '@heddle/service-kit'

/** Where the build puts the pages of the web UI: next to the command, or in a checkout that runs from its sources, where apps/web builds them. */
export const builtPages = fileURLToPath(
  import.meta.url.endsWith('.ts') ? new URL('../../../../web/dist', import.meta.url) : new URL('web', import.meta.url),
)

/** True when the web UI was built into the folder. */
export const hasPages = (folder: string) => existsSync(join(folder, 'index.html'))

interface PagesOptions {
  folder: string
  log: ServiceLog
  /** Path under which browsers see the server, without a slash at the end. Default `''`: the root. */
  basePath?: string
}

/**
 * The pages of the web UI at the root: its files, and its page for every path that a browser opens and no service has. If they are
 * not built, the response explains how to build them.
 * @throws Error when the folder holds what cannot be served
 */
export async function openPages({ folder, log, basePath = '' }: PagesOptions): Promise<MountedService> {
  const page = () =>
    new Response(notBuilt, { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } })
  const root: OpenRawRoute = { name: 'page', method: 'GET', path: '/', open: true, handle: page }
  return mount<Record<string, never>, never, undefined>({
    name: 'web',
    resources: {},
    handlers: {},
    authenticate: () => {
      throw unauthenticated()
    },
    context: () => undefined,
    log,
    ...(hasPages(folder) ? await staticFiles({ folder, basePath }) : { raw: [root], page }),
  })
}

const notBuilt = `Heddle is running, but its pages are not built.

In a checkout: run "npm start", or "npm run build" and start the server again.
An installed package that says this is incomplete: install it again.

The API, the command line and MCP work without the pages.
`
