import { queryOptions } from '@tanstack/react-query'
import { exactClient } from '../../lib/server/client.ts'
import { charactersForCell } from '../../lib/texts/to-text.ts'
import { type ConditionValue, toConditionValue } from './call-condition.ts'
import { valueAt } from '@heddle/core-api/internal'
import { valueText } from './parse-filter.ts'

/** The newest calls whose values are offered. */
const callsRead = 100
const maxCharacters = 80

/** Values that the newest calls have at a path, the most frequent first, as they are typed in a filter. */
export function valuesQuery(project_id: string, path: string) {
  return queryOptions({
    queryKey: ['filter-values', project_id, path],
    enabled: path !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<string[]> => {
      const counts = new Map<string, number>()
      const sort_by = [{ field: 'started_at', direction: 'desc' as const }]
      const columns = ['id', path.split('.')[0] ?? path]
      const request = { project_id, sort_by, limit: callsRead, columns, max_text_length: charactersForCell }
      for await (const call of exactClient.calls.streamQuery(request, { signal })) {
        const found = valueAt(call, path)
        // The models that a call used are the keys of its usage.
        for (const one of path === 'summary.usage' ? Object.keys(found ?? {}) : [found]) {
          const value = toConditionValue(one)
          if (value === undefined || !isShort(value)) continue
          const text = valueText(value)
          counts.set(text, (counts.get(text) ?? 0) + 1)
        }
      }
      return [...counts].toSorted(([, a], [, b]) => b - a).map(([text]) => text)
    },
  })
}

const isShort = (value: ConditionValue) => typeof value !== 'string' || value.length <= maxCharacters
