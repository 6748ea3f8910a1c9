import type { Handlers, training } from '@heddle/core-api'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { toSampleResult } from '../../engine/tinker/json/messages.ts'
import { encodeSampleOutput, type SampleOutput } from '../../engine/tinker/protobuf/messages.ts'
import type { VersionOf } from '../../model-versions/model-versions.ts'
import { openOrHide } from '../models/open-model.ts'
import { readSampleRequest } from './sampling/sample-request.ts'
import { assertNotFull } from './sessions/enqueue.ts'
import type { TinkerResult } from './sessions/pending-results.ts'
import type { Sampler } from './sessions/tinker-sessions.ts'
import { settle } from './settle.ts'
import type { TinkerDeps } from './tinker-deps.ts'
import { parseAddress } from './weights-address.ts'

type Names = 'createSamplingSession' | 'readSampler' | 'sample'

/** Requests of a sampling session whose answers are known. */
const maxRequested = 4_096

/** Sampling from base models and saved weights. */
export function samplingHandlers(deps: TinkerDeps): Pick<Handlers<typeof training.tinker, Context>, Names> {
  const { sessions, results, store, checkpoints, findBaseModel, sampleWeights, traceSample, report, clock, newId } = deps

  async function findTarget(context: Context, path: string): Promise<Pick<Sampler, 'baseModel' | 'target'>> {
    const address = parseAddress(path)
    const run = await store.findRun(context.work, address.run_id)
    const project = run && (await openOrHide(context, run.project_id))
    const weights = project && (await store.find(project, address, clock()))
    if (!run || !weights) throw notFound(`there are no saved weights at ${JSON.stringify(path.slice(0, 300))}`)
    return { baseModel: run.named_base_model, target: { modelId: run.model_id, step: weights.step } }
  }

  async function findCheckpoint(project: ProjectScope, { target }: Sampler): Promise<VersionOf['checkpoint']> {
    if (target === null) return null
    const checkpoint = await checkpoints.find(project, target.modelId, target.step)
    if (checkpoint) return checkpoint
    throw badRequest(`step ${target.step} of the model, which the sampling session is of, was deleted; save the weights again`)
  }

  return {
    async createSamplingSession({ session_id, sampling_session_seq_id: number, base_model, model_path: path }, context) {
      const { session } = await sessions.open(context, session_id)
      if (path === null && base_model === null) throw badRequest('base_model and model_path are missing; name one of them')
      const found = path === null ? { baseModel: base_model!, target: null } : await findTarget(context, path)
      await findBaseModel(found.baseModel)
      const id = `${session.id}:sample:${number}`
      sessions.addSampler(session, { id, path, ...found, requested: new Map() })
      return { type: 'create_sampling_session', sampling_session_id: id }
    },

    async readSampler({ sampler_id }, context) {
      const { sampler } = await sessions.openSampler(context, sampler_id)
      return { sampler_id, base_model: sampler.baseModel, model_path: sampler.path }
    },

    async sample({ sampling_session_id, seq_id, ...requested }, context) {
      const request = readSampleRequest(requested)
      const { session, project, sampler } = await sessions.openSampler(context, sampling_session_id)
      const known = seq_id === null ? undefined : sampler.requested.get(seq_id)
      if (known && results.find(known.request_id)) return known
      const [base, checkpoint] = [await findBaseModel(sampler.baseModel), await findCheckpoint(project, sampler)]
      assertNotFull(results, session)
      const request_id = newId()
      const cancelling = new AbortController()
      const signal = AbortSignal.any([session.signal, cancelling.signal])
      const flow = { caller: context.caller.keyId, project: session.projectId }
      const toSample = { base, checkpoint, flow, request }
      const of = { sessionId: session.id, projectId: session.projectId, userId: context.caller.userId }
      const traced = { ...of, modelId: sampler.target?.modelId ?? null, toSample }
      const work = async () => sampleResult(await traceSample(traced, () => sampleWeights(toSample, signal)))
      const settled = settle(work, { name: sampler.path ?? base.id, step: checkpoint?.step ?? null }, report)
      const cancel = () => cancelling.abort(badRequest('the request was cancelled'))
      results.add(request_id, { sessionId: session.id, projectId: session.projectId }, { settled, cancel })
      const sample_sequence_ids = Array.from({ length: request.num_samples }, (_, at) => `${request_id}:${at}`)
      const promised = { request_id, sample_sequence_ids }
      if (seq_id !== null) remember(sampler, seq_id, promised)
      return promised
    },
  }
}

function remember({ requested }: Sampler, number: number, promised: { request_id: string; sample_sequence_ids: string[] }): void {
  requested.set(number, promised)
  for (const oldest of requested.keys()) {
    if (requested.size <= maxRequested) break
    requested.delete(oldest)
  }
}

function sampleResult(output: SampleOutput): TinkerResult {
  const tokens = output.sequences.reduce((sum, sequence) => sum + sequence.tokens.length, 0) + (output.promptLogProbabilities?.length ?? 0)
  const alternatives = [...output.sequences.map(({ top }) => top ?? []), output.promptTop ?? []].flat()
  return {
    toJson: () => toSampleResult(output),
    toMessage: () => encodeSampleOutput(output),
    bytes: 8 * tokens + alternatives.reduce((sum, row) => sum + 50 * row.length, 0),
  }
}
