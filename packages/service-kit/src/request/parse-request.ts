import { PassThrough } from 'node:stream'
import type { Issue, Operation } from '@heddle/core-api'
import { invalid, parsePaced } from '@heddle/core-api/internal'
import type { z } from 'zod'
import { type JsonOptions, parseJson, parseJsonPaced } from '@heddle/json'
import type { Permit } from '../admission/request-queue.ts'
import type { TimeSlices } from '../admission/time-slices.ts'
import type { MemoryReservation } from './body-budget.ts'
import type { OwnSecret } from './own-secret.ts'
import { findInflater, inflateBody } from './inflate-body.ts'
import { mayBeJson, mediaType, readContentType, unsupportedType } from './media-type.ts'
import type { StagedUpload, StageUpload } from './staged-uploads.ts'
import { createMultipartReader, type Multipart } from './parse-multipart.ts'
import { type BodyBounds, type BodySource, consumeBody, readBody } from './read-body.ts'
import type { RequestLimits } from './request-limits.ts'
import { readHeaders, readQuery, textFields } from './text-fields.ts'
import { toIssues, toRefusal } from './zod-issues.ts'

/** A request that was matched to an operation. */
export interface MatchedRequest extends BodySource {
  /** Path parameters, percent-decoded. */
  params: Record<string, string>
  limits: RequestLimits
  memory: MemoryReservation
  /** Acquired once the body was received, before anything that costs more than that. */
  permit: Permit
  /** Time slices for a body with many values. */
  timeSlices: TimeSlices
  stage: StageUpload
  /** Masked in all that is read, files of forms and archives excepted. Absent: the request has none. */
  ownSecret?: OwnSecret | undefined
  json?: Pick<JsonOptions, 'loneSurrogates' | 'onLoneSurrogates'>
}

/** Makes the flat input of a handler. @throws ApiError when the request is invalid */
export type RequestParser = (request: MatchedRequest) => Promise<Record<string, unknown>>

/**
 * Prepares the parser of one operation: requests are validated only here. Path, query and headers are checked before the body is read. Schemas of the
 * body see `JsonNumber` where JavaScript would change a number.
 */
export function createRequestParser(operation: Operation): RequestParser {
  const readText = createTextReader(operation)
  const readPayload = createPayloadReader(operation)
  return async (request) => {
    const text = readText(request)
    return { ...(await readPayload(request)), ...text }
  }
}

type Input = Record<string, unknown>

function createTextReader(operation: Operation): (request: MatchedRequest) => Input {
  const { params, query, headers } = operation
  const queryFields = query && textFields(query)
  const headerFields = headers && textFields(headers)
  return ({ request, params: given, ownSecret }) => {
    const issues: Issue[] = []
    const masked = <Fields extends Record<string, string | string[]>>(fields: Fields): Fields =>
      ownSecret ? ownSecret.fields(fields) : fields
    const check = (schema: z.ZodObject | undefined, root: string, input: Input): Input => {
      const result = schema?.safeParse(input)
      if (result && !result.success) issues.push(...toIssues(result.error, { root, input }))
      return result?.data ?? {}
    }
    const input = {
      ...(headers && headerFields && check(headers, 'header', masked(readHeaders(headerFields, request.headers)))),
      ...(query && queryFields && check(query, 'query', masked(readQuery(queryFields, new URL(request.url).searchParams)))),
      ...(params && check(params, 'path', masked(given))),
    }
    if (issues.length > 0) throw invalid(issues)
    return input
  }
}

function createPayloadReader(operation: Operation): (request: MatchedRequest) => Promise<Input> {
  const { body, multipart, bytes, staged } = operation
  if (staged) return (request) => stageDeclaredBody(request, bytes)
  if (body) return (request) => readJsonBody(body, request)
  if (bytes) return (request) => readDeclaredBytes(request, bytes)
  if (multipart) {
    const parts = Object.keys(operation.parts ?? {})
    return async (request) => withFiles(multipart, await readMultipart(request, parts))
  }
  return async () => ({})
}

/** Bytes of a body that is parsed and checked without a pause: at most some ten milliseconds, and less work than with pauses. */
const atOnceBytes = 16 * 1024

async function readJsonBody(schema: z.ZodObject, request: MatchedRequest): Promise<Input> {
  const type = mediaType(readContentType(request.request.headers))
  if (!mayBeJson(type)) throw unsupportedType(type, ['application/json'])
  const bytes = await readUnpacked(request)
  const options = { ...request.limits, ...request.json }
  if (bytes.byteLength <= atOnceBytes) return checkFields(schema, bytes.byteLength === 0 ? {} : parseJson(bytes, options))
  const pace = request.timeSlices.begin()
  const input = await parseJsonPaced(bytes, options, pace)
  await pace()
  const result = await parsePaced(schema, input, pace)
  if (!result.success) throw toRefusal(result.error, { root: 'body', input })
  return result.data
}

