/** Indexes of an element that two lists share: in the first, and in the second. */
export type CommonPlace = readonly [first: number, second: number]

/** Pairs of elements that are looked at for the longest common subsequence of two lists; longer ones are compared by position. */
export const maxPairs = 4_000_000

/**
 * The indexes of a longest common subsequence, increasing in both. Equal ends are found first, so that long lists with few changes are compared too.
 * Undefined for lists whose middles have more than 4 million pairs.
 */
export function commonElements(first: readonly number[], second: readonly number[]): CommonPlace[] | undefined {
  const most = Math.min(first.length, second.length)
  let start = 0
  while (start < most && first[start] === second[start]) start++
  let end = 0
  while (end < most - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end++
  const middle = longest(first.slice(start, first.length - end), second.slice(start, second.length - end))
  return (
    middle && [
      ...Array.from({ length: start }, (_, at): CommonPlace => [at, at]),
      ...middle.map(([one, other]): CommonPlace => [one + start, other + start]),
      ...Array.from({ length: end }, (_, at): CommonPlace => [first.length - end + at, second.length - end + at]),
    ]
  )
}

function longest(first: readonly number[], second: readonly number[]): CommonPlace[] | undefined {
  const width = second.length + 1
  if (first.length * second.length > maxPairs) return undefined
  // For each pair of indexes, the length of the longest common subsequence of the rest.
  const lengths = new Uint32Array((first.length + 1) * width)
  const lengthAt = (one: number, other: number) => lengths[one * width + other] ?? 0
  for (let one = first.length - 1; one >= 0; one--)
    for (let other = second.length - 1; other >= 0; other--)
      lengths[one * width + other] =
        first[one] === second[other] ? lengthAt(one + 1, other + 1) + 1 : Math.max(lengthAt(one + 1, other), lengthAt(one, other + 1))
  const common: CommonPlace[] = []
  for (let one = 0, other = 0; one < first.length && other < second.length;)
    if (first[one] === second[other]) common.push([one++, other++])
    else if (lengthAt(one + 1, other) >= lengthAt(one, other + 1)) one++
    else other++
  return common
}
