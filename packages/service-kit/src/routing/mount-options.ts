import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handlers } from '@heddle/core-api'
import type { HeldBytes } from '@heddle/core-api/internal'
import type { JsonOptions } from '@heddle/json'
import type { Admission } from '../admission/admission.ts'
import type { Flow } from '../admission/fair-queue.ts'
import type { BodyBudget } from '../request/body-budget.ts'
import type { ServiceLog } from '../response/error-body.ts'
import type { FailedLogins } from '../auth/failed-logins.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import type { Contract, NamedOperation } from './routes.ts'

/** What a Node server adds to a request: the raw message and the raw answer. */
export interface NodeBindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

/** A service as one function, with or without a port. It answers everything and does not reject. */
export interface Service {
  fetch(request: Request, bindings?: NodeBindings): Promise<Response>
}

/** A request and where it comes from. */
export interface RequestPlace {
  request: Request
  /** Address of the other end of the connection; `''` without one. */
  address: string
  /** Whose work it is. */
  flow: Flow
}

interface RawRoutePlace {
  /** For the log. */
  name: string
  method: 'GET' | 'HEAD' | 'POST'
  path: string
}

/** A path outside the contract that needs a key. */
export interface KeyedRawRoute<Caller> extends RawRoutePlace {
  open?: false
  /** The body of the request is already read, unpacked and within the limit. */
  handle: (request: Request, caller: Caller) => Promise<Response> | Response
}

/** A path outside the contract for everyone. Its bodies have at most 64 KiB. */
export interface OpenRawRoute extends RawRoutePlace {
  open: true
  handle: (request: Request) => Promise<Response> | Response
}

/** A path outside the contract, for clients that expect one. Shares authentication, limits, errors and log with the operations. */
export type RawRoute<Caller> = KeyedRawRoute<Caller> | OpenRawRoute

/** Bytes of an upload, and what ends their stay. */
export interface PartHold extends HeldBytes {
  /** Forgets what was not kept; does nothing to what was. */
  drop(): Promise<void>
}

/** Puts the bytes of an upload aside while they arrive. Nothing is left of them when it rejects. */
export type HoldPart = (content: AsyncIterable<Uint8Array>) => Promise<PartHold>

export interface MountOptions<C extends Contract, Caller, Context> {
  /** Of the service: what its operations are called in the log begins with it, as in `tracing.calls.start`. */
  name: string
  resources: C
  handlers: { [K in keyof C]: Handlers<C[K], Context> }
  /** Who sends the request. Not asked for operations that are declared open. @throws ApiError 401 */
  authenticate: (request: Request) => Promise<Caller> | Caller
  /** What a handler gets beside its input. `caller` is undefined for open operations; `request.signal` fires when the client leaves. */
  context: (caller: Caller | undefined, operation: NamedOperation, place: RequestPlace) => Context
  /** Where the paths begin. Default `['']`: at the root. */
  prefixes?: readonly string[]
  raw?: readonly RawRoute<Caller>[]
  /** Answers a browser that opens a path below the prefixes which no service has. Needs no key. Default: it is not found. */
  page?: (request: Request) => Promise<Response> | Response
  /** Where uploaded files wait until a handler keeps them. Needed by operations that take some. */
  holdPart?: HoldPart
  limits?: Partial<RequestLimits>
  /** Who is worked for and who waits. Default: one of this service alone. */
  admission?: Admission
  /** Memory for bodies that are being read or handled; beyond it new ones are told to come back. Default: 256 MiB for this service alone. */
  budget?: BodyBudget
  /** The project that a request names before its body; those of a caller take turns. Default: none is known. */
  projectOf?: (request: { params: Record<string, string>; headers: Headers }) => string | undefined
  /** Called before the body of an operation is read. Refuses it when it would add data for which there is no room. Default: nothing is refused. */
  assertRoom?: (operation: NamedOperation) => Promise<void> | void
  /** How many times the limits of a body, in bytes and in values, the body of an operation may take. Default 1 for each. */
  bodyLimitFactor?: (operation: NamedOperation) => number
  /** How the JSON body of an operation is read, where it differs from the default. */
  json?: (operation: NamedOperation) => Pick<JsonOptions, 'loneSurrogates' | 'onLoneSurrogates'> | undefined
  /** How the rows of a streamed operation are named for a browser that gets them as events and comes back with the last id. Default: not at all. */
  eventId?: (operation: NamedOperation) => ((row: unknown) => string | undefined) | undefined
  /** Time that a reader of a streamed answer may take over one piece. Default 30 s. */
  stallMs?: number
  /** Slows those who try wrong keys. Default: nobody is slowed. */
  failedLogins?: FailedLogins
  /** Id of the key, for the log and for turns: the keys take turns. Default: none. */
  keyId?: (caller: Caller) => string
  log?: ServiceLog
  /** Milliseconds of a clock that never goes back. Default: the process's own. */
  nowMs?: () => number
}
