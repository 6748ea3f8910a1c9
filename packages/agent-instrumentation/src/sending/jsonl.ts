import { Readable } from 'node:stream'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { TrajectoryGroup } from '@heddle/core-api'
import type { RecordedGroup } from '../trajectory/recorded.ts'

/** Writes groups as JSON Lines, one a line, as they travel to the training service. */
export async function writeGroups(path: string, groups: Iterable<RecordedGroup>): Promise<void> {
  await pipeline(Readable.from(linesOf(groups)), createWriteStream(path))
}

function* linesOf(groups: Iterable<RecordedGroup>): Generator<string> {
  for (const group of groups) yield `${JSON.stringify(group)}\n`
}

/**
 * Reads groups that `writeGroups` wrote, or others of the same shape. Blank lines are skipped.
 * @throws Error that names the line which is no trajectory group, and why
 */
export async function* readGroups(path: string): AsyncGenerator<RecordedGroup> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (text.trim() !== '') yield parseGroup(text, `line ${line} of ${path}`)
  }
}

function parseGroup(text: string, place: string): RecordedGroup {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${place} is not JSON: ${String(error)}`, { cause: error })
  }
  const result = TrajectoryGroup.safeParse(value)
  if (result.success) return value as RecordedGroup
  const [issue] = result.error.issues
  throw new Error(`${place} is no trajectory group: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}
