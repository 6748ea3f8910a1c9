const dotEveryMs = 2000

/**
 * Says on one line what is being done, with a dot every 2 s, and how long it took.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function showProgress(label, work) {
  const startedAt = performance.now()
  process.stdout.write(`${label} .`)
  const dots = setInterval(() => process.stdout.write('.'), dotEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(dots)
    process.stdout.write(` ${seconds(performance.now() - startedAt)}\n`)
  }
}

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
