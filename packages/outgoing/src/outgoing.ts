import { lookup } from 'node:dns/promises'
import type { AllowedTargets } from './allowed-targets.ts'
import { checkTarget, type CheckedTarget, type Resolve } from './check-target.ts'
import { exchange, type RawResponse } from './exchange.ts'
import { OutgoingError } from './outgoing-error.ts'

export interface OutgoingRequest {
  /** http or https, without a credential. */
  url: string
  /** Default GET. */
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  /** Headers sent only to the origin of `url`, and dropped on a redirect to another origin. */
  secrets?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** PEM of the authorities that a certificate must be signed by, in place of those of the system. */
  certificateAuthority?: string
  /** Longest response body accepted. */
  maxResponseBytes: number
  /** For the whole exchange: name resolution, connection, redirects and response. */
  timeoutMs: number
  /** Aborts the request; its reason is thrown. */
  signal?: AbortSignal
}

export interface OutgoingResponse {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Uint8Array
  /** URL of the final response, after redirects. */
  url: string
}

/** HTTP client for requests to other servers. The server makes no other outgoing requests. */
export interface Outgoing {
  /**
   * Sends a request if its target is allowed, and follows up to three redirects, each checked like the first. Resolves for any status.
   * @throws OutgoingError
   */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
}

export interface OutgoingOptions {
  /** Targets that are allowed besides the public internet. */
  allowed: AllowedTargets
  /** Default: the system resolver. */
  resolve?: Resolve
}

const maxRedirects = 3
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface Step {
  url: string | URL
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** A client that connects only to the public internet and to the targets that the operator allows. */
export function createOutgoing({ allowed, resolve = resolveBySystem }: OutgoingOptions): Outgoing {
  async function follow(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingResponse> {
    let step = firstStep(request)
    for (let count = 0; count <= maxRedirects; count++) {
      const target = await unlessAborted(checkTarget(step.url, { resolve, allowed }), signal)
      const { maxResponseBytes, certificateAuthority } = request
      const response = await exchange({ ...step, target, maxResponseBytes, certificateAuthority, signal })
      const next = nextStep(step, { target, response, request })
      if (next === undefined) return { ...response, url: target.url.href }
      step = next
    }
    throw new OutgoingError('redirects', `${new URL(request.url).host} redirected more than ${maxRedirects} times`)
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
        throw new OutgoingError('timeout', `no complete response within ${request.timeoutMs} ms`, { cause: error })
      }
    },
  }
}

const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

function firstStep({ url, method = 'GET', headers, secrets, body }: OutgoingRequest): Step {
  return { url, method, headers: { ...headers, ...secrets }, body: body === undefined ? undefined : Buffer.from(body) }
}

/** The request that follows a redirect; undefined when the response is final. */
function nextStep(
  { method, headers, body }: Step,
  { target, response, request }: { target: CheckedTarget; response: RawResponse; request: OutgoingRequest },
): Step | undefined {
  const { location } = response.headers
  if (!redirects.has(response.status) || location === undefined) return undefined
  if (!URL.canParse(location, target.url.href)) throw new OutgoingError('refused', `${target.url.host} redirected to an invalid URL`)
  const url = new URL(location, target.url)
  const secretNames = new Set(Object.keys(request.secrets ?? {}))
  const isCrossOrigin = url.origin !== target.url.origin
  const kept = isCrossOrigin ? Object.fromEntries(Object.entries(headers).filter(([name]) => !secretNames.has(name))) : headers
  const keepsMethod = response.status === 307 || response.status === 308
  return keepsMethod ? { url, method, headers: kept, body } : { url, method: 'GET', headers: kept, body: undefined }
}

/** A DNS lookup cannot be cancelled, so this stops waiting for it instead. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
