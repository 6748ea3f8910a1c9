import type { Call } from '@heddle/core-api/types'
import type { ServerUnderTest } from './start-server.ts'

/** All calls of a project, in the order of their start. */
export async function readCalls({ client }: ServerUnderTest, project_id: string): Promise<Call[]> {
  const calls: Call[] = []
  for await (const call of client.calls.streamQuery({ project_id })) calls.push(call)
  return calls
}

/**
 * One line a call, with two spaces a level: the names of ops below those that called them, siblings in the order of their names.
 * Siblings may begin in the same millisecond, so the order of their start says nothing.
 */
export function drawTree(calls: readonly Call[], parent_id: string | null = null, indent = ''): string[] {
  const siblings = calls.filter((call) => call.parent_id === parent_id).toSorted(byName)
  return siblings.flatMap((call) => [`${indent}${opName(call)}`, ...drawTree(calls, call.id, `${indent}  `)])
}

const byName = (one: Call, other: Call) => opName(one).localeCompare(opName(other), 'en')

/** The call of an op of this name, of several the one at `index` in the order of their start. @throws Error when there is none */
export function callOf(calls: readonly Call[], name: string, index = 0): Call {
  const call = calls.filter((call) => opName(call) === name)[index]
  if (!call) throw new Error(`no call of ${name} at ${index} among ${calls.map(opName).join(', ') || 'none'}`)
  return call
}

/** `weave:///entity/project/op/name:digest` gives `name`. */
function opName({ op_name }: Call): string {
  return op_name.replace(/^.*\/op\//, '').replace(/:.*$/, '')
}
