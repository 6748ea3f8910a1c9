import { equal } from '../python/compare.ts'
import { type CallArguments, Callable, Undefined, type Value, WithAttributes } from '../python/values.ts'

interface Loop {
  elements: readonly Value[]
  /** Levels of loops that called themselves; 0 for the first. */
  depth: number
  /** Runs the loop over other elements, for `loop(…)` in its body. Null where it is not recursive. */
  recurse: ((given: CallArguments) => Value) | null
}

/** The variable `loop` in the body of a loop. */
export class LoopState {
  readonly value: WithAttributes
  readonly #loop: Loop
  #at = 0
  #changed: readonly Value[] | null = null

  constructor(loop: Loop) {
    this.#loop = loop
    this.value = new WithAttributes('<LoopContext>', (name) => this.#attribute(name), loop.recurse)
  }

  /** @param index of the current element, from 0 */
  moveTo(index: number): void {
    this.#at = index
  }

  #attribute(name: string): Value | undefined {
    const { elements, depth } = this.#loop
    const [at, count] = [this.#at, elements.length]
    switch (name) {
      case 'index':
        return BigInt(at + 1)
      case 'index0':
        return BigInt(at)
      case 'revindex':
        return BigInt(count - at)
      case 'revindex0':
        return BigInt(count - at - 1)
      case 'first':
        return at === 0
      case 'last':
        return at === count - 1
      case 'length':
        return BigInt(count)
      case 'depth':
        return BigInt(depth + 1)
      case 'depth0':
        return BigInt(depth)
      case 'previtem':
        return at > 0 ? elements[at - 1]! : new Undefined('there is no previous item')
      case 'nextitem':
        return at < count - 1 ? elements[at + 1]! : new Undefined('there is no next item')
      case 'cycle':
        return new Callable(name, ({ placed }) => this.#cycle(placed))
      case 'changed':
        return new Callable(name, ({ placed }) => this.#isChanged(placed))
      default:
        return undefined
    }
  }

  #cycle(values: readonly Value[]): Value {
    if (values.length === 0) throw new TypeError('no items for cycling given')
    return values[this.#at % values.length]!
  }

  #isChanged(values: readonly Value[]): boolean {
    const before = this.#changed
    if (before !== null && equal(before, values)) return false
    this.#changed = values
    return true
  }
}
