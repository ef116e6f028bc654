import type { Migration } from 'kysely/migration'
import * as instances from './0001-instances.ts'
import * as accounts from './0002-accounts.ts'
import * as sandbox from './0003-sandbox.ts'
import * as paymentLinks from './0004-payment-links.ts'
import * as payments from './0005-payments.ts'
import * as strings from './0006-strings.ts'
import * as charges from './0007-charges.ts'
import * as events from './0008-events.ts'
import * as oauth from './0009-oauth.ts'
import * as cardTesting from './0010-card-testing.ts'
import * as disabledInstances from './0011-disabled-instances.ts'
import * as sessionsOfALink from './0012-sessions-of-a-link.ts'
import * as buckets from './0013-buckets.ts'
import * as restoredAttempts from './0014-restored-attempts.ts'
import * as foldedTexts from './0015-folded-texts.ts'
import * as attemptOwners from './0016-attempt-owners.ts'
import * as retention from './0018-retention.ts'
import * as refreshTokenRotation from './0019-refresh-token-rotation.ts'
import * as oneMethodPerCard from './0020-one-method-per-card.ts'
import * as testClocks from './0021-test-clocks.ts'
import * as unsupportedOperations from './0022-unsupported-operations.ts'
import * as wordingOfTheServer from './0024-wording-of-the-server.ts'
import * as reversals from './0025-reversals.ts'
import * as processors from './0026-processors.ts'
import * as moneyThatComesBack from './0029-money-that-comes-back.ts'
import * as retryAdvice from './0030-retry-advice.ts'
import * as setAside from './0031-set-aside.ts'
import * as mails from './0044-mails.ts'
import * as linksOfMails from './0045-links-of-mails.ts'
import * as legalEntities from './0046-legal-entities.ts'
import * as mailNotices from './0047-mail-notices.ts'
import * as usesOfTasks from './0048-uses-of-tasks.ts'
import * as roles from './0050-roles.ts'
import * as personalLinks from './0051-personal-links.ts'
import * as freeTrials from './0052-free-trials.ts'
import * as stringRevisions from './0053-string-revisions.ts'
import * as stringAcks from './0054-string-acks.ts'
import * as restrictedKeys from './0055-restricted-keys.ts'
import * as deliveriesOfAnInstance from './0056-deliveries-of-an-instance.ts'
import * as positionsOfEvents from './0059-positions-of-events.ts'
import * as secondFactors from './0063-second-factors.ts'
import * as stepUpRefund from './0064-step-up-refund.ts'
import * as totals from './0065-totals.ts'
import * as searchWords from './0066-search-words.ts'
import * as audit from './0069-audit.ts'
import * as access from './0070-access.ts'
import * as keysOfSessions from './0071-keys-of-sessions.ts'
import * as twins from './0073-twins.ts'
import * as people from './0067-people.ts'
import * as eventsAboutRecords from './0074-events-about-records.ts'
import * as keptSessions from './0075-kept-sessions.ts'
import * as preferences from './0076-preferences.ts'
import * as attention from './0077-attention.ts'
import * as linksEnding from './0078-links-ending.ts'
import * as views from './0079-views.ts'
import * as criteriaOfLinks from './0080-criteria-of-links.ts'
import * as commandLineClient from './0081-command-line-client.ts'
import * as quantities from './0032-quantities.ts'
import * as privacy from './0033-privacy.ts'
import * as chargesOfASession from './0034-charges-of-a-session.ts'
import * as deepLinks from './0036-deep-links.ts'
import * as sessionsOfDeepLinks from './0037-sessions-of-deep-links.ts'
import * as methodSetups from './0038-method-setups.ts'
import * as tasksOfDeepLinks from './0039-tasks-of-deep-links.ts'
import * as checkoutCounts from './0040-checkout-counts.ts'
import * as checkoutAlerts from './0041-checkout-alerts.ts'

/** Every schema change, in order. Append only: a released file never changes its statements. */
export const migrations: Record<string, Migration> = {
  '0001-instances': instances,
  '0002-accounts': accounts,
  '0003-sandbox': sandbox,
  '0004-payment-links': paymentLinks,
  '0005-payments': payments,
  '0006-strings': strings,
  '0007-charges': charges,
  '0008-events': events,
  '0009-oauth': oauth,
  '0010-card-testing': cardTesting,
  '0011-disabled-instances': disabledInstances,
  '0012-sessions-of-a-link': sessionsOfALink,
  '0013-buckets': buckets,
  '0014-restored-attempts': restoredAttempts,
  '0015-folded-texts': foldedTexts,
  '0016-attempt-owners': attemptOwners,
  '0018-retention': retention,
  '0019-refresh-token-rotation': refreshTokenRotation,
  '0020-one-method-per-card': oneMethodPerCard,
  '0021-test-clocks': testClocks,
  '0022-unsupported-operations': unsupportedOperations,
  '0024-wording-of-the-server': wordingOfTheServer,
  '0025-reversals': reversals,
  '0026-processors': processors,
  '0029-money-that-comes-back': moneyThatComesBack,
  '0030-retry-advice': retryAdvice,
  '0031-set-aside': setAside,
  '0032-quantities': quantities,
  '0033-privacy': privacy,
  '0034-charges-of-a-session': chargesOfASession,
  '0036-deep-links': deepLinks,
  '0037-sessions-of-deep-links': sessionsOfDeepLinks,
  '0038-method-setups': methodSetups,
  '0039-tasks-of-deep-links': tasksOfDeepLinks,
  '0040-checkout-counts': checkoutCounts,
  '0041-checkout-alerts': checkoutAlerts,
  '0044-mails': mails,
  '0045-links-of-mails': linksOfMails,
  '0046-legal-entities': legalEntities,
  '0047-mail-notices': mailNotices,
  '0048-uses-of-tasks': usesOfTasks,
  '0050-roles': roles,
  '0051-personal-links': personalLinks,
  '0052-free-trials': freeTrials,
  '0053-string-revisions': stringRevisions,
  '0054-string-acks': stringAcks,
  '0055-restricted-keys': restrictedKeys,
  '0056-deliveries-of-an-instance': deliveriesOfAnInstance,
  '0059-positions-of-events': positionsOfEvents,
  '0063-second-factors': secondFactors,
  '0064-step-up-refund': stepUpRefund,
  '0065-totals': totals,
  '0066-search-words': searchWords,
  '0067-people': people,
  '0069-audit': audit,
  '0070-access': access,
  '0071-keys-of-sessions': keysOfSessions,
  '0073-twins': twins,
  '0074-events-about-records': eventsAboutRecords,
  '0075-kept-sessions': keptSessions,
  '0076-preferences': preferences,
  '0077-attention': attention,
  '0078-links-ending': linksEnding,
  '0079-views': views,
  '0080-criteria-of-links': criteriaOfLinks,
  '0081-command-line-client': commandLineClient,
}
