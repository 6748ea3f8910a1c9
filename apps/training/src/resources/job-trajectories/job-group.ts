import type { JobTrajectoryGroup } from '@heddle/core-api/types'
import { groupAdvantages } from '../../objective/group-advantages.ts'
import { populationStdDev } from '../../objective/reward-statistics.ts'
import type { BodyPiece } from '../../request-body/body-splitter.ts'
import { historiesOf } from '../trajectories/logged-group.ts'
import { isChoice, type Trajectory } from '../../sequences/trajectory.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'

const maxMetadataCharacters = 4_000
const shownExceptions = 20
const maxMessageCharacters = 2_000

/** A group as on the wire, with its metadata as JSON text, which is passed between threads unchanged. */
export type GroupOfJob = Omit<JobTrajectoryGroup, 'metadata'> & { metadata: string }

type GroupPiece = Extract<BodyPiece, { group: number }>

/** Facts about a group of a job, gathered from the pieces of a checked body; only numbers are kept of its trajectories. */
export class JobGroup {
  readonly #job: Pick<TrainingJobRow, 'id' | 'config'>
  readonly #place: number
  readonly #rewards: number[] = []
  #truncated = 0
  #oldestVersion: number | null = null
  #exceptions: unknown[] = []
  #metadata = '{}'

  constructor(job: Pick<TrainingJobRow, 'id' | 'config'>, place: number) {
    this.#job = job
    this.#place = place
  }

  add(piece: GroupPiece): void {
    if (piece.at === 'trajectory') this.#addTrajectory(JSON.parse(piece.text) as Trajectory)
    if (piece.at !== 'field') return
    if (piece.key === 'exceptions') this.#exceptions = (JSON.parse(piece.text) as unknown[] | null) ?? []
    if (piece.key === 'metadata' && piece.text.length <= maxMetadataCharacters)
      this.#metadata = piece.text.trim() === 'null' ? '{}' : piece.text
  }

  toGroup(): GroupOfJob {
    return {
      id: `${this.#job.id}:${this.#place}`,
      group: this.#place,
      rewards: this.#rewards,
      advantages: groupAdvantages(this.#rewards, scalesRewards(this.#job)),
      reward_std_dev: hasOneReward(this.#rewards) ? 0 : populationStdDev(this.#rewards),
      truncated: this.#truncated,
      num_exceptions: this.#exceptions.length,
      exceptions: this.#exceptions.slice(0, shownExceptions).map(toException),
      oldest_policy_version: this.#oldestVersion,
      metadata: this.#metadata,
    }
  }

  #addTrajectory(trajectory: Trajectory): void {
    this.#rewards.push(trajectory.reward ?? 0)
    if (historiesOf(trajectory).some(({ messages_and_choices: elements }) => elements?.some(isTruncated))) this.#truncated++
    const version = trajectory.initial_policy_version ?? null
    if (version !== null) this.#oldestVersion = Math.min(version, this.#oldestVersion ?? version)
  }
}

/** The mean of equal numbers may differ from them in the last bit. */
const hasOneReward = (rewards: readonly number[]) => rewards.every((reward) => reward === rewards[0])

const isTruncated = (element: Parameters<typeof isChoice>[0]) =>
  isChoice(element) && (element as { finish_reason?: unknown }).finish_reason === 'length'

function scalesRewards({ config }: Pick<TrainingJobRow, 'config'>): boolean {
  const { scale_rewards, normalize_advantages } = (config ?? {}) as Readonly<Record<string, unknown>>
  return (scale_rewards ?? true) === true && (normalize_advantages ?? true) === true
}

function toException(value: unknown): { type: string; message: string } {
  const { type, message } = Object(value) as { type?: unknown; message?: unknown }
  return { type: textOf(type).slice(0, maxMessageCharacters), message: textOf(message).slice(0, maxMessageCharacters) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
