import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { StoreError } from '../analytical/analytical.ts'

/** A bucket of an S3-compatible store, and who may use it. */
export interface S3Bucket {
  /** Address of the bucket, without a slash at its end: `https://bucket.s3.eu-west-1.amazonaws.com` or `https://host/bucket`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials. */
  sessionToken?: string
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Path below the bucket, without a slash at its beginning; '' for the bucket itself. */
  key: string
  query?: Readonly<Record<string, string>>
  range?: string
  /** A file to send, with its size and SHA-256. */
  file?: { path: string; sizeBytes: number; digest: string }
  /** Aborts when nobody waits for the answer any more, its body included. */
  signal?: AbortSignal | undefined
}

export interface S3Requests {
  /** The answer of the store when its status is below 300, or among those `expected`. @throws StoreError `cancelled` when the signal aborts, and for everything else */
  send(request: S3Request, expected?: readonly number[]): Promise<Response>
}

export interface S3RequestsOptions {
  fetch?: typeof fetch
  /** Waits between attempts. */
  pause?: (ms: number) => Promise<unknown>
  /** Number from 0 to below 1 that spreads the waits. */
  random?: () => number
}

const attempts = 4
const firstPauseMs = 200
/** SHA-256 of nothing. */
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Signs requests, sends them, and sends again what failed for a passing reason: each is one that may be repeated. */
export function s3Requests(bucket: S3Bucket, options: S3RequestsOptions = {}): S3Requests {
  const { fetch: send = fetch, pause = delay, random = Math.random } = options
  const { accessKeyId, secretAccessKey, region, sessionToken } = bucket
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', ...(sessionToken !== undefined && { sessionToken }) })

  async function attempt(request: S3Request): Promise<Response> {
    const query = new URLSearchParams(request.query).toString()
    const url = `${bucket.url}/${request.key}${query === '' ? '' : `?${query}`}`
    const headers = {
      'x-amz-content-sha256': request.file?.digest ?? emptyDigest,
      ...(request.range !== undefined && { range: request.range }),
    }
    const signed = await signer.sign(url, { method: request.method, headers })
    return send(signed.url, { method: request.method, signal: request.signal ?? null, ...bodyOf(request, signed.headers) })
  }

  return {
    async send(request, expected = []) {
      for (let count = 1; ; count++) {
        const outcome = await attempt(request).catch((error: unknown) => toStoreError(request, error))
        // Not the other way round: a server may put a Response of its own in the global place.
        const isAnswer = !(outcome instanceof StoreError)
        if (isAnswer && (outcome.ok || expected.includes(outcome.status))) return outcome
        const failure = isAnswer ? await refusal(request, outcome) : outcome
        if (request.signal?.aborted) throw new StoreError('cancelled', `${request.method} ${request.key}: the caller has gone`)
        if (count === attempts || !mayPass(failure)) throw failure
        await pause(firstPauseMs * 2 ** (count - 1) * (0.5 + random() / 2))
      }
    },
  }
}

/** The length goes along, since stores refuse a body of unknown length. */
function bodyOf({ file }: S3Request, signed: Headers): RequestInit {
  if (file === undefined) return { headers: signed }
  const headers = new Headers(signed)
  headers.set('content-length', String(file.sizeBytes))
  if (file.sizeBytes === 0) return { headers, body: new Uint8Array() }
  const body = Readable.toWeb(createReadStream(file.path)) as ReadableStream
  return { headers, body, ...({ duplex: 'half' } as object) }
}

const mayPass = ({ kind }: StoreError) => kind === 'busy' || kind === 'unavailable'

function toStoreError({ method, key }: S3Request, error: unknown): StoreError {
  return new StoreError('unavailable', `${method} ${key || 'the bucket'}: the blob store does not answer: ${describe(error)}`, {
    cause: error,
  })
}

/** The innermost cause says what happened. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? describe(error.cause) : error.message
}

async function refusal({ method, key }: S3Request, response: Response): Promise<StoreError> {
  const text = (await response.text().catch(() => '')).slice(0, 2_000)
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? ''
  const message = `${method} ${key || 'the bucket'}: the blob store answered ${response.status} ${code}`.trimEnd()
  if (response.status === 429 || code === 'SlowDown') return new StoreError('busy', message)
  if (response.status === 507) return new StoreError('full', message)
  return new StoreError(response.status >= 500 ? 'unavailable' : 'failed', message)
}
