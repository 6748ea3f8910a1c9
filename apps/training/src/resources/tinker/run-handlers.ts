import type { Handlers, training } from '@heddle/core-api'
import { formatTimestamp } from '@heddle/core-api'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { TinkerRun, TinkerWeights } from '@heddle/core-api/types'
import type { Context, ProjectScope } from '@heddle/identity'
import { openOrHide } from '../models/open-model.ts'
import { maxProjects } from './session-handlers.ts'
import type { TinkerDeps } from './tinker-deps.ts'
import type { ListedRun, ListedWeights } from './tinker-store.ts'
import { parseAddress, toAddress } from './weights-address.ts'

type Names = 'listRuns' | 'readRun' | 'listRunWeights' | 'listWeights' | 'deleteWeights' | 'readWeightsInfo'

/** Saved weights of one run that are listed. */
const maxListed = 10_000

/** What was trained and saved, which outlives the sessions. */
export function runHandlers({ store, clock }: TinkerDeps): Pick<Handlers<typeof training.tinker, Context>, Names> {
  /** @throws ApiError 404 also for one of a project that the key may not use */
  async function openRun(context: Context, id: string): Promise<{ run: ListedRun; project: ProjectScope }> {
    const run = id.includes('\0') ? undefined : await store.findRun(context.work, id)
    const project = run && (await openOrHide(context, run.project_id))
    if (!run || !project) throw notFound(`training run ${JSON.stringify(id.slice(0, 100))} not found`)
    return { run, project }
  }

  const projectsOf = async (context: Context) =>
    (await context.list({ contains: '', after: '', limit: maxProjects })).map(({ scope }) => scope.id)

  async function toRuns(context: Context, runs: readonly ListedRun[]): Promise<TinkerRun[]> {
    const page = { limit: maxListed, offset: 0, now: clock() }
    const { rows } = await store.listWeights(context.work, { runIds: runs.map(({ id }) => id) }, page)
    return runs.map((run) =>
      toRun(
        run,
        rows.filter(({ run_id }) => run_id === run.id),
      ),
    )
  }

  return {
    async listRuns({ limit, offset }, context) {
      const { rows, total } = await store.listRuns(context.work, await projectsOf(context), { limit, offset })
      return { training_runs: await toRuns(context, rows), cursor: { limit, offset, total_count: total } }
    },

    async readRun({ run_id }, context) {
      const { run } = await openRun(context, run_id)
      const [read] = await toRuns(context, [run])
      return read!
    },

    async listRunWeights({ run_id }, context) {
      const { run, project } = await openRun(context, run_id)
      const { rows } = await store.listWeights(project, { runIds: [run.id] }, { limit: maxListed, offset: 0, now: clock() })
      return { checkpoints: rows.map(toWeights), cursor: null }
    },

    async listWeights({ limit, offset }, context) {
      const within = { projectIds: await projectsOf(context) }
      const { rows, total } = await store.listWeights(context.work, within, { limit, offset, now: clock() })
      return { checkpoints: rows.map(toWeights), cursor: { limit, offset, total_count: total } }
    },

    async deleteWeights({ run_id, kind, name }, context) {
      const { project } = await openRun(context, run_id)
      const address = parseAddress(`tinker://${run_id}/${kind}/${name}`)
      if (!(await store.remove(project, address))) throw notFound(`there are no saved weights at ${toAddress(address)}`)
      return null
    },

    async readWeightsInfo({ tinker_path }, context) {
      const address = parseAddress(tinker_path)
      const { run, project } = await openRun(context, address.run_id)
      if (!(await store.find(project, address, clock()))) throw badRequest(`there are no saved weights at ${toAddress(address)}`)
      const is_lora = run.rank !== null
      return {
        base_model: run.named_base_model,
        is_lora,
        lora_rank: run.rank,
        train_unembed: !is_lora,
        train_mlp: true,
        train_attn: true,
      }
    },
  }
}

/** `weights`: of the run, the newest first. */
function toRun(run: ListedRun, weights: readonly ListedWeights[]): TinkerRun {
  const last = (kind: ListedWeights['kind']) => {
    const found = weights.find((each) => each.kind === kind)
    return found ? toWeights(found) : null
  }
  return {
    training_run_id: run.id,
    base_model: run.named_base_model,
    model_owner: run.created_by,
    is_lora: run.rank !== null,
    corrupted: false,
    lora_rank: run.rank,
    last_request_time: formatTimestamp(weights[0]?.created_at ?? run.created_at),
    last_checkpoint: last('weights'),
    last_sampler_checkpoint: last('sampler_weights'),
    user_metadata: run.user_metadata && { ...run.user_metadata },
    heddle_model: `${run.project_id}/${run.model_name}`,
  }
}

function toWeights(row: ListedWeights): TinkerWeights {
  return {
    checkpoint_id: `${row.kind}/${row.name}`,
    checkpoint_type: row.kind === 'weights' ? 'training' : 'sampler',
    time: formatTimestamp(row.created_at),
    tinker_path: toAddress(row),
    size_bytes: row.size_bytes,
    public: false,
    user_metadata: row.user_metadata && { ...row.user_metadata },
    expires_at: row.expires_at === null ? null : formatTimestamp(row.expires_at),
    heddle_model_id: row.model_id,
    heddle_step: row.step,
  }
}
