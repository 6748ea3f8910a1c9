import ts from 'typescript'

/**
 * Components of the given files whose function may return a text. React draws such a text as it is, while the texts of elements pass through
 * `apps/web/src/jsx`, which leaves out marks of writing direction: `return <>{text}</>`. Components of packages are not looked at.
 * @param {readonly string[]} files paths of .tsx files
 * @param {string} root folder below which components are looked at
 * @param {ReadonlyMap<string, string>} unsaved texts of files that are not on disk, by path
 * @returns {string[]} `<name> of <path>:<line>`, sorted
 */
export function findReturnedTexts(files, root, unsaved = new Map()) {
  const options = {
    jsx: ts.JsxEmit.ReactJSX,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
  }
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (path) => unsaved.get(path) ?? readFile(path)
  host.fileExists = (path) => unsaved.has(path) || fileExists(path)
  const program = ts.createProgram([...files], options, host)
  const checker = program.getTypeChecker()
  const found = /** @type {Set<string>} */ (new Set())

  /** @param {ts.Type} type @returns {boolean} */
  const holdsText = (type) => (type.isUnion() ? type.types.some(holdsText) : (type.flags & ts.TypeFlags.StringLike) !== 0)

  /** @param {ts.JsxTagNameExpression} tag */
  const lookAt = (tag) => {
    for (const signature of checker.getTypeAtLocation(tag).getCallSignatures()) {
      const source = signature.declaration?.getSourceFile()
      if (!source || source.fileName.includes('node_modules') || !source.fileName.startsWith(root)) continue
      if (!holdsText(signature.getReturnType())) continue
      const { line } = source.getLineAndCharacterOfPosition(signature.declaration?.getStart() ?? 0)
      found.add(`${tag.getText()} of ${source.fileName.slice(root.length)}:${line + 1}`)
    }
  }
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) lookAt(node.tagName)
    ts.forEachChild(node, visit)
  }
  for (const source of program.getSourceFiles()) if (source.fileName.startsWith(root)) visit(source)
  return [...found].sort()
}
