import { z } from 'zod'

const pattern = /^[\x21-\x7e]{1,200}$/

/** Whether a text can be the id of a recorded trajectory, or of a group or rollout of them: it travels in a header. */
export const isRecordedId = (text: string): boolean => pattern.test(text)

export const RecordedId = z.string().regex(pattern, 'Input should have 1 to 200 visible ASCII characters')
