import { formatBytes, formatDuration } from '../terminal/measures.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const oldestNode = { major: 20, minor: 19 }
/** Below these the server refuses to record. */
const leastFreeBytes = 256 * 2 ** 20
const leastFreeShare = 0.05
const lowFreeBytes = 2 * 2 ** 30
const skewMicros = 5_000_000
const sensibleYears = { first: 2025, last: 2200 }

/** `version` as Node gives it: `v20.19.0`. */
export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isEnough = major > oldestNode.major || (major === oldestNode.major && minor >= oldestNode.minor)
  const remedy = `install Node ${oldestNode.major}.${oldestNode.minor} or newer`
  return isEnough ? ok('Node', version) : failure('Node', `${version} is too old`, remedy)
}

interface FolderFacts {
  path: string
  /** The permission bits. */
  mode: number
  isWritable: boolean
  /** The file system is mounted read-only, whatever the permissions. Default false. */
  isReadOnly?: boolean
}

export function judgeFolder({ path, mode, isWritable, isReadOnly = false }: FolderFacts): Finding {
  if (isReadOnly)
    return failure('Data folder', `${path} is on a read-only file system`, 'mount a volume there, or name one with --data-dir')
  if (!isWritable)
    return failure(
      'Data folder',
      `no permission to write to ${path}`,
      'grant this user write permission, or choose another folder with --data-dir',
    )
  const others = mode & 0o077
  if (others !== 0)
    return warning('Data folder', `${path} is accessible to other users (mode ${(mode & 0o777).toString(8)})`, `chmod 700 ${path}`)
  return ok('Data folder', path)
}

export function judgeDisk({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): Finding {
  const detail = `${formatBytes(freeBytes)} free of ${formatBytes(totalBytes)}`
  if (freeBytes < leastFreeBytes || freeBytes < totalBytes * leastFreeShare) {
    return failure('Disk', detail, 'free some space: below 256 MiB or 5 % the server rejects writes')
  }
  return freeBytes < lowFreeBytes
    ? warning('Disk', detail, 'free some space soon: below 256 MiB or 5 % the server rejects writes')
    : ok('Disk', detail)
}

/** `apart`: microseconds between this machine's clock and the other one, which is named in `other`. */
export function judgeClock({ now, apart, other }: { now: number; apart: number; other: string }): Finding {
  const date = new Date(now / 1_000)
  const year = date.getUTCFullYear()
  if (year < sensibleYears.first || year > sensibleYears.last) {
    return failure('Clock', `shows ${date.toISOString()}`, 'set the clock of this machine: call timestamps depend on it')
  }
  if (Math.abs(apart) <= skewMicros) return ok('Clock', `within ${skewMicros / 1_000_000} s of ${other}`)
  return warning(
    'Clock',
    `${formatDuration(Math.abs(apart))} ${apart > 0 ? 'ahead of' : 'behind'} ${other}`,
    'synchronize the clocks with NTP',
  )
}
