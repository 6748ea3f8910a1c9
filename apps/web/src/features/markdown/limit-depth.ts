interface Node {
  children?: readonly Node[]
}

/** Pages that are nested deeper take a browser long to lay out; extremely deep ones crash it. */
const maxDepth = 40

/** A step of the reading of Markdown that fails for a text that is nested too deeply. */
export function limitDepth() {
  return (root: Node): void => {
    let level: readonly Node[] = [root]
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) throw new RangeError(`nested more than ${maxDepth} times`)
      level = level.flatMap(({ children = [] }) => children)
    }
  }
}
