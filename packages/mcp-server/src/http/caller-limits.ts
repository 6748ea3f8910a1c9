import type { HttpOptions } from './http-options.ts'
import { jsonError } from './json-error.ts'

const maxCallers = 10_000

interface Usage {
  /** Requests that may still begin now. */
  tokens: number
  at: number
  streams: number
}

/** Bounds for each caller: requests in a second, and streams at a time. */
export function createCallerLimits({ maxRequestsPerSecond = 30, maxStreams = 4, now = Date.now }: HttpOptions) {
  const usages = new Map<string, Usage>()

  function usageOf(id: string): Usage {
    const usage = usages.get(id) ?? { tokens: maxRequestsPerSecond, at: now(), streams: 0 }
    // The newest last, so that the ones to forget are at the front.
    usages.delete(id)
    usages.set(id, usage)
    for (const [other, { streams }] of usages) {
      if (usages.size <= maxCallers) break
      if (streams === 0) usages.delete(other)
    }
    return usage
  }

  return {
    /** The response that refuses a request beyond the rate; undefined for one that may begin. */
    admit(id: string): Response | undefined {
      const usage = usageOf(id)
      const passed = now() - usage.at
      usage.tokens = Math.min(maxRequestsPerSecond, usage.tokens + (passed / 1_000) * maxRequestsPerSecond)
      usage.at = now()
      if (usage.tokens < 1) return jsonError(429, `more than ${maxRequestsPerSecond} requests in a second`, { 'retry-after': '1' })
      usage.tokens -= 1
      return undefined
    },
    /** Counts a stream until it has ended; refuses it where there are as many as there may be. */
    track(id: string, response: Response): Response {
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      const usage = usageOf(id)
      if (usage.streams >= maxStreams) {
        void response.body.cancel()
        return jsonError(429, `more than ${maxStreams} streams are open`, { 'retry-after': '5' })
      }
      usage.streams++
      const headers = new Headers(response.headers)
      headers.set('x-accel-buffering', 'no')
      return new Response(
        onceEnded(response.body, () => usage.streams--),
        { status: response.status, headers },
      )
    },
  }
}

function onceEnded(body: ReadableStream<Uint8Array>, callback: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let hasEnded = false
  const end = () => {
    if (!hasEnded) callback()
    hasEnded = true
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      } catch (error) {
        end()
        controller.error(error)
      }
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
}
