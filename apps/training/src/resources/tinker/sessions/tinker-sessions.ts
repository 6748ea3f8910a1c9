import { ApiError } from '@heddle/core-api'
import { badRequest, notFound, tooManyRequests } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { openOrHide } from '../../models/open-model.ts'
import type { HeldModel } from '../held-models/held-model.ts'
import { type SequenceLimits, SequencedWork } from './sequenced-work.ts'

export interface SessionLimits extends SequenceLimits {
  /** Idle milliseconds after which a session ends. */
  silenceMs: number
  /** Idle milliseconds after which it may be ended early to make room for the models of another session. */
  yieldMs: number
  /** Most open sessions of this server, and of one project. */
  sessions: number
  sessionsOfProject: number
  /** Most models held by all sessions, and by those of one project. */
  models: number
  modelsOfProject: number
  /** Sampling sessions of a session; the oldest are forgotten. */
  samplersOfSession: number
}

/** Weights to sample from, chosen once. */
export interface Sampler {
  id: string
  baseModel: string
  /** Address of saved weights; null for a base model, and for weights that were saved for this sampler alone. */
  path: string | null
  /** Null: the base model as it is. */
  target: { modelId: string; step: number } | null
  /** Request ids by their sequence number, to recognize repeated requests. */
  requested: Map<number, { request_id: string; sample_sequence_ids: string[] }>
}

/** A model of a session: open or being opened. */
export interface SessionModel {
  id: string
  /** Rejects where it could not be opened. */
  held: Promise<HeldModel>
  work: SequencedWork
}

/** The state of one client, in the memory of this server alone. */
export interface TinkerSession {
  readonly id: string
  readonly projectId: string
  /** Id of the key that opened it. */
  readonly caller: string
  readonly userMetadata: Readonly<Record<string, string>> | null
  readonly displayName: string | null
  readonly models: Map<string, SessionModel>
  readonly samplers: Map<string, Sampler>
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
  /** Called with the reason when the session ends, unless removed before. */
  readonly endings: Set<(reason: Error) => void>
}

interface OpenSession extends TinkerSession {
  seenAt: number
  ending: AbortController
}

export interface OpenedSession {
  session: TinkerSession
  project: ProjectScope
}

const retryAfterSeconds = 30

/** The open sessions of this server. */
export class TinkerSessions {
  readonly #limits: SessionLimits
  readonly #nowMs: () => number
  readonly #sessions = new Map<string, OpenSession>()
  readonly #closing = new Set<Promise<unknown>>()

