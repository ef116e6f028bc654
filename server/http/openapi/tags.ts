/** Descriptions of the tags, in the order of the document. */
const TAGS: Readonly<Record<string, string>> = {
  'payment-links': 'Links that lead a payer to a hosted payment page.',
  'deep-links': 'Links that many payers can use, or that lead a customer to one task.',
  checkouts: 'Sessions of payers on payment pages, as the merchant sees them.',
  'checkout-monitor': 'Counts of checkout sessions, what is stuck, and alerts.',
  payments:
    'Payments and authorizations, which can be captured, refunded and voided. Amounts are ' +
    'decimal strings in major units of the currency.',
  captures: 'Captures of authorizations.',
  refunds: 'Money that was given back.',
  reversals: 'Money that payers or their banks take back, such as disputes.',
  voids: 'Authorizations, or parts of them, that were released.',
  search: 'Records by what is known of them.',
  totals: 'Sums of payments and refunds by day or hour.',
  accounts: 'Customers of the merchant.',
  'payment-methods': 'Cards and bank accounts that customers allowed to be stored.',
  charges: 'Amounts that customers owe, with due dates.',
  contracts: 'Agreements that make charges fall due again and again.',
  strings: 'The texts of the payment page, by language and branding.',
  'string-acks': 'Stale texts that the merchant found right.',
  'string-exports': 'Texts as files for translators.',
  'string-imports': 'What a file of a translator would change.',
  'string-overrides': 'The texts that the merchant has replaced.',
  'string-revisions': 'The history of the merchant’s texts.',
  'instance-webhooks': 'Webhook endpoints of the merchant and their deliveries.',
  deliveries: 'Events on their way to webhooks.',
  events: 'Webhook events, one operation for each event type.',
  instances: 'Settings of the merchant’s instance.',
  'legal-entities': 'Who is paid in law. Payers see their names, addresses and tax numbers.',
  'legal-entity-routes': 'Rules in order, by which payments find their legal entity.',
  'secret-keys': 'Keys of the API, with or without scopes and an expiry.',
  'oauth-grants': 'Platforms that the merchant has approved.',
  audit: 'The audit log: who did what.',
  users: 'People who work for the merchant.',
  'user-sessions': 'Browsers in which users are signed in.',
  attention: 'What needs somebody’s attention.',
  timeline: 'What happened to a record, in the order of time.',
  preferences: 'How a user has set up the console.',
  views: 'Views of lists that the users of an instance share.',
  whoami: 'Who calls the API, and what the caller may do.',
  processors: 'Accounts at payment processors that the instance has connected.',
  payer:
    "Endpoints for the payer's browser. The URL of a link is its only credential; a " +
    'session is identified by its token.',
  oauth: 'How a platform gets access to the data of a merchant (OAuth 2.0, authorization code).',
  pages: 'Pages for people who sign in. Their forms hold a token and work in a browser only.',
  'processor-notices': 'Where payment processors send their notifications.',
  health: 'Probes for load balancers and orchestrators.',
  sandbox: 'The test processor. It exists only while the server has a test instance.',
}

/** Returns the used tags with their descriptions. Throws for a tag without one. */
export function describeTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const unknown = [...used].find((tag) => !Object.hasOwn(TAGS, tag))
  if (unknown !== undefined) throw new Error(`the tag ${unknown} has no description`)
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
