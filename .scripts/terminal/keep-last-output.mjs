const keptBytes = 2 * 1024 * 1024

/**
 * Keeps the last 2 MB of the output of a child process. Returns a function that reads it.
 * @param {import('node:child_process').ChildProcess} child
 * @param {boolean} [show] copy it to the terminal as it comes
 */
export function keepLastOutput(child, show = false) {
  const chunks = /** @type {Buffer[]} */ ([])
  let bytes = 0
  const keep = (/** @type {Buffer} */ chunk) => {
    chunks.push(chunk)
    bytes += chunk.length
    while (bytes > keptBytes && chunks.length > 1) bytes -= chunks.shift()?.length ?? 0
    if (show) process.stdout.write(chunk)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => Buffer.concat(chunks).toString('utf8').trimEnd()
}
