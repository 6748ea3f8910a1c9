import { badRequest } from '@heddle/core-api/internal'

/** The names under which clients store conversations, the present one first. */
const usualNames = ['train.jsonl', 'trajectories.jsonl']

/**
 * The file of an artifact that holds the conversations: the one with a usual name, or else the only one. Undefined without any.
 * @throws ApiError 400 when there are several, and none has a usual name
 */
export function chooseFile<File extends { name: string }>(files: readonly File[], artifact: string): File | undefined {
  const usual = usualNames.map((name) => files.find((file) => file.name === name)).find((file) => file !== undefined)
  if (usual || files.length <= 1) return usual ?? files[0]
  const names = files.map(({ name }) => name).toSorted()
  throw badRequest(
    `the artifact ${JSON.stringify(artifact)} has several files of conversations (${names.join(', ')}); name one of them train.jsonl`,
  )
}
