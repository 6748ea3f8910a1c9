import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Admission, unbounded } from './admission/admission.ts'
import type { Flow } from './admission/fair-queue.ts'
import type { AccessRecord } from './access-log.ts'
import { answerResponse } from './answer-response.ts'
import type { BodyClaim } from './body-budget.ts'
import { readCredential } from './credentials.ts'
import type { JsonlOptions } from './jsonl-response.ts'
import type { HoldPart, MountOptions, RawRoute } from './mount-options.ts'
import { rememberHolds } from './part-holds.ts'
import { createRequestParser, readUnpacked } from './parse-request.ts'
import type { RequestLimits } from './request-limits.ts'
import { type Contract, listOperations, type NamedOperation, type Placed } from './routes.ts'

/** One request on its way through. */
export interface Passage {
  request: Request
  incoming: IncomingMessage | undefined
  outgoing: ServerResponse | undefined
  /** Path parameters, percent-decoded. */
  params: Record<string, string>
  limits: RequestLimits
  claim: BodyClaim
  access: AccessRecord
  /** Told when an answer that is sent while it is made has ended; `error` says why it was cut. */
  onStreamEnd: (error: unknown) => void
}

/** What answers one method of one path. */
export interface Target {
  name: string
  /** The answer is lines of JSON: its end, always told to `onStreamEnd`, is the end of the request. */
  streams: boolean
  /** @throws ApiError or anything else; the caller answers it */
  answer(passage: Passage): Promise<Response>
}

type AnyHandler = (input: unknown, context: unknown) => Promise<unknown>

/** A target for each path of each operation. @throws Error when one has no handler */
export function contractTargets<C extends Contract, Caller, Context>(
  options: MountOptions<C, Caller, Context>,
  admission: Admission,
): Placed<Target>[] {
  return listOperations(options.resources).flatMap((named) => {
    const target = operationTarget(named, options, admission)
    const { method, path, aliases = [] } = named.operation
    return [path, ...aliases].map((at) => ({ method, path: at, target }))
  })
}

function operationTarget<C extends Contract, Caller, Context>(
  named: NamedOperation,
  options: MountOptions<C, Caller, Context>,
  admission: Admission,
): Target {
  const { name, operation } = named
  const handle = findHandler(named, options.handlers)
  const parse = createRequestParser(operation)
  const json = options.json?.(named)
  const holdPart = findHold(named, options)
  const factor = options.bodyLimitFactor?.(named) ?? 1
  return {
    name,
    streams: operation.stream !== undefined,
    async answer(passage) {
      const caller = operation.open ? undefined : await authenticated(passage, options)
      await options.assertRoom?.(named)
      const flow = flowOf(caller, passage, options)
      const visit = admission.enter(operation, flow)
      passage.claim.ownedBy(`${flow.caller} ${flow.project}`)
      const holds = rememberHolds(holdPart)
      try {
        const { maxBodyBytes, maxValues } = passage.limits
        const limits = { ...passage.limits, maxBodyBytes: maxBodyBytes * factor, maxValues: maxValues * factor }
        const input = await parse({ ...passage, visit, limits, hold: holds.hold, ...(json && { json }) })
        await visit.begin(0, passage.request)
        const answer = await handle(input, options.context(caller, named, { request: passage.request, address: addressOf(passage), flow }))
        return await answerResponse(operation, answer, streamOptions(passage, options.stallMs))
      } finally {
        visit.leave()
        passage.access.waitedMs = visit.waitedMs
        await holds.dropAll()
      }
    },
  }
}

function findHold<C extends Contract, Caller, Context>(
  { name, operation }: NamedOperation,
  options: MountOptions<C, Caller, Context>,
): HoldPart {
  if (operation.multipart && !options.holdPart) throw new Error(`operation ${name} takes files, and there is no place for them (holdPart)`)
  return options.holdPart ?? (() => Promise.reject(new Error(`operation ${name} takes no files`)))
}

function flowOf<C extends Contract, Caller, Context>(
  caller: Caller | undefined,
  { request, params }: Passage,
  { keyId, projectOf }: MountOptions<C, Caller, Context>,
): Flow {
  return {
    caller: (caller !== undefined && keyId?.(caller)) || '',
    project: projectOf?.({ params, headers: request.headers }) ?? '',
  }
}

/** Address of the other end of the connection; `''` without one. */
function addressOf({ incoming }: Passage): string {
  return incoming?.socket.remoteAddress ?? ''
}

function findHandler({ name, resource }: NamedOperation, handlers: object): AnyHandler {
  const group = (handlers as Record<string, Record<string, AnyHandler> | undefined>)[resource]
  const key = name.slice(resource.length + 1)
  if (!group || typeof group[key] !== 'function') throw new Error(`operation ${name} has no handler`)
  return (input, context) => group[key]!(input, context)
}

/** A target for a path outside the contract. */
export function rawTarget<C extends Contract, Caller, Context>(
  route: RawRoute<Caller>,
  options: MountOptions<C, Caller, Context>,
): Placed<Target> {
  const target: Target = {
    name: route.name,
    streams: false,
    async answer(passage) {
      const caller = await authenticated(passage, options)
      return route.handle(await withReadBody(passage), caller)
    },
  }
  return { method: route.method, path: route.path, target }
}

async function authenticated<C extends Contract, Caller, Context>(
  passage: Passage,
  { authenticate, failedLogins, keyId }: MountOptions<C, Caller, Context>,
): Promise<Caller> {
  const check = async () => authenticate(passage.request)
  const attempt = { address: addressOf(passage), secret: readCredential(passage.request.headers) }
  const caller = await (failedLogins ? failedLogins.attempt(attempt, check) : check())
  passage.access.key = keyId?.(caller) ?? null
  return caller
}

async function withReadBody(passage: Passage): Promise<Request> {
  const { url, method, headers: sent, signal } = passage.request
  if (method === 'GET') return passage.request
  const headers = new Headers(sent)
  headers.delete('content-encoding')
  headers.delete('content-length')
  return new Request(url, {
    method,
    headers,
    signal,
    body: (await readUnpacked({ ...passage, visit: unbounded })) as Uint8Array<ArrayBuffer>,
  })
}

function streamOptions({ outgoing, onStreamEnd }: Passage, stallMs: number | undefined): JsonlOptions {
  return {
    onEnd: ({ error }) => onStreamEnd(error),
    ...(outgoing && { abort: () => void outgoing.destroy() }),
    ...(stallMs !== undefined && { stallMs }),
  }
}
