import { ApiError, type Issue } from '@heddle/core-api'
import { invalid, type TooManyEntries } from '@heddle/core-api/internal'
import type { z } from 'zod'

/** Most issues in a response. */
const maxIssues = 100

type ZodIssue = z.core.$ZodIssue
type Finding = Pick<Issue, 'msg' | 'type'>

/** Where a schema looked. `root` is `body`, `query`, `path` or `header`. */
export interface CheckedInput {
  root: string
  input: unknown
}

/** The error of a refused request: all issues with 422, or the one of a list that is too long if its operation defines one. */
export function toRefusal(error: z.core.$ZodError, place: CheckedInput): ApiError {
  return findTooMany(error.issues, []) ?? invalid(toIssues(error, place))
}

function findTooMany(issues: readonly ZodIssue[], path: readonly PropertyKey[]): ApiError | undefined {
  for (const issue of issues) {
    const place = [...path, ...issue.path]
    const found = isTooMany(issue) ? tooMany(issue, place) : issue.code === 'invalid_union' && firstOf(issue.errors, place)
    if (found) return found
  }
  return undefined
}

function firstOf(branches: readonly (readonly ZodIssue[])[], path: readonly PropertyKey[]): ApiError | undefined {
  for (const branch of branches) {
    const found = findTooMany(branch, path)
    if (found) return found
  }
  return undefined
}

function isTooMany(issue: ZodIssue): issue is TooManyEntries {
  return issue.code === 'too_big' && 'refusal' in issue
}

function tooMany({ refusal, length, maximum }: TooManyEntries, path: readonly PropertyKey[]): ApiError {
  const name = path.findLast((key) => typeof key === 'string') ?? 'the body'
  return new ApiError(refusal.code, refusal.reason({ name, length, max: Number(maximum) }))
}

/** Turns what a schema found in `input` into the wire's form: the first 100 findings. */
export function toIssues(error: z.core.$ZodError, { root, input }: CheckedInput): Issue[] {
  return error.issues
    .slice(0, maxIssues)
    .flatMap((issue) => wireIssues(issue, { loc: [root], input }))
    .slice(0, maxIssues)
}

interface Place {
  loc: Issue['loc']
  input: unknown
}

function wireIssues(issue: ZodIssue, place: Place): Issue[] {
  const here = step(place, issue.path)
  if (here.input === undefined) return [{ loc: here.loc, msg: 'Field required', type: 'missing' }]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ loc: [...here.loc, key], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }))
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => wireIssues(inner, here))
  }
  return [{ loc: here.loc, ...finding(issue) }]
}

function step(place: Place, path: readonly PropertyKey[]): Place {
  const keys = path.filter((key) => typeof key !== 'symbol')
  const input = keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    place.input,
  )
  return { loc: [...place.loc, ...keys], input }
}

/** The alternative that got furthest before it failed is the one that the client most likely meant. */
function nearestBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | undefined {
  const depth = (branch: readonly ZodIssue[]) => branch.reduce((most, { path }) => Math.max(most, path.length), 0)
  return branches
    .filter((branch) => branch.length > 0)
    .reduce<readonly ZodIssue[] | undefined>(
      (best, branch) => (best === undefined || depth(branch) > depth(best) ? branch : best),
      undefined,
    )
}

const typeFindings: Readonly<Record<string, Finding>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  tuple: { type: 'tuple_type', msg: 'Input should be a valid tuple' },
  object: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  null: { type: 'none_required', msg: 'Input should be None' },
}

function finding(issue: ZodIssue): Finding {
  switch (issue.code) {
    case 'invalid_type':
      return typeFindings[issue.expected] ?? { type: 'value_error', msg: issue.message }
    case 'invalid_value':
      return { type: 'literal_error', msg: `Input should be ${listed(issue.values)}` }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'not_multiple_of':
      return { type: 'multiple_of', msg: `Input should be a multiple of ${issue.divisor}` }
    case 'invalid_format':
      return { type: 'string_pattern_mismatch', msg: issue.pattern ? `String should match pattern '${issue.pattern}'` : issue.message }
    case 'custom':
      return { type: typeof issue.params?.type === 'string' ? issue.params.type : 'value_error', msg: issue.message }
    default:
      return { type: 'value_error', msg: issue.message }
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Finding {
  if (origin === 'string') return { type: 'string_too_short', msg: `String should have at least ${plural(minimum, 'character')}` }
  if (origin === 'array') return { type: 'too_short', msg: `List should have at least ${plural(minimum, 'item')}` }
  if (inclusive === false) return { type: 'greater_than', msg: `Input should be greater than ${minimum}` }
  return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${minimum}` }
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): Finding {
  if (origin === 'string') return { type: 'string_too_long', msg: `String should have at most ${plural(maximum, 'character')}` }
  if (origin === 'array') return { type: 'too_long', msg: `List should have at most ${plural(maximum, 'item')}` }
  if (inclusive === false) return { type: 'less_than', msg: `Input should be less than ${maximum}` }
  return { type: 'less_than_equal', msg: `Input should be less than or equal to ${maximum}` }
}

const plural = (count: number | bigint, noun: string) => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`

function listed(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = texts.pop() ?? ''
  return texts.length > 0 ? `${texts.join(', ')} or ${last}` : last
}
