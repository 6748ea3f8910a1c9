/**
 * Words that start a path of ours, or are kept for one, and `*`, which means every entity where keys are stored.
 * An entity of that name would make `/<entity>/<project>` ambiguous.
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

/** True when no project may belong to an entity of this name. Case does not matter. */
export function isReservedEntity(entity: string): boolean {
  return reserved.has(entity.toLowerCase())
}
