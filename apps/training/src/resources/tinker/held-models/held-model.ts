import { rm } from 'node:fs/promises'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type CheckpointFiles, newFolder, type StoreFiles } from '../../../checkpoint-files/stored-files.ts'
import type { OptimizerSettings, TrainingSession } from '../../../engine/engine.ts'
import type { ForwardBackwardOutput } from '../../../engine/tinker/protobuf/messages.ts'
import type { Scratch } from '../../../scratch.ts'
import { finite } from '../step-traces/step-trace.ts'
import type { StepTraces } from '../step-traces/step-traces.ts'
import type { ListedRun, TinkerStore, WeightsRow } from '../tinker-store.ts'
import type { Pass } from './read-pass.ts'
import { runPass } from './run-pass.ts'

/** What is saved under an address; null for weights of a sampling session. */
export type SaveTarget = Pick<WeightsRow, 'kind' | 'name' | 'user_metadata' | 'expires_at'> & { overwrites: boolean }

/** A model whose weights, gradients and optimizer the engine holds for a client. One call at a time. */
export interface HeldModel {
  readonly run: ListedRun
  /** Step of the model with the weights as they were saved last. */
  readonly step: number
  pass(pass: Pass): Promise<ForwardBackwardOutput>
  /** Applies the gradients and clears them; returns their norm, with which nothing was changed if it is not finite. */
  optimize(settings: OptimizerSettings): Promise<number>
  /** Makes the weights a step of the model, unless they are the last one; returns its number. Durable and served when it resolves. */
  save(as: SaveTarget | null): Promise<number>
  /** Continues from other weights. What was not saved is lost, also where they cannot be opened. */
  load(open: () => Promise<TrainingSession>): Promise<void>
  /** Gives the memory back. What was not saved is lost. */
  close(): Promise<void>
}

export interface HeldModelDeps {
  store: Pick<TinkerStore, 'save'>
  storeFiles: StoreFiles
  scratch: Scratch
  traces: StepTraces
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  clock: () => Micros
  newId: () => string
}

export interface OpenedTraining {
  run: ListedRun
  session: TrainingSession
  /** Step of the model that the training began with. */
  step: number
  /** Whether the weights are not those of the step, but loaded from elsewhere. */
  isChanged: boolean
  /** Ends all work on it. */
  signal: AbortSignal
}

/** What happened since the last step of the model. */
interface Progress {
  optimizerSteps: number
  loss: number
  targets: number
  gradientNorm: number
  learningRate: number
}

const noProgress: Progress = { optimizerSteps: 0, loss: 0, targets: 0, gradientNorm: 0, learningRate: 0 }

export function createHeldModel(opened: OpenedTraining, deps: HeldModelDeps): HeldModel {
  const { run, signal } = opened
  const { store, storeFiles, scratch, traces, openProject, clock, newId } = deps
  const trace = traces.open(run)
  let { session, step, isChanged } = opened
  let progress = { ...noProgress }

  /** Runs `work` with the files of a folder as blobs; without any where there is nothing to write. */
  async function withFiles<T>(
    project: ProjectScope,
    write: ((folder: string) => Promise<void>) | null,
    work: (files: CheckpointFiles) => Promise<T>,
  ): Promise<T> {
    if (write === null) return work({})
    const folder = await scratch.newFolder('tinker', newId())
    try {
      const target = await newFolder(folder, 'files')
      await write(target)
      return await storeFiles(project, target, work)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function writeSaved(as: SaveTarget | null): Promise<number> {
    const project = await openProject(run.project_id, signal)
    const toCheckpoint = isChanged ? (folder: string) => session.saveCheckpoint(folder, signal) : null
    const toState = as?.kind === 'weights' ? (folder: string) => session.saveState(folder, signal) : null
    return withFiles(project, toState, (state_files) =>
      withFiles(project, toCheckpoint, (files) => {
        const at = clock()
        const checkpoint = { id: newId(), model_id: run.model_id, metrics: toMetrics(progress), files, job_id: null, created_at: at }
        const { overwrites = false, ...rest } = as ?? {}
        const row = as && ({ ...rest, id: newId(), run_id: run.id, step, state_files, created_at: at } as WeightsRow)
        return store.save(project, run.model_id, { checkpoint: isChanged ? checkpoint : null, row, overwrites })
      }),
    )
  }

  return {
    run,
    get step() {
      return step
    },
    async pass(pass) {
      const { sequences, lossName, learns } = pass
      const tokens = sequences.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
      const inputs = { loss_fn: lossName, sequences: sequences.length, tokens }
      const op = learns ? 'forward_backward' : 'forward'
      const output = await trace.call(
        { op, inputs },
        () => runPass(pass, session, signal),
        ({ metrics }) => ({ output: { loss_sum: finite(metrics['loss:sum']!) } }),
      )
      if (learns) {
        const loss = output.metrics['loss:sum']!
        const targets = output.logProbabilities.reduce((sum, { length }) => sum + length, 0)
        progress.loss += loss
        progress.targets += targets
        trace.learn({ loss, targets, sequences: sequences.length })
      }
      return output
    },
    async optimize(settings) {
      const { gradientNorm } = await trace.call(
        { op: 'optim_step', inputs: { ...settings, clip: finite(settings.clip) } },
        () => session.step(settings, signal),
        (step) => ({ output: { grad_norm: finite(step.gradientNorm) } }),
      )
      trace.endStep({ grad_norm: finite(gradientNorm), learning_rate: settings.learningRate })
      if (Number.isFinite(gradientNorm)) {
        isChanged = true
        progress = {
          ...progress,
          optimizerSteps: progress.optimizerSteps + 1,
          gradientNorm: progress.gradientNorm + gradientNorm,
          learningRate: settings.learningRate,
        }
      }
      return gradientNorm
    },
    async save(as) {
      if (as === null && !isChanged) return step
      step = await trace.call(
        { op: as?.kind === 'weights' ? 'save_weights' : 'save_weights_for_sampler', inputs: { name: as?.name ?? null } },
        () => writeSaved(as),
        (saved) => ({ output: { step: saved } }),
      )
      isChanged = false
      progress = { ...noProgress }
      return step
    },
    async load(open) {
      await session.close()
      session = await trace.call({ op: 'load_weights', inputs: {} }, open, () => ({ output: {} }))
      isChanged = true
      progress = { ...noProgress }
    },
    close() {
      trace.close()
      return session.close()
    },
  }
}

/** Metrics of a step of the model. Losses that clients divide by something are shown by target. */
function toMetrics({ optimizerSteps, loss, targets, gradientNorm, learningRate }: Progress): Record<string, number> {
  const metrics = {
    num_gradient_steps: optimizerSteps,
    'loss/train': loss / targets,
    'loss/grad_norm': gradientNorm / optimizerSteps,
    'loss/learning_rate': learningRate,
  }
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)))
}
