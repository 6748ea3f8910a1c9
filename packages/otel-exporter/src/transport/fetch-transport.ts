import { concatBytes } from '../encoding/concat-bytes.ts'
import { answerBodyTimeoutMs, maxAnswerBytes, type Transport, type TransportRequest } from './transport.ts'

/** Over `fetch`, for runtimes without the modules of Node. */
export function createFetchTransport({ url, fetch }: { url: string; fetch: typeof globalThis.fetch }): Transport {
  return {
    async send({ body, headers, timeoutMs, signal }) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          body: concatBytes(body),
          headers,
          redirect: 'manual',
          signal: limit({ timeoutMs, signal }),
        })
        const answer = { kind: 'answer', status: response.status, retryAfter: response.headers.get('retry-after') ?? undefined } as const
        return { ...answer, body: await readBody(response) }
      } catch (error) {
        return { kind: 'failure', reason: reasonOf(error), staleConnection: false }
      }
    },
    close: () => undefined,
  }
}

function limit({ timeoutMs, signal }: Pick<TransportRequest, 'timeoutMs' | 'signal'>): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

/** The reason of a failed `fetch` is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Reads the body as far as it arrives: the status is known already. */
async function readBody(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), answerBodyTimeoutMs)
  try {
    for (let part = await reader.read(); !part.done && size <= maxAnswerBytes; part = await reader.read()) {
      size += part.value.length
      chunks.push(part.value)
    }
  } catch {
    // A truncated body is used as far as it arrived.
  }
  clearTimeout(timer)
  void reader.cancel().catch(() => undefined)
  return concatBytes(chunks)
}
