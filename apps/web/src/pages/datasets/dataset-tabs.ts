/** The parts of the page of a dataset. */
export const datasetTabs = ['rows', 'versions', 'changes', 'uses', 'schema'] as const
export type DatasetTab = (typeof datasetTabs)[number]
