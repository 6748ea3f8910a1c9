import { z } from 'zod'

/** Names the project of a request, as clients of OpenAI do. */
export const projectHeader = z.object({
  'openai-project': z
    .string()
    .max(1_000)
    .optional()
    .describe(
      'The project, as `entity/project` or without the entity of the API key. Absent: the only project that the key may use; lists then cover all of them',
    ),
})
