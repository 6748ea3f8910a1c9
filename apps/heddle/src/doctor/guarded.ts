import { failure, type Finding } from './finding.ts'
import { messageOf } from '../terminal/message-of.ts'

/** The findings of a check; one that ends with an error is a failure with its message, and the next checks are made. */
export async function* guarded(name: string, check: () => AsyncIterable<Finding>): AsyncGenerator<Finding> {
  try {
    yield* check()
  } catch (error) {
    const message = messageOf(error)
    yield failure(name, `could not be checked: ${message}`, 'see docs/damage.md; without a way out there, report it with this message')
  }
}
