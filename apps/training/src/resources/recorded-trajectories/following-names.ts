/** Most characters of the id of a recorded trajectory or group (`RecordedId`). */
const maxCharacters = 200

/** `name`, `name-2`, `name-3` and so on; a long name is cut, so that each is an id. */
export function followingName(name: string, number: number): string {
  const suffix = number === 1 ? '' : `-${number}`
  return name.slice(0, maxCharacters - suffix.length) + suffix
}

/** Whether `id` is `name`, or one that follows it. */
export function follows(name: string, id: string): boolean {
  const number = Number(/-([1-9]\d{0,8})$/.exec(id)?.[1] ?? 1)
  return id === name || (number > 1 && id === followingName(name, number))
}

/**
 * One of the names that follow `name` which is not full, where those before it are. Where all are full up to some number, which is how they fill, it is the
 * first; it takes few questions even after thousands.
 */
export async function firstWithRoom(name: string, isFull: (id: string) => Promise<boolean>): Promise<string> {
  let full = 0
  let open = 1
  while (await isFull(followingName(name, open))) [full, open] = [open, open * 2]
  while (open - full > 1) {
    const middle = Math.floor((full + open) / 2)
    if (await isFull(followingName(name, middle))) full = middle
    else open = middle
  }
  return followingName(name, open)
}
