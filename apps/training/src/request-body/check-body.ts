import type { Issue } from '@heddle/core-api'
import { Trajectory } from '@heddle/core-api/types'
import { invalid, TrajectoryGroupFields, trajectoryLimits } from '@heddle/core-api/internal'
import { toIssues } from '@heddle/service-kit'
import type { z } from 'zod'
import { findExchangeProblem } from '../sequences/read-exchanges.ts'
import { createPacer } from '../training/pacer.ts'
import { countTokens } from './count-tokens.ts'
import { type BodyPiece } from './body-splitter.ts'
import { readPieces } from './read-pieces.ts'

export interface BodyToCheck {
  content: AsyncIterable<Uint8Array>
  /** The fields of the body besides its groups. */
  fields: z.ZodObject
  limits: TrajectoryLimits
  signal: AbortSignal
}

export interface TrajectoryLimits {
  trajectories: number
  tokensOfTrajectory: number
}

export const defaultTrajectoryLimits: TrajectoryLimits = trajectoryLimits

/** The most failures that are reported. */
const maxIssues = 100

/**
 * Checks the body of a request with trajectory groups while it is read, and returns its other fields.
 * @throws ApiError 422 with all failures in the order of the document, 413 for a piece that is too large
 */
export async function checkBody<Fields>({ content, fields, limits, signal }: BodyToCheck): Promise<Fields> {
  const pace = createPacer(signal)
  const issues: Issue[] = []
  const body: Record<string, unknown> = {}
  const seen = { groups: 0, lists: new Set<number>(), trajectories: 0 }
  let group: Record<string, unknown> = {}
  for await (const piece of readPieces(content)) {
    await pace()
    if (piece.at === 'groups') seen.groups++
    if (piece.at === 'body') note(body, piece, ['body'])
    if (piece.at === 'group') issues.push({ loc: groupPath(piece.group), msg: 'Input should be a valid dictionary', type: 'dict_type' })
    if (piece.at === 'trajectories') seen.lists.add(piece.group)
    if (piece.at === 'field') note(group, piece, groupPath(piece.group))
    if (piece.at === 'trajectory') checkTrajectory(piece)
    if (piece.at === 'group end') {
      checkGroup(group, piece.group)
      group = {}
    }
  }
  checkFields()
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues))
  return fields.parse(body) as Fields

  /** Values are parsed in order, so that the issues are in the order of the document. */
  function note(target: Record<string, unknown>, { key, text }: { key: string; text: string }, path: (string | number)[]): void {
    const value = parse(text, [...path, key])
    if (value !== undefined) target[key] = value
  }

  function parse(text: string, loc: (string | number)[]): unknown {
    try {
      return JSON.parse(text) as unknown
    } catch {
      issues.push({ loc, msg: 'Input should be JSON', type: 'json_invalid' })
      return undefined
    }
  }

  function checkTrajectory({ group, trajectory, text }: BodyPiece & { at: 'trajectory' }): void {
    const loc = [...groupPath(group), 'trajectories', trajectory]
    if (++seen.trajectories === limits.trajectories + 1)
      issues.push({ loc, msg: `A job has at most ${limits.trajectories} trajectories`, type: 'too_long' })
    if (issues.length >= maxIssues || seen.trajectories > limits.trajectories) return
    const value = parse(text, loc)
    if (value === undefined) return
    const result = Trajectory.safeParse(value)
    if (!result.success) issues.push(...under(loc, toIssues(result.error, { root: '', input: value })))
    issues.push(...checkExchanges(value, loc), ...checkSize(value, loc))
  }

  function checkExchanges(value: unknown, loc: (string | number)[]): Issue[] {
    const problem = isObject(value) && value['exchanges'] != null ? findExchangeProblem(value['exchanges']) : null
    return problem === null ? [] : [{ loc: [...loc, 'exchanges', ...problem.path], msg: problem.message, type: 'value_error' }]
  }

  function checkSize(value: unknown, loc: (string | number)[]): Issue[] {
    const tokens = countTokens(value)
    const { historiesOfTrajectory: most } = trajectoryLimits
    const histories = isObject(value) && Array.isArray(value['additional_histories']) ? value['additional_histories'].length : 0
    return [
      ...(tokens > limits.tokensOfTrajectory
        ? [{ loc, msg: `A trajectory has at most ${limits.tokensOfTrajectory} tokens, not ${tokens}`, type: 'too_long' }]
        : []),
      ...(histories > most
        ? [{ loc: [...loc, 'additional_histories'], msg: `List should have at most ${most} items`, type: 'too_long' }]
        : []),
    ]
  }

  function checkGroup(value: Record<string, unknown>, index: number): void {
    const loc = groupPath(index)
    if (!seen.lists.has(index)) {
      const given = value['trajectories']
      const isAbsent = given === undefined || given === null
      const issue = isAbsent ? { msg: 'Field required', type: 'missing' } : { msg: 'Input should be a valid list', type: 'list_type' }
      issues.push({ loc: [...loc, 'trajectories'], ...issue })
    }
    const result = TrajectoryGroupFields.safeParse(value)
    if (!result.success) issues.push(...under(loc, toIssues(result.error, { root: '', input: value })))
  }

  function checkFields(): void {
    const result = fields.safeParse(body)
    const own = result.success ? [] : toIssues(result.error, { root: 'body', input: body })
    if (seen.groups > 0) issues.unshift(...own)
    else {
      const given = body['trajectory_groups']
      const isAbsent = given === undefined || given === null
      const issue = isAbsent ? { msg: 'Field required', type: 'missing' } : { msg: 'Input should be a valid list', type: 'list_type' }
      issues.unshift(...own, { loc: ['body', 'trajectory_groups'], ...issue })
    }
  }
}

const groupPath = (group: number): (string | number)[] => ['body', 'trajectory_groups', group]
/** Issues of a part, whose locations begin with an empty root. */
const under = (path: readonly (string | number)[], issues: readonly Issue[]) =>
  issues.map((issue) => ({ ...issue, loc: [...path, ...issue.loc.slice(1)] }))
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
