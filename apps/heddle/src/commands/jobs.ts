import { parseTimestamp } from '@heddle/core-api'
import type { TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { connectTraining, type TrainingClient } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import { createClock } from '../terminal/clock.ts'
import { parseWhole } from '../terminal/parse-whole.ts'
import { formatTable } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import { drawNamed, drawProgress, type ProgressFacts } from '../training/draw-progress.ts'
import { findModel } from '../training/find-model.ts'
import { followJob } from '../training/follow-job.ts'
import { numberText } from '../training/number-text.ts'
import { readRewards } from '../training/read-rewards.ts'
import type { ModelFlags } from './models.ts'

const pollMs = 1_000

/** Prints the newest training jobs of a model. */
export async function listJobs(
  model: string,
  flags: ModelFlags & { limit: string },
  { configuration, terminal }: ActionDeps,
): Promise<void> {
  const client = await connectTraining(configuration)
  const limit = parseWhole('--limit', flags.limit, { to: 100 })
  const { id, name } = await findModel(client, model, flags.project)
  const { data } = await client.trainingJobs.list({ model_id: id, limit })
  if (flags.json) return terminal.json(JSON.stringify(data, null, 2))
  if (data.length === 0) return terminal.note(`The model ${toTerminalText(name)} has no training jobs yet`)
  const clock = createClock(configuration.timeZone)
  const created = (job: TrainingJob) => clock.text(parseTimestamp(job.created_at) ?? 0)
  const rows = data.map((job) => [job.id, job.kind, job.status, steps(job), created(job), reason(job)])
  terminal.out(formatTable({ head: ['Id', 'Kind', 'Status', 'Step', `Created (${clock.zone})`, 'Why'], rows }))
}

/** Cancels a job, and prints its status. */
export async function cancelJob(id: string, flags: ModelFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const job = await (await connectTraining(configuration)).trainingJobs.cancel({ job_id: id })
  if (flags.json) return terminal.json(JSON.stringify(job, null, 2))
  terminal.out(job.status === 'running' ? 'running: it will end soon, without a checkpoint' : job.status)
}

/** Follows a job until it has ended. False when it did not succeed. */
export async function watchJob(
  id: string,
  flags: ModelFlags,
  { configuration, terminal, signal }: ActionDeps & { signal: AbortSignal },
): Promise<boolean> {
  const client = await connectTraining(configuration)
  const { model_id } = await client.trainingJobs.read({ job_id: id })
  const facts: WatchedProgress = { steps: 0, total: 0, losses: [], heldOut: [], rewards: await readRewards(client, model_id) }
  const shown = { terminal, isJson: flags.json ?? false }
  for await (const event of followJob(client, id, { signal, pollMs })) show(event, facts, shown)
  return end(client, id, { ...shown, heldOut: facts.heldOut })
}

interface EventOutput {
  terminal: Terminal
  isJson: boolean
}

interface WatchedProgress extends ProgressFacts {
  losses: number[]
  heldOut: number[]
  /** When the job began, in microseconds. */
  startedAt?: number
}

function show({ type, data, ...event }: TrainingEvent, facts: WatchedProgress, { terminal, isJson }: EventOutput): void {
  if (isJson) return terminal.json(JSON.stringify({ ...event, type, data }))
  if (type === 'training_started') {
    facts.total = Number(data['num_sequences'] ?? 0)
    facts.startedAt = parseTimestamp(event.created_at) ?? 0
    for (const note of Array.isArray(data['notes']) ? (data['notes'] as unknown[]) : []) terminal.note(toTerminalText(String(note)))
  }
  if (type === 'gradient_step') {
    facts.steps++
    const loss = data['policy_loss'] ?? data['loss']
    if (typeof loss === 'number') facts.losses.push(loss)
    for (const name of ['held_out_loss_before', 'held_out_loss']) if (typeof data[name] === 'number') facts.heldOut.push(data[name])
    if (typeof data['tokens_per_second'] === 'number') facts.tokensPerSecond = data['tokens_per_second']
    facts.leftMicros = leftMicros(facts, parseTimestamp(event.created_at) ?? 0)
  }
  // A job may fail before its number of steps is known.
  if (facts.total === 0 && type === 'training_failed') return
  const line = drawProgress(facts)
  if (terminal.isInteractive) terminal.status(line)
  else if (type !== 'gradient_step' || facts.steps === facts.total || 'held_out_loss' in data) terminal.note(line)
}

/** The time that is left, if the other steps take as long as those before. */
const leftMicros = ({ startedAt = 0, steps, total }: WatchedProgress, now: number) => ((now - startedAt) / steps) * (total - steps)

async function end(
  client: TrainingClient,
  job_id: string,
  { terminal, isJson, heldOut }: EventOutput & { heldOut: readonly number[] },
): Promise<boolean> {
  terminal.status('')
  const job = await client.trainingJobs.read({ job_id })
  const isDone = job.status === 'succeeded'
  if (!isJson)
    terminal.out(
      isDone
        ? `${job.status}: step ${job.step}${job.message === null ? '' : `, ${toTerminalText(job.message)}`}`
        : `${job.status}: ${toTerminalText(job.error_message ?? '')}`,
    )
  if (!isJson && isDone && heldOut.length > 1)
    terminal.out(`held-out loss ${numberText(heldOut[0]!)} before, ${numberText(heldOut.at(-1)!)} after`)
  if (!isJson && isDone && job.kind === 'rl')
    for (const line of drawNamed('reward', await readRewards(client, job.model_id))) terminal.out(line)
  return isDone
}

const steps = ({ parent_step, step }: TrainingJob) => (parent_step === null ? '' : `${parent_step} → ${step ?? '?'}`)
/** Short enough for a table. */
const reason = ({ error_message, message }: TrainingJob) => shorten(toTerminalText(error_message ?? message ?? ''), 80)
