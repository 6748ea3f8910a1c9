/** A tensor that is not one number for each token, or one row of them. */
export class TensorError extends Error {
  override readonly name = 'TensorError'
}

/** Numbers of each token. */
const maxColumns = 1_024
/** Numbers of all tensors of a request that have several for each token: sparse ones take few bytes on the way. */
const maxNumbers = 8 * 2 ** 20

/** The tensors of one request. */
export class TensorShapes {
  #left = maxNumbers

  /** How many numbers each token has; undefined for one, without a dimension of its own. @throws TensorError */
  columnsOf(name: string, shape: readonly number[], isSparse: boolean): number | undefined {
    const [rows, columns] = shape
    if (shape.length > 2)
      throw new TensorError(`${name} has ${shape.length} dimensions (${shape.join(' x ')}); at most two are possible, a row for each token`)
    if (columns === undefined) {
      if (isSparse) throw new TensorError(`${name} is sparse and has ${shape.length} dimensions; it must have two`)
      return undefined
    }
    if (rows! < 0 || columns < 1 || columns > maxColumns)
      throw new TensorError(`${name} has ${rows} rows of ${columns} numbers; rows of 1 to ${maxColumns} numbers are possible`)
    this.#left -= rows! * columns
    if (this.#left < 0)
      throw new TensorError(`the tensors with rows have more than ${maxNumbers} numbers; send fewer sequences in a request`)
    return columns
  }
}

/** Rows of which only some columns are given (compressed sparse rows); 0 elsewhere. */
export interface SparseRows<Values> {
  values: Values
  /** Where the values of each row begin, and the last ones end. */
  offsets: ArrayLike<number>
  columns: ArrayLike<number>
  /** Rows and columns. */
  shape: readonly number[]
}

/** Writes all numbers of sparse rows to `dense`, which has as many, all 0. @throws TensorError */
export function fillDense<Values extends Int32Array | Float32Array>(
  name: string,
  { values, offsets, columns, shape: [rows = 0, width = 0] }: SparseRows<Values>,
  dense: Values,
): Values {
  const damaged = new TensorError(`${name} is not made of ${rows} sparse rows of ${width} numbers`)
  if (offsets.length !== rows + 1 || columns.length !== values.length || offsets[rows] !== values.length || offsets[0] !== 0) throw damaged
  for (let row = 0; row < rows; row++) {
    if (offsets[row + 1]! < offsets[row]!) throw damaged
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (!(columns[at]! >= 0 && columns[at]! < width)) throw damaged
      dense[row * width + columns[at]!] = values[at]!
    }
  }
  return dense
}
