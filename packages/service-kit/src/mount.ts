import { type Context as HonoContext, Hono } from 'hono'
import { type AccessRecord, startAccess } from './access-log.ts'
import { createAdmission } from './admission/admission.ts'
import { createBodyBudget } from './body-budget.ts'
import { errorResponse, isCancelled, logCut, noSuchMethod, noSuchPath } from './error-body.ts'
import type { MountOptions, NodeBindings, Service } from './mount-options.ts'
import { defaultRequestLimits } from './request-limits.ts'
import { type Contract, toRoutes } from './routes.ts'
import { contractTargets, rawTarget, type Target } from './targets.ts'

type Env = { Bindings: NodeBindings }

/**
 * Serves a contract: finds the operation, authenticates, parses and validates, calls the handler, encodes the answer or the error.
 * Iterates the contract, so a declared operation is a served one.
 * @throws Error at once when an operation has no handler or shares method and path with another
 */
export function mount<const C extends Contract, Caller, Context>(options: MountOptions<C, Caller, Context>): Service {
  const { log, nowMs = () => performance.now(), admission = createAdmission() } = options
  const limits = { ...defaultRequestLimits, ...options.limits }
  const budget = createBodyBudget(limits.maxInFlightBytes)
  const start = (c: HonoContext<Env>, operation: string | null) =>
    startAccess({ method: c.req.method, operation, outgoing: c.env.outgoing, log, nowMs })
  const app = new Hono<Env>()
  const targets = [...contractTargets(options, admission), ...(options.raw ?? []).map((route) => rawTarget(route, options))]
  for (const { pattern, byMethod } of toRoutes(targets, options.prefixes ?? [''])) {
    app.all(pattern, (c) => {
      const target = byMethod.get(c.req.method)
      return target ? pass(target, c) : refuse(c, noSuchMethod([...byMethod.keys()]))
    })
  }
  app.notFound((c) => refuse(c, noSuchPath()))

  function refuse(c: HonoContext<Env>, response: Response): Response {
    start(c, null).finish(response.status)
    return response
  }

  async function pass(target: Target, c: HonoContext<Env>): Promise<Response> {
    const access = start(c, target.name)
    const claim = budget.open()
    const { incoming, outgoing } = c.env
    const onStreamEnd = (error: unknown) => endStream(access, target, error)
    try {
      const response = await target.answer({
        request: c.req.raw,
        incoming,
        outgoing,
        params: c.req.param(),
        limits,
        claim,
        access,
        onStreamEnd,
      })
      if (!target.streams) access.finish(response.status)
      return response
    } catch (error) {
      const response = errorResponse(error, { operation: target.name, request: c.req.raw, log })
      access.finish(response.status)
      return response
    } finally {
      claim.release()
    }
  }

  function endStream(access: AccessRecord, { name, streams }: Target, error: unknown): void {
    if (error !== undefined && !isCancelled(error)) {
      access.cut = error instanceof Error ? error.name : 'Error'
      logCut(error, { operation: name, log })
    }
    if (streams) access.finish(200)
  }

  return { fetch: async (request, bindings = {}) => app.fetch(request, bindings) }
}
