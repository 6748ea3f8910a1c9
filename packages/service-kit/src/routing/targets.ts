import { addsStorage } from '@heddle/core-api/internal'
import { type Admission, unlimitedPermit } from '../admission/admission.ts'
import type { Flow } from '../admission/fair-queue.ts'
import type { Permit } from '../admission/request-queue.ts'
import type { AccessRecord } from '../http/access-log.ts'
import { type AnswerOptions, answerResponse } from '../response/answer-response.ts'
import { nameNulField } from '../response/name-nul-field.ts'
import type { RequestCharges } from '../limits/request-charges.ts'
import type { MemoryReservation } from '../request/body-budget.ts'
import { createOwnSecret, type OwnSecret } from '../request/own-secret.ts'
import { readCredential } from '../auth/credentials.ts'
import type { Exchange } from './endpoint.ts'
import type { MountOptions, RawRoute, UploadRoute } from './mount-options.ts'
import { createRequestParser, readUnpacked, stageBody } from '../request/parse-request.ts'
import type { BodyMeter } from '../request/read-body.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import { type StageUpload, trackStagedUploads } from '../request/staged-uploads.ts'
import { type Contract, listOperations, type NamedOperation } from './routes.ts'

/** A request to one target, and the resources it holds. */
export interface RequestContext extends Exchange {
  limits: RequestLimits
  memory: MemoryReservation
  access: AccessRecord
  meter: BodyMeter
  /** Set once the caller is known. */
  ownSecret?: OwnSecret | undefined
  /** Set once the caller is known, where the request counts for the limits of projects. */
  charges?: RequestCharges | undefined
  /** Called when a streamed response has ended; `error` is the reason if it was cut. */
  onStreamEnd: (error: unknown) => void
}

/** What answers one method of one path, or of several that mean the same. */
export interface Target {
  /** With the name of the service, as in `tracing.calls.start`. */
  name: string
  method: string
  paths: readonly string[]
  /** The response is JSON lines: the request ends with it, and `onStreamEnd` is always called then. */
  streams: boolean
  /** @throws ApiError or anything else; the caller answers it */
  answer(context: RequestContext): Promise<Response>
}

/** Enough for a form that needs no key. */
const maxOpenBodyBytes = 64 * 1024

type AnyHandler = (input: unknown, context: unknown) => Promise<unknown>

/** `MountOptions` of any contract, caller and context. */
export interface AnyMountOptions extends Omit<MountOptions<Contract, unknown, unknown>, 'handlers'> {
  handlers: Readonly<Record<string, Readonly<Record<string, AnyHandler | undefined>> | undefined>>
}

/** A target for each operation. @throws Error when one has no handler */
export function operationTargets(options: AnyMountOptions, admission: Admission): Target[] {
  return listOperations(options.resources).map((named) => operationTarget(named, options, admission))
}

function operationTarget(named: NamedOperation, options: AnyMountOptions, admission: Admission): Target {
  const { operation } = named
  const { method, path, aliases = [], bodyFactor = 1, keepsSurrogates } = operation
  const handle = findHandler(named, options.handlers)
  const parse = createRequestParser(operation)
  const stageUpload = findStaging(named, options)
  const stagedLimit = options.stagedLimit?.(named)
  const isStoring = addsStorage(operation)
  const addsData = isStoring && operation.effect === 'write'
  // Operations without a key share a few permits, so that reading a long response slowly takes permits only from other requests of this kind.
  const holdsUntilEnd = operation.open === true && operation.stream !== undefined
  const isCounted = !operation.open && operation.rateLimited !== false
  return {
    name: `${options.name}.${named.name}`,
    method,
    paths: [path, ...aliases],
    streams: operation.stream !== undefined,
    async answer(context) {
      const caller = operation.open ? undefined : await authenticate(context, options)
      if (isStoring) await options.assertDiskSpace?.()
      const flow = flowOf(caller, context, options)
      if (isCounted) context.charges = options.limiter?.forRequest({ keyId: flow.caller, body: context.meter, addsData })
      const known = context.charges && options.knownProject?.(caller, named, flow.project || undefined)
      const checking = known === undefined ? undefined : context.charges?.assertWithin(known, operation.effect)
      if (checking) await checking
      const permit = admission.admit(operation, flow)
      context.memory.assignOwner(`${flow.caller} ${flow.project}`)
      const uploads = trackStagedUploads(stageUpload)
      let isStreaming = false
      try {
        const { maxBodyBytes, maxValues } = context.limits
        const maxBytes = operation.open ? Math.min(maxBodyBytes, maxOpenBodyBytes) : maxBodyBytes * bodyFactor
        const limits = { ...context.limits, maxBodyBytes: maxBytes, maxValues: maxValues * bodyFactor, ...stagedLimit }
        const { timeSlices } = admission
        const input = await parse({
          ...context,
          permit,
          limits,
          timeSlices,
          stage: uploads.stage,
          ...(keepsSurrogates && { json: { loneSurrogates: 'keep' } }),
        })
        await permit.acquire(0, context.request)
        if (operation.waits) permit.release()
        const origin = { request: context.request, address: context.address, flow, charges: context.charges }
        const handled = handle(input, options.context(caller, named, origin))
        const given = answerOptions(holdsUntilEnd ? untilStreamEnd(context, permit) : context, {
          idOf: options.eventId?.(named),
          stallMs: options.stallMs,
        })
        return await handled
          .then(async (answer) => {
            const response = await answerResponse(operation, answer, given)
            isStreaming = holdsUntilEnd
            return response
          })
          .catch((error: unknown) => Promise.reject(nameNulField(error, input)))
      } finally {
        if (!isStreaming) permit.release()
        context.access.waitedMs = permit.waitedMs
        await uploads.dropAll()
      }
    },
  }
}

