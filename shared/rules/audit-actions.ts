/** What is written into the audit log. */
export const AUDIT_ACTIONS = [
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'password.changed',
  'factor.added',
  'factor.removed',
  'recovery_codes.created',
  'recovery_code.used',
  'user.created',
  'user.changed',
  'user.disabled',
  'user.deleted',
  'invitation.created',
  'invitation.accepted',
  'secret_key.created',
  'secret_key.changed',
  'secret_key.rotated',
  'secret_key.revoked',
  'secret_key.refused',
  'grant.approved',
  'grant.ended',
  'instance.created',
  'instance.changed',
  'instance.disabled',
  'instance.enabled',
  'processor.created',
  'processor.changed',
  'processor.disabled',
  'strings.published',
  'strings.reverted',
  'webhook.created',
  'webhook.changed',
  'webhook.rotated',
  'webhook.deleted',
  'payment.refunded',
  'payment.captured',
  'payment.voided',
  'refund.decided',
  'list.exported',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** `ANONYMOUS` is who has not proved who they are, as at a sign-in that fails. */
export const AUDIT_ACTORS = ['USER', 'API_KEY', 'OAUTH', 'COMMAND_LINE', 'ANONYMOUS'] as const

export type AuditActorType = (typeof AUDIT_ACTORS)[number]
