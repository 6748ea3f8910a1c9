/** The parts of the page of an object. */
export const objectTabs = ['value', 'code', 'history'] as const
export type ObjectTab = (typeof objectTabs)[number]