function checkFields(schema: z.ZodObject, input: unknown): Input {
  const result = schema.safeParse(input)
  if (!result.success) throw toRefusal(result.error, { root: 'body', input })
  return result.data
}

async function stageDeclaredBody(request: MatchedRequest, accepted: readonly string[] | undefined): Promise<Input> {
  const type = mediaType(readContentType(request.request.headers))
  const isAccepted = accepted ? type === undefined || accepted.includes(type) : mayBeJson(type)
  if (!isAccepted) throw unsupportedType(type, accepted ?? ['application/json'])
  const isText = accepted === undefined || accepted.some((each) => each.includes('json'))
  return { content: await stageBody({ ...request, ownSecret: isText ? request.ownSecret : undefined }) }
}

/** Writes the body to disk while it arrives. A packed one is small enough to be unpacked in memory. */
export async function stageBody(request: Omit<MatchedRequest, 'params' | 'timeSlices'>): Promise<StagedUpload> {
  if (findInflater(request.request.headers.get('content-encoding'))) return request.stage(once(await readUnpacked(request)))
  const chunks = new PassThrough({ highWaterMark: 2 ** 20 })
  // The body may be refused before the staging begins to read, and to listen; it meets the error when it does.
  chunks.on('error', () => undefined)
  const staging = request.stage(chunks)
  const masked = request.ownSecret?.stream()
  const take = (chunk: Uint8Array) => writeChunk(chunks, masked ? masked.push(chunk) : chunk)
  const received = consumeBody(request, stagedBounds(request.limits), take).then(
    () => void chunks.end(masked?.end()),
    (error: unknown) => {
      chunks.destroy(error as Error)
      throw error
    },
  )
  // If both fail, the reason is that of the first failure.
  const [content] = await Promise.all([staging, received])
  return content
}

function stagedBounds({ maxStagedBytes, stagedSetting }: RequestLimits): BodyBounds {
  const most = `at most ${maxStagedBytes} are accepted here${stagedSetting === undefined ? '' : ` (${stagedSetting})`}`
  return {
    maxBytes: maxStagedBytes,
    describeExcess: (declared) => `Request too large: it has ${declared === undefined ? 'more' : `${declared} bytes`}, ${most}`,
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Waits until the disk keeps up. */
function writeChunk(chunks: PassThrough, chunk: Uint8Array): void | Promise<void> {
  if (chunks.destroyed || chunks.write(chunk)) return undefined
  return new Promise((resolve) => {
    const settle = () => {
      chunks.off('drain', settle).off('close', settle)
      resolve()
    }
    chunks.on('drain', settle).on('close', settle)
  })
}

/** Hands the decompressed bytes to the handler without a copy. Without a content type the handler has to detect what they are. */
async function readDeclaredBytes(request: MatchedRequest, accepted: readonly string[]): Promise<Input> {
  const contentType = readContentType(request.request.headers)
  const type = mediaType(contentType)
  if (type !== undefined && !accepted.includes(type)) throw unsupportedType(type, accepted)
  return { bytes: await readUnpacked(request), content_type: contentType ?? undefined }
}

/** The decompressed body. Resolves once the permit is granted, which a slow client does not hold while it sends. */
export async function readUnpacked(request: Omit<MatchedRequest, 'params' | 'stage' | 'timeSlices'>): Promise<Uint8Array> {
  const { limits, memory, permit, ownSecret } = request
  const inflater = findInflater(request.request.headers.get('content-encoding'))
  const bytes = await readBody(request, { maxBytes: limits.maxBodyBytes, memory })
  await permit.acquire(bytes.byteLength, request.request)
  if (!inflater || bytes.byteLength === 0) {
    ownSecret?.mask(bytes)
    return bytes
  }
  const unpacked = await inflateBody(bytes, { inflater, limits, memory })
  ownSecret?.mask(unpacked)
  permit.addBytes(unpacked.byteLength - bytes.byteLength)
  if (request.meter) request.meter.bytes += unpacked.byteLength - bytes.byteLength
  return unpacked
}

async function readMultipart(request: MatchedRequest, parts: readonly string[]): Promise<Multipart> {
  const { headers } = request.request
  const { limits, memory, stage, ownSecret } = request
  const contentType = readContentType(headers) ?? ''
  const type = mediaType(contentType)
  if (type !== 'multipart/form-data') throw unsupportedType(type, ['multipart/form-data'])
  const inflater = findInflater(headers.get('content-encoding'))
  const reader = createMultipartReader(contentType, { limits, memory, parts, stage, ownSecret })
  try {
    if (inflater) await reader.write(await readUnpacked({ ...request, ownSecret: undefined }))
    else await consumeBody(request, { maxBytes: limits.maxBodyBytes }, reader.write)
    return await reader.end()
  } catch (error) {
    reader.abandon()
    throw error
  }
}

function withFiles(schema: z.ZodObject, { fields, files }: Multipart): Input {
  return { ...checkFields(schema, fields), files }
}
