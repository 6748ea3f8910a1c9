import ts from 'typescript'

/** Functions whose argument declares a query. */
const declarers = new Set(['queryOptions', 'infiniteQueryOptions', 'useQuery', 'useInfiniteQuery'])

/**
 * Literal keys of queries that are written more than once: a first word that two queries share, or a key that is written again where it is loaded
 * again, read, set or cancelled. Such a use names the query (`notesQuery(id).queryKey`) or a `…Key` function next to it, so that it cannot differ.
 * @param {readonly (readonly [path: string, text: string])[]} files
 * @returns {string[]} `<path>:<line>: <reason>`
 */
export function findRepeatedKeys(files) {
  /** @type {Map<string, string>} */
  const declared = new Map()
  /** @type {{ word: string, at: string }[]} */
  const used = []
  /** @type {string[]} */
  const findings = []
  for (const [path, text] of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    /** @param {ts.Node} node */
    const visit = (node) => {
      const word = ts.isArrayLiteralExpression(node) && firstWord(node)
      if (word) {
        const at = `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
        if (isDeclaration(node)) {
          const before = declared.get(word)
          if (before !== undefined) findings.push(`${at}: the key '${word}' is declared at ${before} too`)
          declared.set(word, before ?? at)
        } else if (isUse(node)) used.push({ word, at })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  const again = used.filter(({ word }) => declared.has(word))
  return [...findings, ...again.map(({ word, at }) => `${at}: the key '${word}' is declared at ${declared.get(word)}; use that one`)]
}

/** @param {ts.ArrayLiteralExpression} node */
const firstWord = ({ elements: [first] }) => (first && ts.isStringLiteral(first) ? first.text : undefined)

/** Skips `as const` and parentheses. @param {ts.Node} node @returns {ts.Node} */
const outside = (node) => (ts.isAsExpression(node.parent) || ts.isParenthesizedExpression(node.parent) ? outside(node.parent) : node)

/** @param {ts.Node} node */
const isDeclaration = (node) => {
  const { parent } = outside(node)
  if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'queryKey') {
    const call = parent.parent.parent
    return ts.isCallExpression(call) && declarers.has(call.expression.getText())
  }
  const variable = ts.isArrowFunction(parent) ? parent.parent : parent
  return ts.isVariableDeclaration(variable) && /^queryKey$|Key$/.test(variable.name.getText())
}

/** @param {ts.Node} node */
const isUse = (node) => {
  const whole = outside(node)
  const { parent } = whole
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'queryKey'
  return ts.isCallExpression(parent) && parent.arguments.some((argument) => argument === whole)
}
