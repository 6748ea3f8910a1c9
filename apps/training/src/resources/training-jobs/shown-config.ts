import type { TrainingJob } from '@heddle/core-api/types'

/** A config may have a learning rate for each of 100,000 steps, and unknown fields of any size: this keeps lists of jobs small. */
const maxFields = 100
const maxCharacters = 200

/** The part of a config that a list of jobs can hold: its finite numbers, booleans and short texts. */
export function shownConfig(config: object | null): TrainingJob['config'] {
  const shown: TrainingJob['config'] = {}
  let count = 0
  for (const [name, value] of Object.entries(config ?? {})) {
    if (count === maxFields) return shown
    if (name.length > maxCharacters || !isShown(value)) continue
    // As an own property, whatever its name.
    Object.defineProperty(shown, name, { value, enumerable: true, configurable: true, writable: true })
    count++
  }
  return shown
}

function isShown(value: unknown): value is number | boolean | string {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'boolean' || (typeof value === 'string' && value.length <= maxCharacters)
}
