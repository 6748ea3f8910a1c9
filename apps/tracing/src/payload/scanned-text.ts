import { JsonText } from '@heddle/core-api/internal'

/** Facts about the strings of a JSON text, including keys. */
export interface SeenStrings {
  /** False if no string begins with a reference, nor any in a JSON text within a string. */
  mayHoldRefs: boolean
  /** False where no character is written as `\u` and its number. */
  haveNumberedEscapes: boolean
}

/** A ready JSON text, with the findings of one scan. */
export class ScannedText extends JsonText {
  declare readonly source: Uint8Array
  readonly strings: SeenStrings

  constructor(source: Uint8Array, strings: SeenStrings) {
    super(source)
    this.strings = strings
  }
}
