/** How a training server is started, on any cluster. */
export interface ServerSettings {
  /** For the shell: it starts a server that speaks the Tinker training API and listens on `port`, at all addresses of its machine. */
  command: string
  port: number
  environment: Readonly<Record<string, string>>
  /** Resources that the cluster reserves; null leaves that to the cluster. */
  cpus: number | null
  gpus: number | null
  memoryBytes: number | null
  /** Address of the server, if it differs from its own address in the cluster. Without a trailing slash. */
  address: string | null
}
