// Prints, as JSON, what TypeScript finds wrong in the code of the documents: [[document, line of the block, [fault, …]], …], one entry for each program.
// Type checking blocks the event loop for seconds, so it runs in its own process.
import { join } from 'node:path'
import { codeBlocksIn, documentsOfRepository } from '@heddle/testing'
import ts from 'typescript'
import { repository } from './repository.ts'
import { type TypedProgram, typedPrograms } from './typed-blocks.ts'

/** What a block finds wrong with its types. */
export type TypeFaults = readonly [document: string, line: number, faults: readonly string[]]

/** Packages whose dependencies programs of readers may have; each program is checked in the first that has all of them. */
const places = ['apps/heddle', 'apps/tracing', 'apps/training', 'packages/otel-exporter']
/** JavaScript declares no types of parameters, and reads values without proof that they are there. */
const ignoredInJavaScript = [2531, 2532, 7006, 7031, 18047, 18048]

/** As a new project has them, with what Node 20 has. The last two let the sources of our packages take the place of their published files. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  typeRoots: [join(repository, 'node_modules/@types')],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  allowJs: true,
  checkJs: true,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.ReactJSX,
}

const host = ts.createCompilerHost(options)
const onDisk = { exists: host.fileExists, read: host.readFile, source: host.getSourceFile }
const programs = new Map<string, TypedProgram>()
const textOf = ({ before, block }: TypedProgram) => before + block.code
for (const program of typedPrograms(documentsOfRepository(repository).flatMap(({ document, text }) => codeBlocksIn(document, text))))
  programs.set(pathOf(program), program)

host.fileExists = (path) => programs.has(path) || onDisk.exists(path)
host.readFile = (path) => {
  const program = programs.get(path)
  return program === undefined ? onDisk.read(path) : textOf(program)
}
host.getSourceFile = (path, version, onError, shouldCreate) => {
  const program = programs.get(path)
  return program === undefined ? onDisk.source(path, version, onError, shouldCreate) : ts.createSourceFile(path, textOf(program), version)
}

const all = ts.createProgram([...programs.keys()], options, host)
process.stdout.write(JSON.stringify([...programs].map(([path, { block, before }]) => [block.document, block.line, faultsIn(path, before)])))

/** Where the program is for the compiler: in a package that has what it imports. */
function pathOf(program: TypedProgram): string {
  const { document, line, language } = program.block
  const name = `src/documented-${document.replaceAll(/\W/g, '-')}-${line}.${language === 'js' ? 'mjs' : 'mts'}`
  const imports = ts.preProcessFile(textOf(program)).importedFiles.map(({ fileName }) => fileName)
  const candidates = [...(document.startsWith('packages/') ? [join(document, '..')] : []), ...places].map((at) =>
    join(repository, at, name),
  )
  const resolves = (path: string) =>
    imports.every((one) => ts.resolveModuleName(one, path, options, host, undefined, undefined, ts.ModuleKind.ESNext).resolvedModule)
  return candidates.find(resolves) ?? candidates[0]!
}

/** Faults in what the document has, not in what precedes it. */
function faultsIn(path: string, before: string): string[] {
  const source = all.getSourceFile(path)
  const linesBefore = before.split('\n').length
  return [...all.getSyntacticDiagnostics(source), ...all.getSemanticDiagnostics(source)].flatMap(({ start = 0, code, messageText }) => {
    if (start < before.length || (path.endsWith('.mjs') && ignoredInJavaScript.includes(code))) return []
    const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 2 - linesBefore
    return [`line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')} (TS${code})`]
  })
}
