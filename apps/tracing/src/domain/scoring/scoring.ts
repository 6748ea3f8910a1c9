import { setTimeout as delay } from 'node:timers/promises'
import type { Outgoing } from '@heddle/outgoing'
import { createProviderClient } from '../../providers/call-provider.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { FeedbackWriter } from '../../records/feedback/write/feedback-writer.ts'
import type { BeginFeedback } from '../../records/feedback/write/prepare-feedback.ts'
import { createSchemaChecks } from '../../records/feedback/write/schema-mismatch.ts'
import type { ResolveRefs } from '../../records/refs/resolve-refs.ts'
import { createLoadObject, type LoadObject } from './load-object.ts'
import { createLoadScorer, type LoadScorer } from './load-scorer.ts'
import { createPredict, type Predict } from './model/predict.ts'
import { createStoreScores, type StoreScores } from './score-feedback.ts'

/** Runs models and scorers on the server, for evaluations and scores of calls. */
export interface Scoring {
  loadObject: LoadObject
  loadScorer: LoadScorer
  storeScores: StoreScores
  /** Name of the op of predictions. */
  predictOp: string
  /** Runs models in calls of the referenced op. */
  predictAs: (opRef: string) => Predict
}

interface ScoringOptions {
  resolveRefs: ResolveRefs
  beginFeedback: BeginFeedback
  feedbackWriter: FeedbackWriter
  providers: ModelProviders
  outgoing: Outgoing
  /** `{column}` in the messages of a model becomes the value of the row. */
  fillsPrompts: boolean
}

export function createScoring({ resolveRefs, beginFeedback, feedbackWriter, providers, outgoing, fillsPrompts }: ScoringOptions): Scoring {
  const loadObject = createLoadObject(resolveRefs)
  const callProvider = createProviderClient(outgoing)
  const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal })
  return {
    loadObject,
    loadScorer: createLoadScorer(loadObject, createSchemaChecks()),
    storeScores: createStoreScores({ begin: beginFeedback, writer: feedbackWriter }),
    predictOp: 'LLMStructuredCompletionModel.predict',
    predictAs: (opRef) => createPredict({ providers, callProvider, pause, opRef, fillsPrompts }),
  }
}
