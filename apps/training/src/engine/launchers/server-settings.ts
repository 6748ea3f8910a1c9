/** How a training server is started, on any cluster. */
export interface ServerSettings {
  /** For the shell: it starts a server that speaks the Tinker training API and listens on `port`, at all addresses of its machine. */
  command: string
  port: number
  environment: Readonly<Record<string, string>>
  /** What the cluster keeps for it; null leaves that to the cluster. */
  cpus: number | null
  gpus: number | null
  memoryBytes: number | null
  /** Where the server is reached, where that is not its own address in the cluster. Without a slash at its end. */
  address: string | null
}
