import { readFile, realpath } from 'node:fs/promises'
import { StoreError } from '../work/store-error.ts'

/** A mounted file system. */
export interface Mount {
  /** Where it is mounted. */
  path: string
  type: string
  options: readonly string[]
}

/** Options with which a network file system keeps locks on one machine, where a server on another one does not see them. */
const localLocks = ['nolock', 'local_lock=all', 'local_lock=posix', 'nobrl']
const networkTypes = /^(?:nfs4?|cifs|smb3)$/

/**
 * @throws StoreError when the folder is on a network file system that is mounted without shared locks. Other file systems either have
 * locks or refuse them when they are taken.
 */
export async function assertLocksReachOthers(folder: string, mountsPath = '/proc/self/mountinfo'): Promise<void> {
  const table = await readFile(mountsPath, 'utf8').catch(() => '')
  const mount = findMount(parseMounts(table), await realpath(folder))
  if (mount === undefined || !networkTypes.test(mount.type)) return
  const option = mount.options.find((each) => localLocks.includes(each))
  if (option === undefined) return
  throw new StoreError(
    'unavailable',
    `data folder ${folder} is on ${mount.type} mounted with ${option}: a server on another machine would not see the lock of the folder, ` +
      'and both would damage it; mount it without that option, or choose a folder on a local disk with --data-dir',
  )
}

/** The mount that holds a path. If several have the same path, the last one covers the others. */
export function findMount(mounts: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined
  for (const mount of mounts) {
    const holds = mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`)
    if (holds && mount.path.length >= (found?.path.length ?? 0)) found = mount
  }
  return found
}

/** Reads lines of `/proc/self/mountinfo`; others are ignored. */
export function parseMounts(table: string): Mount[] {
  return table.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ')
    const path = before?.split(' ')[4]
    const [type, , ofSuperBlock = ''] = after?.split(' ') ?? []
    if (path === undefined || type === undefined) return []
    const options = [...(before?.split(' ')[5] ?? '').split(','), ...ofSuperBlock.split(',')]
    return [{ path: path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))), type, options }]
  })
}
