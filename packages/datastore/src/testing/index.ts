export { aBlock, aCallRow, aRefusedBlock } from './builders.ts'
export { openMemoryDatabase } from './memory-database.ts'
export { smallFolder } from './small-folder.ts'
export { engineEntry, shareTestStores, startTestStores, type TestStoreOptions, type TestStores } from './test-stores.ts'
