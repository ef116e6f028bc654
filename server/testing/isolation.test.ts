import { beforeAll, describe, expect, it } from 'vitest'
import { EXPANSIONS } from '../expansions.ts'
import {
  newBrowser,
  newPlatform,
  newTokens,
  newUser,
  signIn,
  withToken,
} from '../oauth/test-oauth.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'
import { basic, startTestApp } from './app.ts'
import type { Answer, Call } from './app.ts'
import { comparable, secretsOf } from './isolation/answers.ts'
import type { Aim } from './isolation/answers.ts'
import { LISTS, criteriaFor } from './isolation/lists.ts'
import { MERCHANT_AIMS } from './isolation/merchant-aims.ts'
import { nobodysNames, payerToken } from './isolation/names.ts'
import type { Names } from './isolation/names.ts'
import { PAYER_AIMS } from './isolation/payer-aims.ts'
import { rowsOf, takeCensus } from './isolation/rows.ts'
import { makeTenant } from './isolation/tenant.ts'
