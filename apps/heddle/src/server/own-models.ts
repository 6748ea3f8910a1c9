import { isApiError, type JsonObject } from '@heddle/core-api'
import type { CompleteHere } from '@heddle/tracing'
import type { TrainingService } from '@heddle/training'
import { parseJson, stringifyJson } from '@heddle/json'

/** Models of the training service beside the tracing service, for judges and evaluated models. */
export function ownModels({ complete }: Pick<TrainingService, 'complete'>): CompleteHere {
  return async (body, work) => {
    try {
      const request = parseJson(stringifyJson(body)) as JsonObject
      return { status: 'succeeded', body: await complete(request, work) }
    } catch (error) {
      if (work.signal.aborted)
        return { status: 'failed', reason: 'the completion took too long, or nobody waits for it', source: 'network', isTransient: false }
      if (!isApiError(error)) throw error
      return { status: 'failed', reason: error.message, source: 'provider', isTransient: error.status === 429 || error.status >= 500 }
    }
  }
}
