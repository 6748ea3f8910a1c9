import type { Message } from '../read-messages.ts'
import type { TreeCall, TreeNode } from '../build-tree.ts'

/** Calls that used a model themselves, by their start: of those that only repeat what was used below them, the ones below. */
export function modelCallsOf<T extends TreeCall>(roots: readonly TreeNode<T>[], usage: { has: (id: string) => boolean }): T[] {
  const found: T[] = []
  const hasBelow = new Set<string>()
  const nodes = [...roots]
  for (const { children } of nodes) for (const child of children) nodes.push(child)
  for (const { call, children } of nodes.reverse()) {
    const isUsed = children.some((child) => hasBelow.has(child.call.id))
    if (!isUsed && usage.has(call.id)) found.push(call)
    if (isUsed || usage.has(call.id)) hasBelow.add(call.id)
  }
  return found.sort((a, b) => a.startedMs - b.startedMs)
}

/** How many messages at the start of a conversation stood at the start of another. */
export function sharedStart(messages: readonly Message[], before: readonly Message[]): number {
  const at = messages.findIndex(({ role, text }, place) => before[place]?.role !== role || before[place]?.text !== text)
  return at < 0 ? messages.length : at
}
