export { runNode, type NodeEnd, type NodeRun } from './run-node.ts'
export { seededRandom } from './seeded-random.ts'
export { trials } from './trials.ts'
export { createVirtualClock, type VirtualClock, type VirtualClockOptions } from './virtual-clock.ts'
