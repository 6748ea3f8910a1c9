/** Costs below this are written as less than this. */
const least = 0.000001

/** Dollars as a readable text. Small costs have two significant digits. */
export function formatCost(cost: number): string {
  if (cost > 0 && cost < least) return '<$0.000001'
  return exactCost(cost)
}

function exactCost(cost: number): string {
  if (cost === 0) return '$0'
  const digits = Math.abs(cost) >= 0.1 ? 2 : Math.min(12, 1 - Math.floor(Math.log10(Math.abs(cost))))
  return `$${cost.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** Dollars as a value of an axis: whole ones without cents, and no zeros beyond cents. */
export const shortCost = (cost: number) => exactCost(cost).replace(/\.00$|(?<=\.\d\d\d*?)0+$/, '')

/** A cost with the uses that it omits: those of models without a known price are counted, and never cost 0. */
export function costText(cost: number | null, unpriced: number): string {
  if (cost === null) return unpriced === 0 ? 'no data' : 'No price'
  return unpriced === 0 ? formatCost(cost) : `${formatCost(cost)} and ${unpriced.toLocaleString('en')} uses without a price`
}
