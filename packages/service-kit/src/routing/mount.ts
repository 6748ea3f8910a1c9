import { startAccess } from '../http/access-log.ts'
import { createAdmission } from '../admission/admission.ts'
import { createBodyBudget } from '../request/body-budget.ts'
import type { Endpoint, MountedService } from './endpoint.ts'
import { errorResponse, logCut, refusalOf } from '../response/error-body.ts'
import { isCancelled } from '../response/store-error.ts'
import { repeatRequestId } from '../response/request-id.ts'
import type { RequestCharges } from '../limits/request-charges.ts'
import type { MountOptions } from './mount-options.ts'
import { createBodyMeter } from '../request/read-body.ts'
import { defaultRequestLimits } from '../request/request-limits.ts'
import { type Contract, patternsOf } from './routes.ts'
import { type AnyMountOptions, operationTargets, rawTarget, type RequestContext, type Target } from './targets.ts'

/**
 * Prepares a contract to be served: each operation authenticates, parses and validates, calls the handler, encodes the answer or the error. Iterates
 * the contract, so a declared operation is a served one.
 * @throws Error immediately when an operation has no handler
 */
export function mount<const C extends Contract, Caller, Context>(options: MountOptions<C, Caller, Context>): MountedService {
  // The types match handlers to operations. From here on all are called in the same way.
  const erased = options as unknown as AnyMountOptions
  const { admission = createAdmission(), raw = [], page, prefixes = [''] } = erased
  const toEndpoint = createEndpoints(erased)
  const targets = [...operationTargets(erased, admission), ...raw.map((route) => rawTarget(route, erased))]
  const endpoints = targets.flatMap((target) => {
    const endpoint = toEndpoint(target)
    const patterns = target.paths.flatMap((path) => patternsOf(path, prefixes))
    return patterns.map((pattern) => ({ method: target.method, pattern, endpoint }))
  })
  const { looseSlashes, unserved } = erased
  const paths = { endpoints, ...(looseSlashes && { looseSlashes }), ...(unserved && { unserved }) }
  if (!page) return paths
  const endpoint = toEndpoint(rawTarget({ name: 'page', method: 'GET', path: '/', open: true, handle: page }, erased))
  return { ...paths, page: { prefixes, endpoint } }
}

/** Wraps each operation of a service with a line in the access log, memory for the body, and responses for errors. */
function createEndpoints(options: AnyMountOptions): (target: Target) => Endpoint {
  const { log, requests, nowMs = () => performance.now(), budget = createBodyBudget() } = options
  const limits = { ...defaultRequestLimits, ...options.limits }

  return ({ name, streams, answer }) =>
    async (exchange) => {
      const { request, outgoing } = exchange
      repeatRequestId(outgoing, options.requestIdHeader?.(name))
      const access = startAccess({ method: request.method, operation: name, headers: request.headers, outgoing, log, requests, nowMs })
      const onStreamEnd = (error: unknown) => {
        if (error !== undefined && !isCancelled(error)) {
          access.cut = error instanceof Error ? error.name : 'Error'
          logCut(error, { operation: name, outgoing, log })
        }
        if (streams) access.finish(200)
      }
      const memory = budget.open()
      const context: RequestContext = { ...exchange, limits, memory, access, onStreamEnd, meter: createBodyMeter(request.headers) }
      access.meter = context.meter
      try {
        const response = await access.run(() => answer(context))
        if (!streams) access.finish(response.status)
        return withLimits(response, context.charges, true)
      } catch (error) {
        access.refusal = refusalOf(error)
        const response = errorResponse(error, {
          operation: name,
          request,
          outgoing,
          log,
          ...(options.errorBody && { toBody: options.errorBody }),
        })
        access.finish(response.status)
        return withLimits(response, context.charges, false)
      } finally {
        memory.release()
      }
    }
}

/** Adds the remaining quotas of the limits that the request was charged to. */
function withLimits(response: Response, charges: RequestCharges | undefined, isAccepted: boolean): Response {
  charges?.settle(isAccepted)
  const fields = charges?.headerFields()
  if (fields) for (const [name, value] of Object.entries(fields)) response.headers.set(name, value)
  return response
}
