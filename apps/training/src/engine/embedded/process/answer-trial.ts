import { findKernelSet } from '../kernels/kernels.ts'
import { NativeLibraryError } from '../kernels/native/blas-library.ts'
import { chooseNative } from '../kernels/native/native-choice.ts'
import type { LibraryTrial } from './try-native-library.ts'

/** Tries a library in this process. */
export function answerTrial(library: string): LibraryTrial {
  try {
    return { choice: chooseNative(library, findKernelSet()) }
  } catch (error) {
    if (error instanceof NativeLibraryError) return { problem: error.message }
    throw error
  }
}
