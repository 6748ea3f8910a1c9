/** In which order groups of trajectories are listed. */
export const groupOrders = ['spread', 'reward', 'request'] as const
export type GroupOrder = (typeof groupOrders)[number]
