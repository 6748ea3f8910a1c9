/**
 * The path on a server of an address that a browser shows, by the base path of the server, without a trailing slash. Undefined for an address that is
 * not below it.
 */
export function pathBelow(basePath: string, pathname: string): string | undefined {
  if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return undefined
  return pathname.slice(basePath.length) || '/'
}

/** The path under which browsers see this server, without a trailing slash; `''` is the root. The server writes it into the page. */
export const basePath = (readMeta('base-path') ?? '').replace(/\/$/, '')

/** The address of this server, without a trailing slash. */
export const serverUrl = (): string => window.location.origin + basePath

/** The address of a page or an operation, by its path on this server. */
export const addressOf = (path: string): string => basePath + path

/** The path on this server of an address that a browser shows. */
export const pathOnServer = (pathname: string): string => pathBelow(basePath, pathname) ?? pathname

function readMeta(name: string): string | undefined {
  return typeof document === 'undefined' ? undefined : document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
}

// The server also answers without its base path: a page that was opened so continues below it, where its session is.
if (basePath !== '' && pathBelow(basePath, window.location.pathname) === undefined) {
  const { pathname, search, hash } = window.location
  window.history.replaceState(window.history.state, '', addressOf(pathname) + search + hash)
}
