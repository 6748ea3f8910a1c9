/** The parts of the page of a queue. */
export const queueTabs = ['items', 'answers', 'people', 'about'] as const