  constructor(limits: SessionLimits, nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** @throws ApiError 429 when too many are open */
  add(session: Pick<TinkerSession, 'id' | 'projectId' | 'caller' | 'userMetadata' | 'displayName'>): void {
    const { sessions, sessionsOfProject } = this.#limits
    const refuse = (most: number, whose: string) => {
      throw tooManyRequests(`${most} sessions are open, the most of ${whose}; finish one`, retryAfterSeconds)
    }
    if (this.#ofProject(session.projectId).length >= sessionsOfProject) refuse(sessionsOfProject, 'one project')
    if (this.#sessions.size >= sessions) refuse(sessions, 'this server')
    const ending = new AbortController()
    this.#sessions.set(session.id, {
      ...session,
      models: new Map(),
      samplers: new Map(),
      signal: ending.signal,
      endings: new Set(),
      ending,
      seenAt: this.#nowMs(),
    })
  }

  /** Ids of the open sessions of projects. */
  list(isIncluded: (projectId: string) => boolean): string[] {
    return [...this.#sessions.values()].filter(({ projectId }) => isIncluded(projectId)).map(({ id }) => id)
  }

  /** Opens a session for a caller who may use its project, and keeps it open. @throws ApiError 410 if there is none */
  async open(context: Context, id: string): Promise<OpenedSession> {
    const session = this.#sessions.get(id)
    const project = session && (await openOrHide(context, session.projectId))
    if (!session || !project) throw gone(`session ${JSON.stringify(id.slice(0, 100))}`)
    session.seenAt = this.#nowMs()
    return { session, project }
  }

  /** @throws ApiError 404 if no session holds it */
  async openModel(context: Context, id: string): Promise<OpenedSession & { model: SessionModel }> {
    const session = this.#find(({ models }) => models.has(id))
    if (!session) throw noSuchModel(id)
    const opened = await this.open(context, session.id).catch(() => Promise.reject(noSuchModel(id)))
    const model = opened.session.models.get(id)
    if (!model) throw noSuchModel(id)
    return { ...opened, model }
  }

  /** @throws ApiError 404 if no session has it */
  async openSampler(context: Context, id: string): Promise<OpenedSession & { sampler: Sampler }> {
    const unknown = () =>
      notFound(
        `sampling session ${JSON.stringify(id.slice(0, 100))} is not open: its session ended, or the server was started again; open another one`,
      )
    const session = this.#find(({ samplers }) => samplers.has(id))
    if (!session) throw unknown()
    const opened = await this.open(context, session.id).catch(() => Promise.reject(unknown()))
    return { ...opened, sampler: opened.session.samplers.get(id)! }
  }

  /** Ends idle sessions, the longest idle first, until another model may be held or no such session is left. */
  async makeRoom(session: TinkerSession): Promise<void> {
    for (let those = this.#inTheWay(session); those.length > 0; those = this.#inTheWay(session)) {
      const [longest] = those
        .filter(({ models, seenAt }) => models.size > 0 && this.#nowMs() - seenAt >= this.#limits.yieldMs)
        .toSorted((left, right) => left.seenAt - right.seenAt)
      if (!longest) return
      await this.end(longest.id)
    }
  }

  /** Sessions whose models leave no room for one more of this session; empty if there is room. */
  #inTheWay({ projectId }: TinkerSession): OpenSession[] {
    const { models, modelsOfProject } = this.#limits
    const [ofProject, all] = [this.#ofProject(projectId), [...this.#sessions.values()]]
    if (countModels(ofProject) >= modelsOfProject) return ofProject
    return countModels(all) >= models ? all : []
  }

  /** Holds a model that is being opened. @throws ApiError 429 when too many are held */
  hold(session: TinkerSession, id: string, held: Promise<HeldModel>): SessionModel {
    const model = { id, held, work: new SequencedWork(this.#limits) }
    session.models.set(id, model)
    held.catch(() => session.models.get(id) === model && session.models.delete(id))
    return model
  }

  /** @throws ApiError 400 when the sessions of the project, or of this server, hold as many models as they can */
  assertMayHold(session: TinkerSession): void {
    const { models, modelsOfProject } = this.#limits
    if (countModels(this.#ofProject(session.projectId)) >= modelsOfProject)
      throw badRequest(
        `the sessions of this project hold ${modelsOfProject} models, the most of one project; unload one, or finish a session`,
      )
    if (countModels([...this.#sessions.values()]) >= models)
      throw badRequest(`this server holds ${models} models for training, the most it can; try again when a session has ended`)
  }

  addSampler(session: TinkerSession, sampler: Sampler): void {
    session.samplers.set(sampler.id, sampler)
    for (const oldest of session.samplers.keys()) {
      if (session.samplers.size <= this.#limits.samplersOfSession) break
      session.samplers.delete(oldest)
    }
  }

  /** Releases a model and frees its id. */
  async release(session: TinkerSession, model: SessionModel): Promise<void> {
    if (session.models.get(model.id) === model) session.models.delete(model.id)
    await this.#close(model)
  }

  async end(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    if (!session) return
    this.#sessions.delete(id)
    const reason = gone(`session ${JSON.stringify(id)}`)
    session.ending.abort(reason)
    for (const end of session.endings) end(reason)
    await Promise.all([...session.models.values()].map((model) => this.#close(model)))
  }

  /** Ends sessions that have been idle for too long, and returns their number. */
  async sweep(): Promise<number> {
    const silent = [...this.#sessions.values()].filter(({ seenAt }) => this.#nowMs() - seenAt >= this.#limits.silenceMs)
    for (const { id } of silent) await this.end(id)
    return silent.length
  }

  async close(): Promise<void> {
    for (const id of this.#sessions.keys()) await this.end(id)
    await Promise.all(this.#closing)
  }

  #ofProject(projectId: string): OpenSession[] {
    return [...this.#sessions.values()].filter((session) => session.projectId === projectId)
  }

  #find(has: (session: TinkerSession) => boolean): OpenSession | undefined {
    return [...this.#sessions.values()].find(has)
  }

  async #close({ held }: SessionModel): Promise<void> {
    const closing = held.then(
      (model) => model.close(),
      () => undefined,
    )
    this.#closing.add(closing)
    await closing.finally(() => this.#closing.delete(closing))
  }
}

const countModels = (sessions: readonly TinkerSession[]) => sessions.reduce((sum, { models }) => sum + models.size, 0)

/** Clients know by this status that a session is over. */
const gone = (what: string) =>
  new ApiError('not_found', `${what} is not open: it ended, or the server was started again; open another one`, { status: 410 })

export const noSuchModel = (id: string) =>
  notFound(
    `model ${JSON.stringify(id.slice(0, 100))} is not held for training: its session ended, it was unloaded, or the server was started again. What was not saved is lost; go on from saved weights with create_training_client_from_state_with_optimizer`,
  )
