/** The list with one of its members moved to another index. */
export function moveTo<T>(list: readonly T[], member: T, place: number): T[] {
  const others = list.filter((one) => one !== member)
  return others.toSpliced(place, 0, member)
}
