import { Readable } from 'node:stream'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { TrajectoryGroup } from '@heddle/core-api/types'
import { assertFiniteNumbers, NotUtf8, readUtf8Lines } from '@heddle/core-api/internal'
import { isJsonNumber, parseJson, stringifyJson } from '@heddle/json'
import type { RecordedGroup } from '../trajectory/recorded.ts'

/** Writes groups as JSON Lines, one a line, as they travel to the training service. @throws TypeError for a number that is not finite */
export async function writeGroups(path: string, groups: Iterable<RecordedGroup>): Promise<void> {
  await pipeline(Readable.from(linesOf(groups)), createWriteStream(path))
}

function* linesOf(groups: Iterable<RecordedGroup>): Generator<string> {
  for (const group of groups) {
    const text = stringifyJson(group)
    assertFiniteNumbers(group)
    yield `${text}\n`
  }
}

/** A group with its line number. */
export interface GroupLine {
  /** From 1. */
  line: number
  group: RecordedGroup
  /** Characters of its JSON. */
  size: number
}

/**
 * Reads groups that `writeGroups` wrote, or other groups of the same shape. Blank lines are skipped.
 * @throws UnreadableGroup
 */
export async function* readGroups(path: string): AsyncGenerator<RecordedGroup> {
  for await (const { group } of readGroupLines(path)) yield group
}

/** The same with the number of each line. @throws UnreadableGroup */
export async function* readGroupLines(path: string): AsyncGenerator<GroupLine> {
  let line = 0
  try {
    for await (const text of readUtf8Lines(createReadStream(path))) {
      line++
      if (text.trim() !== '') yield { line, group: parseGroup(text, `line ${line} of ${path}`), size: text.length }
    }
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error
    throw new UnreadableGroup(`line ${error.line} of ${path} ${error.reason}`, { cause: error })
  }
}

/** A line of a file is not a trajectory group. The message names the line and the problem. */
export class UnreadableGroup extends Error {
  override readonly name = 'UnreadableGroup'
}

function parseGroup(text: string, place: string): RecordedGroup {
  let value: unknown
  try {
    value = parseJson(text, { maxDepth: 10_000, maxKeys: Infinity, loneSurrogates: 'keep' })
  } catch (error) {
    throw new UnreadableGroup(`${place} is not JSON: ${String(error)}`, { cause: error })
  }
  const result = TrajectoryGroup.safeParse(value)
  if (result.success) return withPlainRewards(value as RecordedGroup)
  const [issue] = result.error.issues
  throw new UnreadableGroup(`${place} is not a trajectory group: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

/** Rewards are compared, so they are JavaScript numbers; everything else keeps its written form. */
function withPlainRewards(group: RecordedGroup): RecordedGroup {
  const trajectories = group.trajectories.map((trajectory) =>
    isJsonNumber(trajectory.reward) ? { ...trajectory, reward: Number(trajectory.reward) } : trajectory,
  )
  return { ...group, trajectories }
}
