import type { CompiledSize } from './compiled-size.ts'

/** A tree of the names of properties, by the bytes of their spelling as JSON writes it between quotes. */
export interface PropertyNames {
  readonly children: ReadonlyMap<number, PropertyNames>
  /** Index of the property that ends here; null for none. */
  readonly property: number | null
  /** A bit for each property that ends here or below. */
  readonly below: bigint
}

interface MutableNames {
  children: Map<number, MutableNames>
  property: number | null
  below: bigint
}

/** The tree of names that differ. With a size, its states are counted there. @throws SchemaError when that becomes too large */
export function createPropertyNames(names: readonly string[], size?: CompiledSize): PropertyNames {
  const root = emptyNames()
  names.forEach((name, property) => {
    let tree = root
    tree.below |= 1n << BigInt(property)
    for (const byte of spellName(name)) {
      let child = tree.children.get(byte)
      if (child === undefined) {
        size?.addStates(1)
        tree.children.set(byte, (child = emptyNames()))
      }
      tree = child
      tree.below |= 1n << BigInt(property)
    }
    tree.property = property
  })
  return root
}

function emptyNames(): MutableNames {
  return { children: new Map(), property: null, below: 0n }
}

/** Bytes of the one spelling of a name that is written: that of `JSON.stringify`, without the quotes. */
function spellName(name: string): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(name).slice(1, -1))
}
