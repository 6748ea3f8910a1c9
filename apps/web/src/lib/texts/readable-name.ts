import { withoutDirection } from './without-direction.ts'

/**
 * A visible name, even if no element isolates its direction, as in the title of the window: names without visible characters are replaced by words,
 * and marks that change the direction of text are removed.
 */
export const readableName = (name: string) => (/[^\p{C}\p{Z}]/u.test(name) ? withoutDirection(name) : 'no readable name')
