import { buffer } from 'node:stream/consumers'
import type { AllowedTargets } from './allowed-targets.ts'
import { checkTarget, type CheckedTarget, type Resolve } from './check-target.ts'
import { exchange, type RawResponse } from './exchange.ts'
import { OutgoingError } from './outgoing-error.ts'
import { createNames } from './resolve-names.ts'
import { noSecrets, type SecretMask } from './secrets/secret-mask.ts'

export interface OutgoingRequest {
  /** http or https, without a credential. */
  url: string
  /** Default GET. */
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  /** Headers sent only to the origin of `url`, and dropped on a redirect to another origin. They are masked where a response repeats them. */
  secrets?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** False: a response that redirects is returned as it is. Default true. */
  followsRedirects?: boolean
  /** PEM of the authorities that must have signed a certificate, instead of those of the system. */
  certificateAuthority?: string
  /** Longest response body accepted. */
  maxResponseBytes: number
  /** For the whole exchange: name resolution, connection, redirects and response. */
  timeoutMs: number
  /** Aborts the request; its reason is thrown. */
  signal?: AbortSignal
}

interface ResponseHead {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** URL of the final response, after redirects. */
  url: string
}

export interface OutgoingResponse extends ResponseHead {
  bytes: Uint8Array
}

/** A response whose body has not arrived yet. */
export interface OpenResponse extends ResponseHead {
  /** The body as it arrives, no faster than it is read, to be read once. Leaving the iteration closes the connection. @throws OutgoingError */
  content: AsyncIterable<Uint8Array>
  /** The mask of the secrets that were sent, which content and headers have passed: for texts that the content brings in parts. */
  secrets: SecretMask
}

/** HTTP client for requests to other servers, in whose responses secrets are masked. The server makes no other outgoing requests. */
export interface Outgoing {
  /**
   * Sends a request if its target is allowed, and follows up to three redirects unless disabled, each checked like the first. Resolves for any
   * status.
   * @throws OutgoingError
   */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /**
   * The same, up to the head of the response. The limits and the signal hold until the end of its content, which must be iterated: that closes the
   * connection.
   * @throws OutgoingError
   */
  open(request: OutgoingRequest): Promise<OpenResponse>
}

export interface OutgoingOptions {
  /** Targets that are allowed besides the public internet. */
  allowed: AllowedTargets
  /** Default: name servers, the hosts file and the resolver of the system. */
  resolve?: Resolve
  /** Secrets that no response may bring in, besides those of the request. Default: none. */
  secrets?: SecretMask
}

const maxRedirects = 3
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface Step {
  url: string | URL
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** Hosts of the operator are resolved separately from those of tenants, so that tenants cannot delay them. */
function namesFor(allowed: AllowedTargets): Resolve {
  const [own, others] = [createNames(), createNames()]
  return (host, signal) => (allowed.names(host) ? own(host, signal) : others(host, signal))
}

/** A client that connects only to the public internet and to the targets that the operator allows. */
export function createOutgoing({ allowed, resolve = namesFor(allowed), secrets: known = noSecrets }: OutgoingOptions): Outgoing {
  async function follow(request: OutgoingRequest, signal: AbortSignal): Promise<Omit<OpenResponse, 'secrets'>> {
    let step = firstStep(request)
    for (let count = 0; count <= maxRedirects; count++) {
      const target = await unlessAborted(checkTarget(step.url, { resolve, allowed, signal }), signal)
      const { maxResponseBytes, certificateAuthority } = request
      const { close, ...response } = await exchange({ ...step, target, maxResponseBytes, certificateAuthority, signal })
      try {
        const next = nextStep(step, { target, response, request })
        if (next === undefined) return { ...response, url: target.url.href }
        step = next
      } catch (error) {
        close()
        throw error
      }
      close()
    }
    throw new OutgoingError('redirects', `${new URL(request.url).host} redirected more than ${maxRedirects} times`)
  }

  async function open(request: OutgoingRequest): Promise<OpenResponse> {
    const { signal, explain } = limitTime(request)
    const { content, ...head } = await follow(request, signal).catch((error: unknown) => Promise.reject(explain(error)))
    const secrets = known.with(secretsOf(request))
    return { ...head, headers: maskedHeaders(head.headers, secrets), content: masked(explained(content, explain), secrets), secrets }
  }

  return {
    open,
    async send(request) {
      const { content, secrets: _, ...head } = await open(request)
      return { ...head, bytes: await buffer(content) }
    },
  }
}

/** Why an exchange failed, where its caller or the clock ended it. */
type Explain = (error: unknown) => unknown

function limitTime({ timeoutMs, signal }: OutgoingRequest): { signal: AbortSignal; explain: Explain } {
  const timeout = AbortSignal.timeout(timeoutMs)
  return {
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    explain(error) {
      if (signal?.aborted) return signal.reason
      return timeout.aborted ? new OutgoingError('timeout', `no complete response within ${timeoutMs} ms`, { cause: error }) : error
    },
  }
}

async function* explained(content: AsyncIterable<Uint8Array>, explain: Explain): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw explain(error)
  }
}

/** The secrets of the headers of a request, without the authentication scheme. */
function secretsOf({ secrets = {} }: OutgoingRequest): string[] {
  return Object.values(secrets).map((value) => value.replace(/^(?:Bearer|Basic|Token) /i, ''))
}

function maskedHeaders(headers: ResponseHead['headers'], secrets: SecretMask): ResponseHead['headers'] {
  const mask = (value: string | string[] | undefined) => (Array.isArray(value) ? value.map(secrets.text) : value && secrets.text(value))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]))
}

async function* masked(content: AsyncIterable<Uint8Array>, secrets: SecretMask): AsyncGenerator<Uint8Array> {
  const stream = secrets.stream()
  for await (const chunk of content) {
    const safe = stream.push(chunk)
    if (safe.length > 0) yield safe
  }
  const rest = stream.end()
  if (rest.length > 0) yield rest
}

function firstStep({ url, method = 'GET', headers, secrets, body }: OutgoingRequest): Step {
  return { url, method, headers: { ...headers, ...secrets }, body: body === undefined ? undefined : Buffer.from(body) }
}

/** The request that follows a redirect; undefined when the response is final. */
function nextStep(
  { method, headers, body }: Step,
  { target, response, request }: { target: CheckedTarget; response: Pick<RawResponse, 'status' | 'headers'>; request: OutgoingRequest },
): Step | undefined {
  const { location } = response.headers
  if (request.followsRedirects === false) return undefined
  if (!redirects.has(response.status) || location === undefined) return undefined
  if (!URL.canParse(location, target.url.href)) throw new OutgoingError('refused', `${target.url.host} redirected to an invalid URL`)
  const url = new URL(location, target.url)
  const secretNames = new Set(Object.keys(request.secrets ?? {}))
  const isCrossOrigin = url.origin !== target.url.origin
  const kept = isCrossOrigin ? Object.fromEntries(Object.entries(headers).filter(([name]) => !secretNames.has(name))) : headers
  const keepsMethod = response.status === 307 || response.status === 308
  return keepsMethod ? { url, method, headers: kept, body } : { url, method: 'GET', headers: kept, body: undefined }
}

/** Not every lookup of a name can be cancelled, so this stops waiting for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
