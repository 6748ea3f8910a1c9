export { type WrittenForest, writtenForest } from './forest.ts'
export { settleEachNaively } from './settle-naively.ts'
