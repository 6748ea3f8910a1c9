import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Path of the Chromium that tests run: the one that HEDDLE_TEST_CHROMIUM names, or else the first on PATH; undefined if there is none. */
export function findChromium() {
  const named = process.env['HEDDLE_TEST_CHROMIUM']
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(
      `HEDDLE_TEST_CHROMIUM is "${named}", which is not a program that can be run. Set it to the path of Chromium, or unset it.`,
    )
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
