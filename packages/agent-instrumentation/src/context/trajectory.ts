/** Identifies a trajectory beyond the reach of its context: short ASCII texts that fit into headers, messages and environment variables. */
export type TrajectoryCarrier = Record<string, string>

/** A number that rates an attempt. */
export interface RewardOptions {
  /** The source of the reward, such as `unit-test` or `judge`. */
  source?: string
  /** Default `reward`. */
  name?: string
}

/**
 * One attempt at a task. Model calls inside it are recorded. A finished trajectory ignores everything that is added to it, so that code which
 * outlives the attempt does no harm.
 */
export interface Trajectory extends AsyncDisposable {
  /** UUID, version 7. */
  readonly id: string
  readonly groupId: string
  readonly rolloutId: string
  /** Index of the attempt in its group, from 0. */
  readonly attemptIndex: number
  /**
   * How good the attempt was; the last one counts. Rewards are compared within a group.
   * @throws TrajectoryMisuse for a number that is not finite
   */
  reward(value: number, options?: RewardOptions): void
  /** @throws TrajectoryMisuse for a number that is not finite */
  metric(name: string, value: number | boolean): void
  /** Metadata of the attempt. Values are scalars: the training service accepts no others. */
  metadata(name: string, value: string | number | boolean | null): void
  log(text: string): void
  /** A `fetch` for any client; chat completions, responses and messages over it are recorded wherever it is called. */
  readonly fetch: typeof fetch
  /** The client with its chat completions and responses recorded, wherever it is called. @throws TypeError for one of `openai` before 5 */
  openai<Client extends ModelClient<Client>>(client: Client): Client
  /** The client of `@anthropic-ai/sdk` with its messages recorded, wherever it is called. */
  anthropic<Client extends ModelClient<Client>>(client: Client): Client
  /** Runs `work` as part of the attempt. */
  run<T>(work: () => T): T
  /** The function as part of the attempt, for event emitters and callbacks, which lose it. */
  bind<Arguments extends unknown[], T>(work: (...values: Arguments) => T): (...values: Arguments) => T
  /** What names the attempt in a worker, a child process or a service, for `continueTrajectory` there: texts that fit into headers. */
  toCarrier(): TrajectoryCarrier
  /**
   * Merges the recording of a process that continued the attempt: the text that `finish` returned there. The same one counts once, and none after the attempt
   * has finished.
   * @throws TrajectoryMisuse for another text, or the part of another trajectory
   */
  join(part: string): void
  /**
   * Ends the attempt once the model calls under way are recorded, or after 5 seconds. Calling it again does nothing.
   * @throws TrajectoryMisuse where no reward was given
   */
  finish(): Promise<void>
}

/** A client that can be copied with another `fetch`. */
export interface ModelClient<Self> {
  withOptions(options: { fetch?: typeof fetch }): Self
}
