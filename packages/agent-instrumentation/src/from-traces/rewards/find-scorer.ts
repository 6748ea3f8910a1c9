import { isApiError, parseRef } from '@heddle/core-api'
import type { TraceSource } from '../attempts/read-traces.ts'
import { listShort } from './list-short.ts'
import { ScorerUnavailable } from './scorer-unavailable.ts'

/** Versions of scorers that are looked at for a list. */
const maxVersions = 1_000

/** @throws ScorerUnavailable for a text that is not a reference to an object of the project, and for an object that is not there */
export async function assertScorer(source: TraceSource, scorer: string): Promise<void> {
  const problem = problemOf(scorer, source.project) ?? (await missingOf(source, scorer))
  if (problem === undefined) return
  throw new ScorerUnavailable(
    `scorer ${JSON.stringify(scorer.slice(0, 300))} ${problem}; ${await listScorers(source)}. \`scorer:<name>\` takes the scores that attempts already have`,
  )
}

function problemOf(scorer: string, project: string): string | undefined {
  const ref = parseRef(scorer)
  if (ref?.kind !== 'object') return `is not a reference to a version of a scorer, such as weave:///${project}/object/exact:v0`
  return `${ref.entity}/${ref.project}` === project ? undefined : `is in another project than ${project}`
}

async function missingOf({ client, signal }: TraceSource, scorer: string): Promise<string | undefined> {
  const found = await client.refs.readBatch({ refs: [scorer] }, signal ? { signal } : {}).catch((error: unknown) => {
    if (isApiError(error) && error.status === 404) return { vals: [null] }
    throw error
  })
  return found.vals[0] === null || found.vals[0] === undefined ? 'was not found' : undefined
}

async function listScorers({ client, project: place, signal }: TraceSource): Promise<string> {
  const [entity = '', project = ''] = place.split('/')
  const newest = new Map<string, string>()
  const versions = client.scorers.list({ entity, project, limit: maxVersions }, signal ? { signal } : {})
  for await (const { object_id, digest } of versions) newest.set(object_id, `weave:///${place}/object/${object_id}:${digest}`)
  return newest.size === 0 ? `project ${place} has no scorers` : `project ${place} has ${listShort([...newest.values()])}`
}
