import { memberOf, serverScorerClasses } from '@heddle/core-api/internal'
import { queryOptions } from '@tanstack/react-query'
import { compare, equals, isOneOf } from '@heddle/trace-model/query'
import { client } from '../../../../lib/server/client.ts'
import type { ProjectName } from '../../../../lib/use-project.ts'
import type { ScoreCall } from './scores-of-calls.ts'
import { newestObjects } from '../../../../lib/server/newest-objects.ts'

/** The newest scorers of a project that are offered. */
export const maxScorers = 100
/** As many calls are scored at once. */
export const maxScored = 100
/** Most scorers that score calls together. */
export const maxChosen = 5
/** Scores are searched among calls of the last day: clocks of browsers may differ by less. */
const lookBackMs = 24 * 60 * 60_000
export const pollMs = 2_000

export interface OfferedScorer {
  name: string
  /** Reference to its latest version. */
  ref: string
  /** The server runs no code of programs. */
  isOnServer: boolean
}

/** The scorers of a project, the newest first, with whether the server can run them. */
export const scorersQuery = ({ id: project_id }: Pick<ProjectName, 'id'>) =>
  queryOptions({
    queryKey: ['scorers-on-server', project_id],
    queryFn: async ({ signal }): Promise<{ scorers: OfferedScorer[]; hasMore: boolean }> => {
      const wanted = { project_id, objectClass: 'Scorer', most: maxScorers }
      const { objects, hasMore } = await newestObjects(client, wanted, signal)
      const scorers = objects.map(({ object_id: name, digest, val }) => ({
        name,
        ref: `weave:///${project_id}/object/${name}:${digest}`,
        isOnServer: isOnServer(val),
      }))
      return { scorers, hasMore }
    },
  })

function isOnServer(scorer: unknown): boolean {
  const bases = memberOf(scorer, '_bases')
  const classes: unknown[] = [memberOf(scorer, '_class_name'), ...(Array.isArray(bases) ? (bases as unknown[]) : [])]
  return classes.some((one) => typeof one === 'string' && serverScorerClasses.includes(one))
}

/** Calls that made scores of some calls, the newest first: enough for each score to be among them once. */
export async function readScoreCalls(
  project_id: string,
  { callIds, scorers }: { callIds: readonly string[]; scorers: readonly string[] },
  options: { signal?: AbortSignal } = {},
): Promise<ScoreCall[]> {
  const query = {
    $expr: {
      $and: [
        compare('$gte', 'started_at', new Date(Date.now() - lookBackMs).toISOString()),
        equals('attributes.weave.score', 'true'),
        isOneOf('attributes.weave.prediction_id', callIds),
        isOneOf('attributes.weave.scorer', scorers),
      ],
    },
  }
  const request = {
    project_id,
    query,
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    columns: ['id', 'attributes', 'output', 'exception'],
    limit: callIds.length * scorers.length,
  }
  const calls: ScoreCall[] = []
  for await (const { id, attributes, output, exception } of client.calls.streamQuery(request, options)) {
    calls.push({ id, attributes, output, exception })
  }
  return calls
}
