import type { ApiError, Handlers } from '@heddle/core-api'
import type { Admission } from '../admission/admission.ts'
import type { Flow } from '../admission/fair-queue.ts'
import type { BodyBudget } from '../request/body-budget.ts'
import type { ServiceLog } from '../response/error-body.ts'
import type { FailedLogins } from '../auth/failed-logins.ts'
import type { ProjectLimiter } from '../limits/project-limiter.ts'
import type { RequestCharges } from '../limits/request-charges.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import type { StagedUpload, StageUpload } from '../request/staged-uploads.ts'
import type { RequestStats } from '../http/request-stats.ts'
import type { UnservedBodies } from './endpoint.ts'
import type { Contract, NamedOperation } from './routes.ts'

/** A request and its sender. */
export interface RequestOrigin {
  request: Request
  /** Address of the other end of the connection; `''` without one. */
  address: string
  /** Flow of the sender in admission. */
  flow: Flow
  /** The charges of the request against project limits. Undefined if it is not counted. */
  charges?: RequestCharges | undefined
}

interface RawRoutePath {
  /** For the log. */
  name: string
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  path: string
}

/** A path outside the contract that needs a key. */
export interface KeyedRawRoute<Caller> extends RawRoutePath {
  open?: false
  /** The body of the request is already read, unpacked and within the limit. `charges`: what it takes of the limits of projects. */
  handle: (request: Request, caller: Caller, charges?: RequestCharges) => Promise<Response> | Response
}

/** A path outside the contract for everyone. Its bodies have at most 64 KiB. */
export interface OpenRawRoute extends RawRoutePath {
  open: true
  /** `address`: other end of the connection; `''` without one. */
  handle: (request: Request, address: string) => Promise<Response> | Response
}

/**
 * A path outside the contract to which one client may upload: the address is the permission, so it must have been issued to it, be impossible to
 * guess and expire soon. The body is written to disk while it arrives.
 */
export interface UploadRoute extends Omit<RawRoutePath, 'method'> {
  method: 'PUT'
  open?: false
  handle?: undefined
  /**
   * Called with the parameters of the path before the body is read; the returned function is called with the body.
   * @throws ApiError for an address that permits nothing
   */
  begin: (params: Record<string, string>, request: Request) => Promise<(content: StagedUpload) => Promise<Response>>
}

/** A path outside the contract, for clients that expect one. Shares authentication, limits, errors and log with the operations. */
export type RawRoute<Caller> = KeyedRawRoute<Caller> | OpenRawRoute | UploadRoute

export interface MountOptions<C extends Contract, Caller, Context> {
  /** Name of the service; prefix of its operations in the log, as in `tracing.calls.start`. */
  name: string
  resources: C
  handlers: { [K in keyof C]: Handlers<C[K], Context> }
  /** Who sends the request. Not called for operations that are declared open. @throws ApiError 401 */
  authenticate: (request: Request) => Promise<Caller> | Caller
  /** A handler's context in addition to its input. `caller` is undefined for open operations; `request.signal` fires when the client leaves. */
  context: (caller: Caller | undefined, operation: NamedOperation, origin: RequestOrigin) => Context
  /** Where the paths begin. Default `['']`: at the root. */
  prefixes?: readonly string[]
  /** Below these prefixes several slashes count as one. Default: nowhere. */
  looseSlashes?: readonly string[]
  /** Bodies of responses to requests without a matching endpoint. Default: the standard error body. */
  unserved?: UnservedBodies
  raw?: readonly RawRoute<Caller>[]
  /** Answers a browser that opens a path below the prefixes that no service has. Needs no key. Default: 404. */
  page?: OpenRawRoute['handle']
  /** Where uploaded files are staged until a handler keeps them. Required by operations that take files. */
  stageUpload?: StageUpload
  limits?: Partial<RequestLimits>
  /** The body of an error response. Default: as `errorBody` writes it. */
  errorBody?: (error: ApiError, operation: string, requestId: string | undefined) => Record<string, unknown>
  /** A further header in which clients of an operation look for the id of the request. Default: none. */
  requestIdHeader?: (operation: string) => string | undefined
  /** Which requests run and which wait. Default: one of this service alone. */
  admission?: Admission
  /** Memory for bodies that are being read or handled; beyond it new ones get 503. Default: 256 MiB for this service alone. */
  budget?: BodyBudget
  /** The project that a request names in its path or headers, for fair queueing among the projects of a caller. Default: none is known. */
  projectOf?: (request: { params: Record<string, string>; headers: Headers }) => string | undefined
  /** Bounds what projects and their keys do in a time. Default: nothing does. */
  limiter?: Pick<ProjectLimiter, 'forRequest'>
  /**
   * A project that the request will open and the caller may use, as far as that is known before the body is read; its limits are then checked
   * first. `named`: as `projectOf` found it. Default: it is never known.
   */
  knownProject?: (caller: Caller, operation: NamedOperation, named: string | undefined) => string | undefined
  /** Called before the body of an operation that adds to the storage is read. Rejects when the disk is full. Default: never rejects. */
  assertDiskSpace?: (() => Promise<void> | void) | undefined
  /** Bytes of the staged body of an operation where they differ from `limits.maxStagedBytes`, and the setting that changes them. Default: nowhere. */
  stagedLimit?: (operation: NamedOperation) => Pick<RequestLimits, 'maxStagedBytes' | 'stagedSetting'> | undefined
  /** Event ids of the rows of a streamed operation, for a browser that reads them as events and resumes after the last id. Default: none. */
  eventId?: (operation: NamedOperation) => ((row: unknown) => string | undefined) | undefined
  /** Milliseconds that the reader of a streamed response may take for one chunk. Default 30 s. */
  stallMs?: number
  /** Throttles clients that try wrong keys. Default: no throttling. */
  failedLogins?: FailedLogins
  /** Id of the key, for the log and for fair queueing among keys. Default: none. */
  keyId?: (caller: Caller) => string
  log?: ServiceLog
  /** Counts the requests of the service. Default: they are not counted. */
  requests?: RequestStats
  /** Milliseconds of a monotonic clock. Default: the process's own. */
  nowMs?: () => number
}
