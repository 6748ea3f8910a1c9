export { engineEntry, startTestStores, type TestStoreOptions, type TestStores } from './test-stores.ts'
