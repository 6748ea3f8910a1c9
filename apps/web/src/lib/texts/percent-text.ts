/** A share as a percentage, such as `86.4%`. */
export const percentText = (share: number): string => `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })}%`
