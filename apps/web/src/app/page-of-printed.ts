/** Where an address leads that clients print. */
export interface PrintedTarget {
  /** Path below the project. */
  path: string
  search?: Record<string, string>
}

const pages = ['datasets', 'evaluations', 'threads', 'playground', 'prompts', 'scorers', 'models']

/**
 * The page for the part after `/{entity}/{project}/weave/` of an address that a client printed. The calls table for all unknown parts: those pages
 * show calls in some form.
 */
export function pageOfPrinted(rest: string, search: Record<string, unknown> = {}): PrintedTarget {
  const [kind = '', name = '', versions, digest] = rest.split('/').filter((part) => part !== '')
  if (kind === 'calls' && name !== '') return { path: `calls/${name}` }
  if ((kind === 'objects' || kind === 'ops') && name !== '') return ofVersion(kind, name, versions === 'versions' ? digest : undefined)
  if (kind === 'threads' && name !== '') return { path: `threads/${name}` }
  if (kind === 'compare-evaluations') return comparison(search['evaluationCallIds'])
  if (kind === 'objects' || kind === 'ops' || pages.includes(kind)) return { path: kind }
  return { path: 'calls' }
}

function ofVersion(kind: string, name: string, digest: string | undefined): PrintedTarget {
  // A version is named by its digest, by `latest`, or by `*` for any.
  const isDigest = digest !== undefined && digest !== 'latest' && digest !== '*'
  return { path: `${kind}/${name}`, ...(isDigest && { search: { version: digest } }) }
}

function comparison(ids: unknown): PrintedTarget {
  const names = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : []
  return names.length < 2 ? { path: 'evaluations' } : { path: 'evaluations/compare', search: { ids: names.join(',') } }
}
