import { mergeTests } from '@playwright/test'
import { test as galleryTest } from './gallery-fixtures.ts'
import { test as oauthTest } from './oauth-fixtures.ts'
import { test as shopTest } from './shop-fixtures.ts'

/**
 * The test of every file. A worker serves only tests with the same fixtures of workers, so files with a
 * test of their own would each start further workers and browsers.
 */
export const test = mergeTests(shopTest, galleryTest, oauthTest)
