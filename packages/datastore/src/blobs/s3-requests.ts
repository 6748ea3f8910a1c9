import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { StoreError } from '../work/store-error.ts'

/** A bucket of an S3-compatible store, with credentials. */
export interface S3Bucket {
  /** URL of the bucket, without a trailing slash: `https://bucket.s3.eu-west-1.amazonaws.com` or `https://host/bucket`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Only for temporary credentials. */
  sessionToken?: string
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Key in the bucket, without a leading slash; '' for the bucket itself. */
  key: string
  query?: Readonly<Record<string, string>>
  range?: string
  /** A file to upload, with its size and SHA-256. */
  file?: { path: string; sizeBytes: number; digest: string }
  /** Aborts the request, including the body of its response. */
  signal?: AbortSignal | undefined
}

export interface S3Requests {
  /** The response, if its status is below 300 or one of `expected`. @throws StoreError for any other response, and `cancelled` when the signal aborts */
  send(request: S3Request, expected?: readonly number[]): Promise<Response>
}

export interface S3RequestsOptions {
  fetch?: typeof fetch
  /** Delay between attempts. */
  pause?: (ms: number) => Promise<unknown>
  /** Jitter: a number in [0, 1). */
  random?: () => number
}

const attempts = 4
const firstPauseMs = 200
/** SHA-256 of the empty string. */
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Signs and sends requests, and retries transient failures: every request is idempotent. */
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
        // Not `instanceof Response`: the server may replace the global class.
        const isResponse = !(outcome instanceof StoreError)
        if (isResponse && (outcome.ok || expected.includes(outcome.status))) return outcome
        const failure = isResponse ? await toResponseError(request, outcome) : outcome
        if (request.signal?.aborted) throw new StoreError('cancelled', `${request.method} ${request.key}: the request was cancelled`)
        if (count === attempts || !isTransient(failure)) throw failure
        await pause(firstPauseMs * 2 ** (count - 1) * (0.5 + random() / 2))
      }
    },
  }
}

/** Sets the content length, since stores reject a body of unknown length. */
function bodyOf({ file }: S3Request, signed: Headers): RequestInit {
  if (file === undefined) return { headers: signed }
  const headers = new Headers(signed)
  headers.set('content-length', String(file.sizeBytes))
  if (file.sizeBytes === 0) return { headers, body: new Uint8Array() }
  const body = Readable.toWeb(createReadStream(file.path)) as ReadableStream
  return { headers, body, ...({ duplex: 'half' } as object) }
}

const isTransient = ({ kind }: StoreError) => kind === 'busy' || kind === 'unavailable'

function toStoreError({ method, key }: S3Request, error: unknown): StoreError {
  return new StoreError('unavailable', `${method} ${key || 'the bucket'}: cannot reach the blob store: ${describe(error)}`, {
    cause: error,
  })
}

/** Message of the innermost cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? describe(error.cause) : error.message
}

async function toResponseError({ method, key }: S3Request, response: Response): Promise<StoreError> {
  const text = (await response.text().catch(() => '')).slice(0, 2_000)
  const code = /<Code>([A-Za-z.]{1,100})<\/Code>/.exec(text)?.[1] ?? ''
  const message = `${method} ${key || 'the bucket'}: the blob store responded with ${response.status} ${code}`.trimEnd()
  if (response.status === 429 || code === 'SlowDown') return new StoreError('busy', message)
  if (response.status === 507) return new StoreError('full', message)
  return new StoreError(response.status >= 500 ? 'unavailable' : 'failed', message)
}
