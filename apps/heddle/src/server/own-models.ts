import { isApiError, type JsonObject } from '@heddle/core-api'
import type { CompleteHere } from '@heddle/tracing'
import type { TrainingService } from '@heddle/training'
import { parseJsonPaced, stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'

/** Models of the training service in the same process, for judges and evaluated models. */
export function ownModels({ complete }: Pick<TrainingService, 'complete'>): CompleteHere {
  return async (body, work) => {
    try {
      const pace = timeSlices.begin()
      const text = stringifyJson(body)
      await pace()
      const request = (await parseJsonPaced(text, {}, pace)) as JsonObject
      return { status: 'succeeded', body: await complete(request, work) }
    } catch (error) {
      if (work.signal.aborted)
        return { status: 'failed', reason: 'the completion took too long, or nobody waits for it', source: 'network', isTransient: false }
      if (!isApiError(error)) throw error
      return { status: 'failed', reason: error.message, source: 'provider', isTransient: error.status === 429 || error.status >= 500 }
    }
  }
}
