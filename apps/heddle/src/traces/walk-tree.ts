import type { TreeCall, TreeNode } from '@heddle/trace-model'

/** Characters of the lines before a name; of deeper calls only the last are drawn. */
const maxLead = 60

export interface Step<T extends TreeCall> {
  node: TreeNode<T>
  /** The lines that lead to the name. */
  lead: string
  /** The lines that continue below it. */
  below: string
}

/** Nodes in the order in which they are drawn. */
export function* walk<T extends TreeCall>(roots: readonly TreeNode<T>[]): Generator<Step<T>> {
  const waiting = roots.toReversed().map((node): Step<T> => ({ node, lead: '', below: '' }))
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    yield step
    const { node, below } = step
    node.children.toReversed().forEach((child, index) => {
      const isLast = index === 0
      const rest = `${below}${isLast ? '   ' : '│  '}`.slice(-maxLead)
      waiting.push({ node: child, lead: `${below}${isLast ? '└─ ' : '├─ '}`, below: rest })
    })
  }
}
