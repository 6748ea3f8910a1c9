import { execFileSync } from 'node:child_process'

/** How a process runs as in a container of its own on this machine. */
export interface Container {
  /** For titles of tests. */
  name: string
  /** The program and its arguments that run a command there. A process there has host name `other`, or process ids of its own. */
  wrap(command: readonly string[]): string[]
}

const unshared = (name: string, flags: readonly string[], prepare = 'hostname other 2>/dev/null'): Container => ({
  name,
  wrap: (command) => ['unshare', ...flags, 'sh', '-c', `${prepare}; exec "$@"`, 'sh', ...command],
})

/** With a host name of its own. Process ids are those of the machine. */
export const otherHost = unshared('another host name', ['--uts'])

/** With host name and process ids of its own, as containers have. */
export const otherContainer = unshared('other process ids and host name', ['--uts', '--pid', '--fork', '--kill-child', '--mount-proc'])

/** In which a folder, whose path needs no quotes, cannot be written to. */
export const readOnlyContainer = (folder: string) =>
  unshared('a read-only folder', ['--mount'], `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`)

/** True where this user may make them. Tests that need them are skipped elsewhere; with CI=true that is a failure. */
export function mayMakeContainers(): boolean {
  try {
    const [program = '', ...args] = otherContainer.wrap(['true'])
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
