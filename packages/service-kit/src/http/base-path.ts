/**
 * The target of a request as this server knows it: without the base path, where it begins with it. Other targets stay as they are, so that a
 * proxy may take the base path off, or pass it on.
 */
export function withoutBasePath(target: string, basePath: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/.exec(target) ?? []
  const path = target.slice(origin.length)
  if (!path.startsWith(basePath)) return target
  const rest = path.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `${origin}/${rest}`
  return rest.startsWith('/') ? origin + rest : target
}
