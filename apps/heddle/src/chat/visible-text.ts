const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** Sampled text made safe for a terminal, piece by piece: line breaks and tabs stay, no character moves the cursor or turns the direction of text. */
export function visibleText(piece: string): string {
  return piece.replace(unseen, (character) => (character === '\n' || character === '\t' ? character : ''))
}
