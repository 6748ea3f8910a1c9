/** How many tokens a mask marks. */
export function countOnes(mask: Uint8Array): number {
  let count = 0
  for (const marked of mask) count += marked
  return count
}
