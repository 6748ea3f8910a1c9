/**
 * The SHA-256 hashes, in hexadecimal, that a file digest may represent: in it two signs of base64url are written as the letters X and Y. Six on
 * average; none for a text that is not a digest.
 */
export function* possibleHashes(digest: string): Generator<string> {
  if (!/^[A-Za-z0-9]{43}$/.test(digest)) return
  const folded = [...digest].flatMap((character, at) => (character === 'X' || character === 'Y' ? [at] : []))
  for (let choice = 0; choice < 2 ** folded.length; choice++) yield unfold(digest, folded, choice)
}

/** Bit n of `choice` decides whether the nth folded character was a sign instead of a letter. */
function unfold(digest: string, folded: readonly number[], choice: number): string {
  const characters = [...digest]
  folded.forEach((at, bit) => {
    if (Math.floor(choice / 2 ** bit) % 2 === 1) characters[at] = characters[at] === 'X' ? '-' : '_'
  })
  return Buffer.from(characters.join(''), 'base64url').toString('hex')
}
