import type { KernelSet } from '../kernels.ts'
import { findGuard } from './agreement.ts'
import { loadBlas, NativeLibraryError } from './blas-library.ts'
import type { Native } from './native-products.ts'
import type { Guard } from './tiles.ts'

/** A library for products, and how it has the bits of the kernels. Plain data, which other threads get. */
export interface NativeChoice {
  /** Path or name of the library. */
  library: string
  /** What it says of its name and version; null where it does not. */
  version: string | null
  guard: Guard
  /** The share of usual shapes of products that it computes to the same bits, above 0. The rest, and what is small, the kernels compute. */
  share: number
}

/** Tries a library out. @throws NativeLibraryError when it cannot be loaded, or when none of its products has the bits of the kernels */
export function chooseNative(library: string, set: KernelSet): NativeChoice {
  const { product, version } = loadBlas(library)
  const { guard, share } = findGuard(product, set)
  if (share === 0) {
    throw new NativeLibraryError(
      `products of the library "${library}" are rounded in another way on this processor than those of the engine, so that jobs would not continue to the bit; name another build of it, or with OpenBLAS other kernels by OPENBLAS_CORETYPE, such as SkylakeX or Haswell`,
    )
  }
  return { library, version, guard, share }
}

/** @throws NativeLibraryError */
export function openNative({ library, guard }: NativeChoice): Native {
  return { product: loadBlas(library).product, guard }
}
