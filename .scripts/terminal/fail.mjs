/**
 * Ends the process with a message for the person at the terminal.
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`\n${message}\n`)
  process.exit(1)
}
