/** What a cluster says of a server that it was asked to run. */
export type ServerState =
  /** It never knew the server, or has forgotten it. */
  | { kind: 'absent' }
  /** Not started yet, or still without an address. */
  | { kind: 'pending'; detail: string }
  | { kind: 'running'; address: string }
  | { kind: 'ended'; reason: string }

/** `waiting`: another server of the same name has to stop first. */
export type StartOutcome = 'started' | 'adopted' | 'waiting'

/** Runs one training server somewhere else. Each call may fail and be repeated; none is made twice at a time. */
export interface EngineLauncher {
  /** Where the server runs, for messages: `Ray at http://…`. */
  readonly place: string
  /**
   * Starts the server. One that runs with the same settings already, such as that of a process before this one, is adopted; one with other settings is
   * stopped. @throws LauncherError
   */
  start(signal: AbortSignal): Promise<StartOutcome>
  /** What the cluster has under this name, in words: `heddle-training-2 runs at http://…`. @throws LauncherError */
  servers(signal: AbortSignal): Promise<string[]>
  /** Of the server that was started or adopted. @throws LauncherError */
  state(signal: AbortSignal): Promise<ServerState>
  /** Asks the cluster to stop every server of this name. @throws LauncherError */
  stop(signal: AbortSignal): Promise<void>
}

/** The cluster did not do what it was asked. The message names the cluster and what it said. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError'
}
