import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'

/** The memory that this process and its children may use together. */
export interface MemoryLimit {
  bytes: number
  /** Memory of the machine. */
  machineBytes: number
  /** Folder of the control group that sets the limit; undefined where the machine is the limit. */
  cgroup: string | undefined
}

export interface MemorySources {
  /** Where the kernel lists the control groups of this process. */
  cgroupFile: string
  /** Where control groups are mounted. */
  mount: string
  machineBytes: number
}

const systemSources = (): MemorySources => ({ cgroupFile: '/proc/self/cgroup', mount: '/sys/fs/cgroup', machineBytes: totalmem() })

/** A kind of control groups: where they are, and the file that has the limit. */
interface Hierarchy {
  folder: string
  /** Path of the group of this process in it. */
  group: string
  file: string
}

/**
 * Reads the smallest limit of memory of the control groups that this process is in, of version 1 or 2, up to the root: a group may use no more
 * than those around it. In a container the path of its group may be that of the machine, of which only the root is mounted.
 */
export function readMemoryLimit(sources: MemorySources = systemSources()): MemoryLimit {
  const { machineBytes } = sources
  const groups = hierarchiesOf(sources).flatMap(({ folder, group, file }) =>
    upwards(group).map((path) => ({ cgroup: join(folder, path), file })),
  )
  const limits = groups.flatMap(({ cgroup, file }) => {
    const bytes = readBytes(join(cgroup, file))
    return bytes === undefined || bytes >= machineBytes ? [] : [{ bytes, machineBytes, cgroup }]
  })
  const [smallest] = limits.toSorted((a, b) => a.bytes - b.bytes)
  return smallest ?? { bytes: machineBytes, machineBytes, cgroup: undefined }
}

function hierarchiesOf({ cgroupFile, mount }: MemorySources): Hierarchy[] {
  return readText(cgroupFile)
    .split('\n')
    .flatMap((line): Hierarchy[] => {
      const [, controllers, group] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
      if (controllers === undefined || group === undefined) return []
      if (controllers === '') return [{ folder: mount, group, file: 'memory.max' }]
      if (!controllers.split(',').includes('memory')) return []
      return [{ folder: join(mount, 'memory'), group, file: 'memory.limit_in_bytes' }]
    })
}

/** A path and those above it, down to the root. */
function upwards(group: string): string[] {
  const names = group.split('/').filter((name) => name !== '' && name !== '..')
  return names.map((_, index) => `/${names.slice(0, names.length - index).join('/')}`).concat('/')
}

/** Undefined if there is no limit, or no such file. */
function readBytes(path: string): number | undefined {
  const text = readText(path).trim()
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
