import type { Handlers, tracing } from '@heddle/core-api'
import { invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { parseJson } from '@heddle/json'
import type { TracingContext } from '../../../context.ts'
import { checkAggregate, toAggregateAnswer } from './feedback-aggregate.ts'
import { checkRange } from './feedback-range.ts'
import { feedbackStats } from './feedback-stats.ts'
import type { FeedbackStatsStore } from './feedback-stats-store.ts'
import { createPathCollector } from './payload-paths.ts'

type Feedback = (typeof tracing)['feedback']
type StatsOperation = 'stats' | 'payloadSchema' | 'aggregate'

const maxSamples = 5000

interface FeedbackStatsDeps {
  statsStore: FeedbackStatsStore
  clock: () => Micros
}

/** Operations that sum up feedback. */
export function feedbackStatsHandlers({ statsStore, clock }: FeedbackStatsDeps): Handlers<Pick<Feedback, StatsOperation>, TracingContext> {
  return {
    async stats(input, context) {
      const project = await context.open(input.project_id)
      return feedbackStats({ ...input, project }, statsStore, clock())
    },

    async payloadSchema({ project_id, start, end: requestedEnd, feedback_type, trigger_ref, sample_limit }, context) {
      const end = requestedEnd ?? clock()
      checkRange({ start, end })
      checkSampleLimit(sample_limit)
      const project = await context.open(project_id)
      const collector = createPathCollector()
      const scope = { project, start, end, feedback_type, trigger_ref, query: null }
      for await (const payloads of statsStore.newestPayloads(scope, sample_limit)) {
        for (const payload of payloads) collector.add(parseJson(payload, { loneSurrogates: 'keep' }))
      }
      return { paths: collector.paths() }
    },

    async aggregate(input, context) {
      checkAggregate(input)
      const project = await context.open(input.project_id)
      return toAggregateAnswer(input, await statsStore.aggregate({ ...input, project }))
    },
  }
}

function checkSampleLimit(limit: number): void {
  if (limit >= 1 && limit <= maxSamples) return
  throw invalid([{ loc: ['body', 'sample_limit'], msg: `Input should be from 1 to ${maxSamples}`, type: 'value_error' }])
}
