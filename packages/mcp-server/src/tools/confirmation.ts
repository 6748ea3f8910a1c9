import { z } from 'zod'

/** For clients that cannot ask a user: the name of the target, as given in the refusal. */
export const Confirm = z.string().optional().describe('Name in the refusal')

/** A question to the user before something is deleted or cancelled. */
export interface Confirmation {
  /** Counts of the data to be deleted. */
  confirm: {
    message: string
    /** The text that the user types to agree. */
    name: string
    /** State of the target: if it has changed meanwhile, the user must confirm again. */
    version: string
  }
}

export function isConfirmation(value: object): value is Confirmation {
  return 'confirm' in value
}
