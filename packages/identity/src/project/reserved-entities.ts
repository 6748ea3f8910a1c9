/**
 * First segments of this service's paths and pages, words reserved for future paths, and `*`, which means every entity in a stored key.
 * An entity with such a name would make `/<entity>/<project>` ambiguous.
 */
const reserved: ReadonlySet<string> = new Set([
  '*',
  'agents',
  'aliases',
  'annotation_queues',
  'api',
  'assets',
  'call',
  'calls',
  'chat',
  'completions',
  'cost',
  'evaluations',
  'feedback',
  'file',
  'files',
  'geolocate',
  'graphql',
  'health',
  'image',
  'images',
  'inference',
  'link_to_registry',
  'mcp',
  'metrics',
  'obj',
  'objs',
  'oidc',
  'otel',
  'project',
  'ready',
  'refs',
  'server_info',
  'service',
  'session',
  'settings',
  'sign-in',
  'status',
  'table',
  'tables',
  'tags',
  'threads',
  'trace',
  'traces',
  'training',
  'v1',
  'v2',
  'version',
])

/** True when no project may belong to an entity with this name. Case-insensitive. */
export function isReservedEntity(entity: string): boolean {
  return reserved.has(entity.toLowerCase())
}
