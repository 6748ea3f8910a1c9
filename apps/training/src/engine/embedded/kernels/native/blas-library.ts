import { createRequire } from 'node:module'

/** What a product takes of its operands: both as they are (`nn`), the second (`nt`) or the first (`tn`) across. */
export type Operation = 'nn' | 'nt' | 'tn'

/** c = a b, or c += a b with `added` 1, of row-major matrices: c is (rows, columns); `aRow`, `bRow` and `cRow` are the leading dimensions, in floats. */
export type NativeProduct = (
  ...args: [
    ...[operation: Operation, rows: number, columns: number, inner: number],
    ...[a: Float32Array, aRow: number, b: Float32Array, bRow: number],
    ...[added: 0 | 1, c: Float32Array, cRow: number],
  ]
) => void

/** A library that cannot be used, with a message that says why, and what to do. */
export class NativeLibraryError extends Error {
  override readonly name = 'NativeLibraryError'
}

/** The names under which libraries have the product of the CBLAS interface, with the type of their integers. */
const names = [
  ['cblas_sgemm', 'int'],
  ['scipy_cblas_sgemm', 'int'],
  ['cblas_sgemm64_', 'int64_t'],
  ['scipy_cblas_sgemm64_', 'int64_t'],
] as const

const rowMajor = 101
const asItIs = 111
const across = 112

/** Environment variables that limit BLAS libraries to one thread, since each thread of the engine calls the library by itself. Libraries read them when they are loaded. */
export const singleThread = {
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
  MKL_NUM_THREADS: '1',
  BLIS_NUM_THREADS: '1',
  VECLIB_MAXIMUM_THREADS: '1',
} as const

/** Functions by which libraries say their name and version, or their version alone after this name. */
const versionNames = [
  ['openblas_get_config', ''],
  ['openblas_get_config64_', ''],
  ['scipy_openblas_get_config', ''],
  ['scipy_openblas_get_config64_', ''],
  ['bli_info_get_version_str', 'BLIS '],
] as const
const maxVersionCharacters = 200

/** The product of a BLAS library, and what it says of its name and version; null where it does not. @param path of a file, or a name that the system's loader finds. @throws NativeLibraryError */
export function loadBlas(path: string): { product: NativeProduct; version: string | null } {
  const { load } = requireKoffi()
  const library = attempt(() => load(path), `cannot load the library "${path}"`)
  const found = names.find(([name]) => hasFunction(library, name))
  if (!found) {
    const wanted = names.map(([name]) => name).join(', ')
    throw new NativeLibraryError(`the library "${path}" has no products of matrices in single precision: none of ${wanted}`)
  }
  const [name, integer] = found
  const types = ['int', 'int', 'int', integer, integer, integer, 'float', 'void *', integer, 'void *', integer, 'float', 'void *', integer]
  const sgemm = library.func(name, 'void', types)
  const product: NativeProduct = (operation, rows, columns, inner, a, aRow, b, bRow, added, c, cRow) => {
    const [ofA, ofB] = [operation === 'tn' ? across : asItIs, operation === 'nt' ? across : asItIs]
    sgemm(rowMajor, ofA, ofB, rows, columns, inner, 1, a, aRow, b, bRow, added, c, cRow)
  }
  return { product, version: versionOf(library) }
}

function versionOf(library: ReturnType<Koffi['load']>): string | null {
  const found = versionNames.find(([name]) => hasFunction(library, name))
  if (!found) return null
  const said = library.func(found[0], 'const char *', [])() as string | null
  return said === null ? null : `${found[1]}${said}`.trim().slice(0, maxVersionCharacters)
}

type Koffi = typeof import('koffi')

function requireKoffi(): Koffi {
  const require = createRequire(import.meta.url)
  return attempt(() => require('koffi') as Koffi, 'cannot load the package koffi, which calls libraries (npm install koffi)')
}

function hasFunction(library: ReturnType<Koffi['load']>, name: string): boolean {
  try {
    library.func(name, 'void', [])
    return true
  } catch {
    return false
  }
}

function attempt<T>(run: () => T, problem: string): T {
  try {
    return run()
  } catch (error) {
    throw new NativeLibraryError(`${problem}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
