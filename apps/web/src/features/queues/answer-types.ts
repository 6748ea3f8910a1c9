/** Before the name of a field, in the type of its feedback. */
export const fieldPrefix = 'wandb.annotation.'
export const noteType = 'wandb.note.1'
/** The output that a call should have had, written by a user. Its payload has a `value`: text, or JSON if the output of the call is not text. */
export const correctionType = 'heddle.corrected_output.1'
