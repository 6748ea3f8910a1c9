// Prints the text of `src/engine/embedded/kernels/kernels-wasm.ts`: every program that runs the kernels, bundled or not, imports it as it does any module.
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const folder = fileURLToPath(new URL('.', import.meta.url))
const both = [
  '-O3',
  '--runtime=stub',
  '--noAssert',
  '--disableWarning',
  '--importMemory',
  '--sharedMemory',
  '--initialMemory=16',
  '--maximumMemory=65536',
  '--enable=simd',
  '--enable=threads',
]

/** @param {string[]} options @returns {Promise<string>} the module in base64 */
async function compile(options) {
  /** @type {Uint8Array | undefined} */
  let module
  const writeFile = (/** @type {string} */ _name, /** @type {Uint8Array | string} */ contents) => {
    if (typeof contents !== 'string') module = contents
  }
  const args = ['index.ts', '--outFile=kernels.wasm', `--baseDir=${folder}`, ...both, ...options]
  const { error, stderr } = await asc.main(args, { writeFile })
  if (error || !module) throw new Error(`the kernels do not compile: ${stderr.toString()}`, { cause: error })
  return Buffer.from(module).toString('base64')
}

const plain = await compile([])
const relaxed = await compile(['--enable=relaxed-simd'])
process.stdout.write(`// Generated from apps/training/kernels by \`npm run gen\`.
/** The kernels as a WebAssembly module, in base64. They need SIMD and threads. */
export const plainKernels =
  '${plain}'
/** The same with fused products and sums, for engines that have relaxed SIMD. */
export const relaxedKernels =
  '${relaxed}'
`)
