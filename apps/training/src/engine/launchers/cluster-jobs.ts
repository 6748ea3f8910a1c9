import type { ServerState } from './engine-launcher.ts'

/** A job of a cluster that runs, or ran, a training server. */
export interface ClusterJob {
  /** The name of the server and a number: `heddle-training-3`. */
  id: string
  /** Digest of the settings with which it was submitted; null when the job has none. */
  settings: string | null
  state: Exclude<ServerState, { kind: 'absent' }>
}

/** The jobs of one server name on a cluster. @throws LauncherError from each */
export interface ClusterJobs {
  readonly place: string
  list(signal: AbortSignal): Promise<ClusterJob[]>
  /** Null when the cluster has no such job. */
  read(id: string, signal: AbortSignal): Promise<ClusterJob | null>
  /** `exists`: the cluster has a job with this id already, for example one whose response was lost. */
  submit(job: { id: string; settings: string }, signal: AbortSignal): Promise<'submitted' | 'exists'>
  /** Has no effect on a job that has ended, or is not there. */
  stop(id: string, signal: AbortSignal): Promise<void>
  /** Forgets a job that has ended. */
  remove(id: string, signal: AbortSignal): Promise<void>
  /** Bounds the output of a job that runs. Clusters do that themselves. */
  shortenOutput?(id: string): Promise<void>
}
