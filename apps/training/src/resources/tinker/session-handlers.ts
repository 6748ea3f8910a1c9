import { Buffer } from 'node:buffer'
import { ApiError, type BytesAnswer, type Handlers, type training } from '@heddle/core-api'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { openOrHide } from '../models/open-model.ts'
import type { ResultOwner, RequestOutcome } from './sessions/pending-results.ts'
import { toMetadata } from './to-metadata.ts'
import type { TinkerDeps } from './tinker-deps.ts'

type Names =
  | 'healthz'
  | 'readCapabilities'
  | 'readClientConfig'
  | 'readDynamicConfig'
  | 'addTelemetry'
  | 'createSession'
  | 'heartbeat'
  | 'listSessions'
  | 'readSession'
  | 'finishSession'
  | 'retrieveFuture'
  | 'cancelFuture'
  | 'saveWeightsExternal'
  | 'copyWeights'
  | 'createCustomLoss'

const defaultProject = 'default'
const message = 'application/x-protobuf'
/** Projects of which sessions and runs are listed. */
export const maxProjects = 1_000

/** Sessions, their results, and what the client asks a server before all else. */
export function sessionHandlers({
  sessions,
  results,
  engine,
  questionMs,
  newId,
}: TinkerDeps): Pick<Handlers<typeof training.tinker, Context>, Names> {
  /** @throws ApiError 404 also for those of projects that the key may not use */
  async function openResult(context: Context, id: string): Promise<ResultOwner> {
    const found = results.find(id)
    if (found && (await openOrHide(context, found.projectId))) return found
    throw noSuchResult(id)
  }

  return {
    healthz: async () => ({ status: 'ok' }),

    async readCapabilities() {
      const bases = await engine.baseModels()
      return {
        supported_models: bases.map(({ id, contextLength }) => ({
          model_name: id,
          max_context_length: contextLength,
          trainable: true,
          sampleable: true,
        })),
      }
    },

    // Requests of a model are taken in their order, so that few of them wait.
    readClientConfig: async () => ({ parallel_fwdbwd_chunks: false, sample_max_concurrent_requests: 256 }),

    readDynamicConfig: async () => ({ refresh_interval_sec: 3_600, sample_cancel_enabled: true }),

    addTelemetry: async () => ({ status: 'accepted' }),

    async createSession({ project_id, user_metadata, display_name }, context) {
      const project = await context.open(projectIdOf(context, project_id))
      const id = newId()
      const { keyId: caller } = context.caller
      sessions.add({ id, projectId: project.id, caller, userMetadata: toMetadata(user_metadata), displayName: display_name })
      return { type: 'create_session', session_id: id }
    },

    async heartbeat({ session_id }, context) {
      await sessions.open(context, session_id)
      return { type: 'session_heartbeat' }
    },

    async listSessions({ limit, offset }, context) {
      const projects = new Set((await context.list({ contains: '', after: '', limit: maxProjects })).map(({ scope }) => scope.id))
      return { sessions: sessions.list((id) => projects.has(id)).slice(offset, offset + limit) }
    },

    async readSession({ session_id }, context) {
      const { session } = await sessions.open(context, session_id)
      return {
        training_run_ids: [...session.models.keys()],
        sampler_ids: [...session.samplers.keys()],
        user_metadata: session.userMetadata && { ...session.userMetadata },
        display_name: session.displayName,
      }
    },

    async finishSession({ session_id }, context) {
      const { session } = await sessions.open(context, session_id)
      await sessions.end(session.id)
      return null
    },

    async retrieveFuture({ request_id, accept }, context) {
      await openResult(context, request_id)
      const settled = await results.wait(request_id, questionMs, context.work.signal)
      if (settled === undefined) throw noSuchResult(request_id)
      if (settled === null) throw new ApiError('request_timeout', 'the request is still worked on; ask again')
      return toAnswer(settled, accept?.includes(message) === true)
    },

    async cancelFuture({ request_id }, context) {
      await openResult(context, request_id)
      results.cancel(request_id)
      return null
    },

    saveWeightsExternal: async () => refuse('save_weights_external', 'export a step of the model with `heddle models export`'),
    copyWeights: async () => refuse('copy_weights', 'import an archive of the weights into a model of the other project'),
    createCustomLoss: async () => refuse('create_custom_loss', 'forward_backward_custom computes a custom loss in the client'),
  }
}

function refuse(what: string, wayOut: string): never {
  throw badRequest(`${what} is not supported by this server; ${wayOut}`)
}

/** The project of the request; else the only one of the key, else that of the name `default`. */
function projectIdOf({ caller }: Context, given: string | null): string {
  const [only, ...others] = caller.access.projects
  if (given === null && only && others.length === 0) return only.project_id
  const name = given ?? defaultProject
  return name.includes('/') ? name : `${caller.entity}/${name}`
}

function toAnswer(settled: RequestOutcome, takesMessage: boolean): BytesAnswer {
  if (settled.kind === 'failed') return jsonAnswer({ error: settled.message, category: settled.category })
  const { toMessage, toJson } = settled.result
  return takesMessage && toMessage ? { content_type: message, bytes: toMessage() } : jsonAnswer(toJson())
}

function jsonAnswer(value: object): BytesAnswer {
  return { content_type: 'application/json', bytes: Buffer.from(stringifyJson(value)) }
}

const noSuchResult = (id: string) =>
  notFound(
    `there is no result of request ${JSON.stringify(id.slice(0, 200))}: it was kept for some minutes, or the server was started again since. What was not saved is lost; go on from saved weights`,
  )
