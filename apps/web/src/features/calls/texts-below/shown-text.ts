/** Input and output of a row. */
export interface RowTexts {
  input: string
  output: string
}

/** The texts of a call itself. */
export interface CallTexts extends RowTexts {
  /** Whether a person may have said the input, and whether the output is an answer. Absent where messages were not read. */
  isSpoken?: Record<keyof RowTexts, boolean>
}

/** Whether model calls below a call say more than the call. @param whole whether the call represents all below it, as a root or a turn does */
export const isSilent = (own: CallTexts, side: keyof RowTexts, whole: boolean) =>
  own[side] === '' || (whole && own.isSpoken?.[side] === false)

/** A text of a call, or of the model calls below it where they say more. */
export const shownText = (own: CallTexts, side: keyof RowTexts, { whole, below }: { whole: boolean; below: RowTexts | undefined }) =>
  (isSilent(own, side, whole) && below?.[side]) || own[side]
