import type { Handlers, training } from '@heddle/core-api'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import { seedOf } from '../../training/seed-of.ts'
import { openOrHide } from '../models/open-model.ts'
import type { NewHeldModel } from './held-models/begin-model.ts'
import type { TrainingBegin } from './held-models/open-training.ts'
import type { OpenedSession } from './sessions/tinker-sessions.ts'
import { jsonResult, settle } from './settle.ts'
import { toMetadata } from './to-metadata.ts'
import type { TinkerDeps } from './tinker-deps.ts'
import type { ListedRun, ListedWeights } from './tinker-store.ts'
import { parseAddress } from './weights-address.ts'

type Names = 'createModel' | 'loadWeights' | 'readInfo' | 'unloadModel'

interface Lora {
  rank: number
  seed: number | null
  train_mlp: boolean
  train_attn: boolean
}

interface NewModel extends Pick<NewHeldModel, 'begin' | 'namedBase' | 'isLoaded'> {
  number: number
  metadata: unknown
  answer: (modelId: string) => object
}

/** Models that a session holds. */
export function modelHandlers(deps: TinkerDeps): Pick<Handlers<typeof training.tinker, Context>, Names> {
  const {
    sessions,
    results,
    enqueue,
    store,
    checkpoints,
    findBaseModel,
    findAdapter,
    beginModel,
    openTraining,
    openProject,
    report,
    clock,
  } = deps

  /** Holds a new model; the same number again is the same model. */
  function hold({ session }: OpenedSession, { number, metadata, answer, ...model }: NewModel, context: Context) {
    const id = `${session.id}:train:${number}`
    const promised = { request_id: `${id}:open`, model_id: id }
    if (session.models.has(id)) return promised
    sessions.assertMayHold(session)
    const userMetadata = toMetadata(metadata)
    const name = userMetadata?.['heddle_model'] ?? null
    const createdBy = context.caller.userId
    const held = openProject(session.projectId, session.signal).then((project) =>
      beginModel(project, { ...model, id, name, userMetadata, createdBy }, session.signal),
    )
    sessions.hold(session, id, held)
    const settled = settle(async () => jsonResult(answer((await held).run.id)), { name: model.begin.base.id, step: null }, report)
    results.add(promised.request_id, { sessionId: session.id, projectId: session.projectId }, { settled, cancel: () => undefined })
    return promised
  }

  async function findWeights(context: Context, path: string): Promise<{ run: ListedRun; weights: ListedWeights }> {
    const address = parseAddress(path)
    const run = await store.findRun(context.work, address.run_id)
    const project = run && (await openOrHide(context, run.project_id))
    const weights = project && (await store.find(project, address, clock()))
    if (!run || !weights) throw notFound(`there are no saved weights at ${JSON.stringify(path.slice(0, 300))}`)
    return { run, weights }
  }

  async function beginAt(
    { run, weights }: { run: ListedRun; weights: ListedWeights },
    optimizer: boolean,
    context: Context,
  ): Promise<TrainingBegin> {
    if (weights.kind !== 'weights')
      throw badRequest(`"${weights.name}" are weights to sample from; training goes on from those of save_state`)
    const base = await findBaseModel(run.base_model)
    const adapter = await findAdapter(context, { base, modelId: run.model_id, rank: run.rank, modules: null })
    const checkpoint = (await checkpoints.find(context.work, run.model_id, weights.step)) ?? null
    return { base, checkpoint, adapter, seed: seedOf(weights.id), state: optimizer ? weights.state_files : null }
  }

  return {
    async createModel({ session_id, model_seq_id: number, base_model, lora_config, optimizer_config, user_metadata }, context) {
      const opened = await sessions.open(context, session_id)
      const base = await findBaseModel(base_model)
      assertAdam(optimizer_config)
      assertLora(lora_config)
      const rank = base.adapter && (lora_config?.rank ?? null)
      const adapter = await findAdapter(context, { base, modelId: null, rank, modules: null })
      const seed = lora_config?.seed ?? seedOf(`${session_id}/${number}`)
      const begin = { base, checkpoint: null, adapter, seed, state: null }
      const answer = (model_id: string) => ({ type: 'create_model', model_id })
      await sessions.makeRoom(opened.session)
      return hold(opened, { number, begin, namedBase: base_model, isLoaded: false, metadata: user_metadata, answer }, context)
    },

    async loadWeights(input, context) {
      const { path, optimizer, base_model, session_id, model_seq_id, model_id } = input
      if (input.weights_access_token !== null)
        throw badRequest('weights_access_token is not supported: the API key decides which weights it may load')
      assertAdam(input.optimizer_config)
      const found = await findWeights(context, path)
      if (base_model !== null && (await findBaseModel(base_model)).id !== found.run.base_model)
        throw badRequest(`base_model is ${JSON.stringify(base_model.slice(0, 200))}, but ${path} are weights of ${found.run.base_model}`)
      const begin = await beginAt(found, optimizer, context)
      const answer = (id: string) => ({ type: 'load_weights', path, model_id: id })
      if (session_id !== null && model_seq_id !== null) {
        const opened = await sessions.open(context, session_id)
        await sessions.makeRoom(opened.session)
        const namedBase = base_model ?? found.run.named_base_model
        return hold(opened, { number: model_seq_id, begin, namedBase, isLoaded: true, metadata: input.user_metadata, answer }, context)
      }
      if (model_id === null) throw badRequest('load_weights needs model_id, or session_id with model_seq_id')
      const opened = await sessions.openModel(context, model_id)
      const request = { number: input.seq_id === 0 ? null : input.seq_id, digest: JSON.stringify(input), bytes: path.length }
      return enqueue(opened, request, async (held) => {
        if (held.run.base_model !== found.run.base_model || held.run.rank !== found.run.rank)
          throw badRequest(`the weights at ${path} are of ${describe(found.run)}, and the model is one of ${describe(held.run)}`)
        await held.load(() => openTraining(begin, opened.session.signal))
        return jsonResult(answer(held.run.id))
      })
    },

    async readInfo({ model_id }, context) {
      const { model } = await sessions.openModel(context, model_id)
      const { id, named_base_model: name, rank } = (await model.held).run
      return {
        type: 'get_info',
        model_id: id,
        model_name: name,
        model_data: { arch: 'decoder', model_name: name, tokenizer_id: name },
        is_lora: rank !== null,
        lora_rank: rank,
      }
    },

    async unloadModel({ model_id }, context) {
      const { session, model } = await sessions.openModel(context, model_id)
      const request_id = `${model_id}:unload`
      const work = async () => {
        await sessions.release(session, model)
        return jsonResult({ type: 'unload_model', model_id })
      }
      const settled = settle(work, { name: model_id, step: null }, report)
      results.add(request_id, { sessionId: session.id, projectId: session.projectId }, { settled, cancel: () => undefined })
      return { request_id, model_id }
    },
  }
}

const describe = ({ base_model, rank }: ListedRun) => (rank === null ? base_model : `${base_model} with an adapter of rank ${rank}`)

/** `train_unembed` is ignored: clients set it by default, and adapters never cover the unembedding. */
function assertLora(lora: Lora | null): void {
  for (const name of ['train_mlp', 'train_attn'] as const)
    if (lora?.[name] === false)
      throw badRequest(`${name}=False is not supported: adapters here cover the attention and the MLP of every layer; leave it out`)
}

function assertAdam(config: { type: string } | null): void {
  if (config !== null && config.type !== 'adamw')
    throw badRequest(`optimizer ${JSON.stringify(config.type.slice(0, 100))} is not supported: AdamW ("adamw") is the only optimizer here`)
}
