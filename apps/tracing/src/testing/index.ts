export { createTestClient, startTestApp, type TestApp, type TestClient, type TestServer } from './start-test-app.ts'
