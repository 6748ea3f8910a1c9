import type { Stores } from '../stores/stores.ts'

const checkEveryMs = 2_000

export interface FolderWatch {
  /** Resolves once the data folder is no longer the one that this process locked. */
  lost: Promise<void>
  stop(): void
}

/** Watches whether the data folder is still there, and the same. */
export function watchFolder({ isFolderHeld }: Pick<Stores, 'isFolderHeld'>, everyMs = checkEveryMs): FolderWatch {
  let timer: NodeJS.Timeout | undefined
  const lost = new Promise<void>((resolve) => {
    const check = async () => {
      if (!(await isFolderHeld())) resolve()
    }
    timer = setInterval(() => void check(), everyMs)
    timer.unref()
  })
  return { lost, stop: () => clearInterval(timer) }
}
