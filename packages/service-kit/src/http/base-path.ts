/**
 * The target of a request without the base path, if it begins with it. Other targets are unchanged, so that a proxy may strip the base path or pass
 * it on. `basePath` begins with a slash and does not end with one.
 */
export function withoutBasePath(target: string, basePath: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/.exec(target) ?? []
  const path = target.slice(origin.length)
  if (!path.startsWith(basePath)) return target
  const rest = path.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `${origin}/${rest}`
  return rest.startsWith('/') ? origin + rest : target
}
