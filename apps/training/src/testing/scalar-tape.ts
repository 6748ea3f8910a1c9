/** A number with a gradient: its index on the tape. */
export type Scalar = number

/** Reverse-mode differentiation of scalar operations in double precision: slow, and simple enough to be right. */
export class ScalarTape {
  private readonly values: number[] = []
  /** Of each number: its first operand, its second, and the derivatives by them. -1 for no operand. */
  private readonly operands: number[] = []
  private readonly slopes: number[] = []

  constant(value: number): Scalar {
    return this.push({ value, left: -1, right: -1, byLeft: 0, byRight: 0 })
  }

  valueOf(scalar: Scalar): number {
    return this.values[scalar]!
  }

  add(left: Scalar, right: Scalar): Scalar {
    return this.push({ value: this.valueOf(left) + this.valueOf(right), left, right, byLeft: 1, byRight: 1 })
  }

  multiply(left: Scalar, right: Scalar): Scalar {
    const [x, y] = [this.valueOf(left), this.valueOf(right)]
    return this.push({ value: x * y, left, right, byLeft: y, byRight: x })
  }

  /** A function of one number, with its value and its slope there. */
  apply(operand: Scalar, value: number, slope: number): Scalar {
    return this.push({ value, left: operand, right: -1, byLeft: slope, byRight: 0 })
  }

  exponential(operand: Scalar): Scalar {
    const value = Math.exp(this.valueOf(operand))
    return this.apply(operand, value, value)
  }

  logarithm(operand: Scalar): Scalar {
    const x = this.valueOf(operand)
    return this.apply(operand, Math.log(x), 1 / x)
  }

  power(operand: Scalar, exponent: number): Scalar {
    const x = this.valueOf(operand)
    return this.apply(operand, x ** exponent, exponent * x ** (exponent - 1))
  }

  sum(scalars: readonly Scalar[]): Scalar {
    return scalars.reduce((total, scalar) => this.add(total, scalar))
  }

  /** Derivatives of `result` by each number on the tape. */
  gradients(result: Scalar): Float64Array {
    const gradients = new Float64Array(this.values.length)
    gradients[result] = 1
    for (let i = result; i >= 0; i--) {
      const gradient = gradients[i]!
      if (gradient === 0) continue
      for (const side of [0, 1]) {
        const operand = this.operands[2 * i + side]!
        if (operand >= 0) gradients[operand]! += gradient * this.slopes[2 * i + side]!
      }
    }
    return gradients
  }

  private push(node: { value: number; left: Scalar; right: Scalar; byLeft: number; byRight: number }): Scalar {
    this.operands.push(node.left, node.right)
    this.slopes.push(node.byLeft, node.byRight)
    return this.values.push(node.value) - 1
  }
}
