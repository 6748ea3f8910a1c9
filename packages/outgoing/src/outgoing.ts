import { lookup } from 'node:dns/promises'
import type { AllowedTargets } from './allowed-targets.ts'
import { checkTarget, type CheckedTarget, type Resolve } from './check-target.ts'
import { exchange, type Exchanged } from './exchange.ts'
import { OutgoingError } from './outgoing-error.ts'

export interface OutgoingRequest {
  /** http or https, without a credential. */
  url: string
  /** Default GET. */
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  /** Headers that only the server of `url` may see; another one, to which it sends the request on, does not get them. */
  secrets?: Readonly<Record<string, string>>
  body?: string
  /** Longest answer that is read. */
  maxAnswerBytes: number
  /** For all of it: name, connection, redirects and answer. */
  timeoutMs: number
  /** Ends the request; its reason is thrown. */
  signal?: AbortSignal
}

export interface OutgoingAnswer {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Uint8Array
  /** Address that answered in the end. */
  url: string
}

/** The one way in which a server asks another. */
export interface Outgoing {
  /**
   * Sends a request to an address that may be asked, and follows up to three redirects, each checked like the first. Any status is an answer.
   * @throws OutgoingError
   */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>
}

export interface OutgoingOptions {
  /** What may be asked beyond the public internet. */
  allowed: AllowedTargets
  /** Default: the resolver of the system. */
  resolve?: Resolve
}

const maxRedirects = 3
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface Step {
  url: string | URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** A client that reaches the public internet and what the operator allows, and nothing else. */
export function createOutgoing({ allowed, resolve = resolveBySystem }: OutgoingOptions): Outgoing {
  async function follow(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
    let step = firstStep(request)
    for (let count = 0; count <= maxRedirects; count++) {
      const target = await unlessAborted(checkTarget(step.url, { resolve, allowed }), signal)
      const answer = await exchange({ ...step, target, maxAnswerBytes: request.maxAnswerBytes, signal })
      const next = nextStep(step, { target, answer, request })
      if (next === undefined) return { ...answer, url: target.url.href }
      step = next
    }
    throw new OutgoingError('redirects', `${new URL(request.url).host} sends the request on more than ${maxRedirects} times`)
  }

  return {
    async send(request) {
      const timeout = AbortSignal.timeout(request.timeoutMs)
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
      try {
        return await follow(request, signal)
      } catch (error) {
        request.signal?.throwIfAborted()
        if (!timeout.aborted) throw error
        throw new OutgoingError('timeout', `no whole answer within ${request.timeoutMs} ms`, { cause: error })
      }
    },
  }
}

const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

function firstStep({ url, method = 'GET', headers, secrets, body }: OutgoingRequest): Step {
  return { url, method, headers: { ...headers, ...secrets }, body: body === undefined ? undefined : Buffer.from(body) }
}

/** Where the answer sends the request; undefined when it is the last. */
function nextStep(
  { method, headers, body }: Step,
  { target, answer, request }: { target: CheckedTarget; answer: Exchanged; request: OutgoingRequest },
): Step | undefined {
  const { location } = answer.headers
  if (!redirects.has(answer.status) || location === undefined) return undefined
  if (!URL.canParse(location, target.url.href)) throw new OutgoingError('refused', `${target.url.host} sends the request on to no address`)
  const url = new URL(location, target.url)
  const secretNames = new Set(Object.keys(request.secrets ?? {}))
  const isElsewhere = url.origin !== target.url.origin
  const kept = isElsewhere ? Object.fromEntries(Object.entries(headers).filter(([name]) => !secretNames.has(name))) : headers
  const isRepeated = answer.status === 307 || answer.status === 308
  return isRepeated ? { url, method, headers: kept, body } : { url, method: 'GET', headers: kept, body: undefined }
}

/** A look-up of a name cannot be called back, but need not be waited for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