/** Releases the permit when the stream has ended. */
function untilStreamEnd(context: RequestContext, permit: Permit): RequestContext {
  return {
    ...context,
    onStreamEnd(error) {
      permit.release()
      context.onStreamEnd(error)
    },
  }
}

function findStaging({ name, operation }: NamedOperation, options: AnyMountOptions): StageUpload {
  if ((operation.multipart || operation.staged) && !options.stageUpload)
    throw new Error(`operation ${name} takes files, but the option stageUpload is missing`)
  return options.stageUpload ?? (() => Promise.reject(new Error(`operation ${name} takes no files`)))
}

/** Requests without a key are of one caller, and share what it has by their addresses. */
function flowOf(caller: unknown, context: RequestContext, { keyId, projectOf }: AnyMountOptions): Flow {
  if (caller === undefined) return { caller: '', project: context.address }
  const { request, params } = context
  return { caller: keyId?.(caller) ?? '', project: projectOf?.({ params, headers: request.headers }) ?? '' }
}

function findHandler({ name, resource }: NamedOperation, handlers: AnyMountOptions['handlers']): AnyHandler {
  const group = handlers[resource]
  const key = name.slice(resource.length + 1)
  if (typeof group?.[key] !== 'function') throw new Error(`operation ${name} has no handler`)
  return (input, context) => group[key]!(input, context)
}

/** A target for a path outside the contract. */
export function rawTarget(route: RawRoute<unknown>, options: AnyMountOptions): Target {
  return {
    name: `${options.name}.${route.name}`,
    method: route.method,
    paths: [route.path],
    streams: false,
    async answer(context) {
      if (route.handle === undefined) return answerUpload(route, context, options)
      if (!route.open) {
        const caller = await authenticate(context, options)
        context.charges = options.limiter?.forRequest({ keyId: options.keyId?.(caller) ?? '', body: context.meter, addsData: false })
        return route.handle(await withReadBody(context), caller, context.charges)
      }
      const { limits } = context
      return route.handle(
        await withReadBody({ ...context, limits: { ...limits, maxBodyBytes: Math.min(limits.maxBodyBytes, maxOpenBodyBytes) } }),
        context.address,
      )
    },
  }
}

async function answerUpload(route: UploadRoute, context: RequestContext, { stageUpload }: AnyMountOptions): Promise<Response> {
  if (!stageUpload) throw new Error(`route ${route.name} takes files, but the option stageUpload is missing`)
  const keep = await route.begin(context.params, context.request)
  const uploads = trackStagedUploads(stageUpload)
  try {
    return await keep(await stageBody({ ...context, permit: unlimitedPermit, stage: uploads.stage }))
  } finally {
    await uploads.dropAll()
  }
}

async function authenticate(context: RequestContext, options: AnyMountOptions): Promise<unknown> {
  const { failedLogins, keyId } = options
  const check = async () => options.authenticate(context.request)
  const secret = readCredential(context.request.headers)
  const attempt = { address: context.address, secret }
  const caller = await (failedLogins ? failedLogins.attempt(attempt, check) : check())
  context.access.key = keyId?.(caller) ?? null
  context.ownSecret = createOwnSecret(secret)
  return caller
}

async function withReadBody(context: RequestContext): Promise<Request> {
  const { url, method, headers: sent, signal } = context.request
  if (method !== 'POST') return context.request
  const headers = new Headers(sent)
  headers.delete('content-encoding')
  headers.delete('content-length')
  return new Request(url, {
    method,
    headers,
    signal,
    body: (await readUnpacked({ ...context, permit: unlimitedPermit })) as Uint8Array<ArrayBuffer>,
  })
}

function answerOptions(
  { request, outgoing, onStreamEnd }: RequestContext,
  { idOf, stallMs }: { idOf: AnswerOptions['idOf']; stallMs: number | undefined },
): AnswerOptions {
  return {
    request,
    idOf,
    onEnd: ({ error }) => onStreamEnd(error),
    ...(outgoing && { abort: () => void outgoing.destroy() }),
    ...(stallMs !== undefined && { stallMs }),
  }
}
