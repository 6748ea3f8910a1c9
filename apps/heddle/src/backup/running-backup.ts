import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** In the data folder, while a backup reads it next to a running server. */
export const runningBackupFile = 'backup-running'

const touchEveryMs = 10_000
/** A backup that was killed blocks others for at most this time. */
const staleMs = 120_000

/** Keeps a server from removing at once what the backup may still have to copy, while `work` reads the folder. */
export async function withRunningBackup<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dataDir, runningBackupFile)
  // A folder that cannot be written to has no server that removes anything from it.
  const touch = () => writeFile(path, `${process.pid}\n`).catch(() => undefined)
  await touch()
  const timer = setInterval(() => void touch(), touchEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await rm(path, { force: true })
  }
}

/** Whether a backup reads the folder. */
export async function isBackupRunning(dataDir: string): Promise<boolean> {
  const found = await stat(join(dataDir, runningBackupFile)).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < staleMs
}
