import { z } from 'zod'

/** For clients that cannot ask a person: the name of what goes, as the refusal says. */
export const Confirm = z.string().optional().describe('Name in the refusal')

/** Asked of a person before something is deleted or cancelled. */
export interface Confirmation {
  /** What would go, in numbers. */
  confirm: {
    message: string
    /** What the person types to agree. */
    name: string
    /** State of the target: when it has changed meanwhile, the person is asked again. */
    version: string
  }
}

export function isConfirmation(value: object): value is Confirmation {
  return 'confirm' in value
}
