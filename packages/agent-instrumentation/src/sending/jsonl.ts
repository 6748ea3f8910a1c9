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

/** A group with where it stands. */
export interface GroupLine {
  /** From 1. */
  line: number
  group: RecordedGroup
  /** Characters of its JSON. */
  size: number
}

/**
 * Reads groups that `writeGroups` wrote, or others of the same shape. Blank lines are skipped.
 * @throws UnreadableGroup
 */
export async function* readGroups(path: string): AsyncGenerator<RecordedGroup> {
  for await (const { group } of readGroupLines(path)) yield group
}

/** The same with the number of each line. @throws UnreadableGroup */
export async function* readGroupLines(path: string): AsyncGenerator<GroupLine> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (text.trim() !== '') yield { line, group: parseGroup(text, `line ${line} of ${path}`), size: text.length }
  }
}

/** A line of a file is not a trajectory group. The message names the line, and what is wrong with it. */
export class UnreadableGroup extends Error {
  override readonly name = 'UnreadableGroup'
}

function parseGroup(text: string, place: string): RecordedGroup {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UnreadableGroup(`${place} is not JSON: ${String(error)}`, { cause: error })
  }
  const result = TrajectoryGroup.safeParse(value)
  if (result.success) return value as RecordedGroup
  const [issue] = result.error.issues
  throw new UnreadableGroup(`${place} is not a trajectory group: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}
