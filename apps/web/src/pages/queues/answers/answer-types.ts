/** Before the name of a field, in the type of its feedback. */
export const fieldPrefix = 'wandb.annotation.'
export const noteType = 'wandb.note.1'
/** What a call should have answered, in the words of a person. Its payload has a `value`: text, or JSON where the output of the call is not text. */
export const correctionType = 'heddle.corrected_output.1'
