// Made from docs/openapi.json by `npm run client:types`. Changes are overwritten.

export interface webhooks {
  'account.anonymised': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['AccountAnonymisedEvent']
        }
      }
      responses: never
    }
  }
  'account.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['AccountCreatedEvent']
        }
      }
      responses: never
    }
  }
  'account.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['AccountUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'capture.decline': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CaptureDeclineEvent']
        }
      }
      responses: never
    }
  }
  'capture.pending': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CapturePendingEvent']
        }
      }
      responses: never
    }
  }
  'capture.success': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CaptureSuccessEvent']
        }
      }
      responses: never
    }
  }
  'capture.unresolved': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CaptureUnresolvedEvent']
        }
      }
      responses: never
    }
  }
  'charge.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ChargeCreatedEvent']
        }
      }
      responses: never
    }
  }
  'charge.paid': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ChargePaidEvent']
        }
      }
      responses: never
    }
  }
  'charge.payer_needed': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ChargePayerNeededEvent']
        }
      }
      responses: never
    }
  }
  'charge.reactivated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ChargeReactivatedEvent']
        }
      }
      responses: never
    }
  }
  'charge.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ChargeUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'charge.writtenoff': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ChargeWrittenoffEvent']
        }
      }
      responses: never
    }
  }
  'checkout.abandoned': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutAbandonedEvent']
        }
      }
      responses: never
    }
  }
  'checkout.completed': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutCompletedEvent']
        }
      }
      responses: never
    }
  }
  'checkout.expired': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutExpiredEvent']
        }
      }
      responses: never
    }
  }
  'checkout.opened': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutOpenedEvent']
        }
      }
      responses: never
    }
  }
  'checkout.submitted': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutSubmittedEvent']
        }
      }
      responses: never
    }
  }
  'checkout_monitor.alert': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutMonitorAlertEvent']
        }
      }
      responses: never
    }
  }
  'checkout_monitor.recovered': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['CheckoutMonitorRecoveredEvent']
        }
      }
      responses: never
    }
  }
  'contract.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ContractCreatedEvent']
        }
      }
      responses: never
    }
  }
  'contract.ended': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ContractEndedEvent']
        }
      }
      responses: never
    }
  }
  'contract.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ContractUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'legal_entity.archived': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['LegalEntityArchivedEvent']
        }
      }
      responses: never
    }
  }
  'legal_entity.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['LegalEntityCreatedEvent']
        }
      }
      responses: never
    }
  }
  'legal_entity.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['LegalEntityUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'legal_entity_route.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['LegalEntityRouteUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'deep_link.archived': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['DeepLinkArchivedEvent']
        }
      }
      responses: never
    }
  }
  'deep_link.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['DeepLinkCreatedEvent']
        }
      }
      responses: never
    }
  }
  'deep_link.exhausted': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['DeepLinkExhaustedEvent']
        }
      }
      responses: never
    }
  }
  'deep_link.expired': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['DeepLinkExpiredEvent']
        }
      }
      responses: never
    }
  }
  'deep_link.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['DeepLinkUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'deep_link.used': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['DeepLinkUsedEvent']
        }
      }
      responses: never
    }
  }
  'payment.cancelled': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentCancelledEvent']
        }
      }
      responses: never
    }
  }
  'payment.decline': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentDeclineEvent']
        }
      }
      responses: never
    }
  }
  'payment.pending': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentPendingEvent']
        }
      }
      responses: never
    }
  }
  'payment.scheduled': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentScheduledEvent']
        }
      }
      responses: never
    }
  }
  'payment.success': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentSuccessEvent']
        }
      }
      responses: never
    }
  }
  'payment.surplus': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentSurplusEvent']
        }
      }
      responses: never
    }
  }
  'payment.unresolved': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentUnresolvedEvent']
        }
      }
      responses: never
    }
  }
  'payment.voided': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentVoidedEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.archived': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkArchivedEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkCreatedEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.expired': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkExpiredEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.opened': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkOpenedEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.payment_failed': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkPaymentFailedEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.payment_pending': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkPaymentPendingEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.payment_success': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkPaymentSuccessEvent']
        }
      }
      responses: never
    }
  }
  'payment_link.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentLinkUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'payment_method.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentMethodCreatedEvent']
        }
      }
      responses: never
    }
  }
  'payment_method.removed': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentMethodRemovedEvent']
        }
      }
      responses: never
    }
  }
  'payment_method.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['PaymentMethodUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'processor.broken': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ProcessorBrokenEvent']
        }
      }
      responses: never
    }
  }
  'processor.created': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ProcessorCreatedEvent']
        }
      }
      responses: never
    }
  }
  'processor.disabled': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ProcessorDisabledEvent']
        }
      }
      responses: never
    }
  }
  'processor.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ProcessorUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'refund.declined': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['RefundDeclinedEvent']
        }
      }
      responses: never
    }
  }
  'refund.failed': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['RefundFailedEvent']
        }
      }
      responses: never
    }
  }
  'refund.pending': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['RefundPendingEvent']
        }
      }
      responses: never
    }
  }
  'refund.success': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['RefundSuccessEvent']
        }
      }
      responses: never
    }
  }
  'refund.unresolved': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['RefundUnresolvedEvent']
        }
      }
      responses: never
    }
  }
  'reversal.closed': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ReversalClosedEvent']
        }
      }
      responses: never
    }
  }
  'reversal.opened': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ReversalOpenedEvent']
        }
      }
      responses: never
    }
  }
  'reversal.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['ReversalUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'strings.updated': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['StringsUpdatedEvent']
        }
      }
      responses: never
    }
  }
  'void.declined': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['VoidDeclinedEvent']
        }
      }
      responses: never
    }
  }
  'void.pending': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['VoidPendingEvent']
        }
      }
      responses: never
    }
  }
  'void.unresolved': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['VoidUnresolvedEvent']
        }
      }
      responses: never
    }
  }
  'webhook.disabled': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['WebhookDisabledEvent']
        }
      }
      responses: never
    }
  }
  'webhook.test': {
    post: {
      requestBody: {
        content: {
          'application/json': components['schemas']['WebhookTestEvent']
        }
      }
      responses: never
    }
  }
}
export interface components {
  schemas: {
    /** @description A customer of the merchant. */
    Account: {
      /**
       * @description Account id; begins with `acc_`.
       * @example acc_1893499200000_0a1b2c3d4e5f6g7h
       */
      id: string
      /**
       * @description Your identifier of the customer. Several accounts may share one; it then selects the most recently updated account. Equal to `id` if none was given.
       * @example customer-7
       */
      crm_key: string
      /** @description First name; null if unknown. */
      first_name: string | null
      /** @description Last name; null if unknown. */
      last_name: string | null
      /** @description Company; null if unknown. */
      company: string | null
      /** @description E-mail address as it was given: it is not checked, and may be invalid. */
      email: string | null
      /** @description Phone number as it was given, in any format. */
      phone: string | null
      /** @description Postal address; null if unknown. */
      address: {
        /**
         * @description First line: street and number.
         * @example 12 rue des Lilas
         */
        line1?: string | null
        /** @description Second line. */
        line2?: string | null
        /** @description Third line. */
        line3?: string | null
        /**
         * @description City or town.
         * @example Lyon
         */
        line4?: string | null
        /**
         * @description Post or ZIP code.
         * @example 69003
         */
        line5?: string | null
        /**
         * @description State or province, as an ISO 3166-2 code.
         * @example FR-ARA
         */
        line6?: string | null
        /**
         * @description Country, ISO 3166-1 alpha-2.
         * @example FR
         */
        country?: string | null
      } | null
      /** @description Your own key-value pairs; `{}` if there are none. Payers never see them. */
      metadata: {
        [key: string]: string
      }
      /**
       * @description Your own tags or references, separated by commas, by which lists can be searched.
       * @example vip,newsletter
       */
      tags: string | null
      /**
       * @description Language tag of the customer. A payment link that names the account by its id is shown in this language, if the instance offers it.
       * @example fr-CH
       */
      locale: string | null
      /** @description IANA time zone of the customer. Contracts of the account count days and months in it, and payment links that name the account by its id show times in it. */
      timezone: string | null
      /** @description Sales channel that the account came from; null if there is none. */
      channel: string | null
      /** @description Division that looks after the account; null if there is none. */
      division: string | null
      /** @description CRM system that the account came from; null if there is none. */
      crm: string | null
      /** @description Whether notices that are not required, such as about a card that expires soon, are mailed to the customer. Customers refuse them by a link in the mail. */
      mail_notices: boolean
      /**
       * @description `PENDING`: made by the payment page, which has neither been paid on nor saved a method yet. `ACTIVE`: in use. `ARCHIVED`: no longer in use; new payments and links of it are refused.
       * @enum {string}
       */
      status: 'PENDING' | 'ACTIVE' | 'ARCHIVED'
      /**
       * Format: date-time
       * @description When what identifies the customer was removed for good; null if it was not.
       * @example 2030-01-31T09:00:00.000Z
       */
      anonymised: string | null
      /** @description When the account last paid successfully; null before the first time. */
      last_transacted: string | null
      /** @description The transaction of that payment. Expandable. */
      last_transaction: string | components['schemas']['Transaction'] | null
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description What identified a customer was removed for good. */
    AccountAnonymisedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description What identified a customer was removed for good.
         * @constant
         */
        type: 'account.anonymised'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          account: components['schemas']['Account']
        }
      }
    }
    /** @description An account was created. */
    AccountCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description An account was created.
         * @constant
         */
        type: 'account.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          account: components['schemas']['Account']
        }
      }
    }
    /** @description Details of a customer, by which an account is found and changed, or created. */
    AccountDetails: {
      /**
       * @description Your identifier of the customer. The most recently updated account with it is used and updated with the other members; if there is none, an account is created.
       * @example customer-7
       */
      crm_key?: string | null
      /** @description First name, up to 1,000 characters. */
      first_name?: string | null
      /** @description Last name, up to 1,000 characters. */
      last_name?: string | null
      /** @description Company, up to 1,000 characters. */
      company?: string | null
      /**
       * @description E-mail address. It is kept as it is, even if it is invalid.
       * @example ada@example.com
       */
      email?: string | null
      /**
       * @description Phone number in any format.
       * @example +33 1 23 45 67 89
       */
      phone?: string | null
      /** @description Postal address. An update changes only the lines that it names. */
      address?: {
        /**
         * @description First line: street and number.
         * @example 12 rue des Lilas
         */
        line1?: string | null
        /** @description Second line. */
        line2?: string | null
        /** @description Third line. */
        line3?: string | null
        /**
         * @description City or town.
         * @example Lyon
         */
        line4?: string | null
        /**
         * @description Post or ZIP code.
         * @example 69003
         */
        line5?: string | null
        /**
         * @description State or province, as an ISO 3166-2 code.
         * @example FR-ARA
         */
        line6?: string | null
        /**
         * @description Country, ISO 3166-1 alpha-2.
         * @example FR
         */
        country?: string | null
      } | null
      /**
       * @description Your own key-value pairs: up to 50, 16,384 characters as JSON. An update replaces all of them.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: string
      } | null
      /**
       * @description Your own tags or references, separated by commas.
       * @example vip,newsletter
       */
      tags?: string | null
      /**
       * @description Language tag. A payment link that names the account by its id is shown in this language, if the instance offers it.
       * @example fr-CH
       */
      locale?: string | null
      /**
       * @description IANA time zone. Contracts of the account count days and months in it, and payment links that name the account by its id show times in it.
       * @example Europe/Paris
       */
      timezone?: string | null
      /**
       * @description The channel through which the account came. One that a payment makes gets the channel of the payment.
       * @example web-shop
       */
      channel?: string | null
      /**
       * @description The part of your company that the account belongs to.
       * @example north
       */
      division?: string | null
      /**
       * @description The system that crm_key is a key of.
       * @example salesforce
       */
      crm?: string | null
    }
    /** @description An account was changed. */
    AccountUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description An account was changed.
         * @constant
         */
        type: 'account.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          account: components['schemas']['Account']
        }
      }
    }
    /** @description Who acted (API, payment page or server) and from where. */
    ActorSession: {
      /**
       * @description Actor session id; begins with `ses_`.
       * @example ses_1893499200000_9j0k1l2m3n4o5p6q
       */
      id: string
      /**
       * @description How the caller was identified: secret key (`API_KEY`), OAuth token (`OAUTH`), user with a password (`USER`), checkout session (`CHECKOUT`), or the server itself (`SYSTEM`).
       * @enum {string}
       */
      type: 'API_KEY' | 'OAUTH' | 'USER' | 'CHECKOUT' | 'SYSTEM'
      /** @description Id of the user; null if the caller was not a user. */
      user: string | null
      /** @description The OAuth client (platform); null if no token was used. */
      client_id: string | null
      /** @description The checkout session through which the payer acted; null for every other type. */
      checkout: string | null
      /** @description IP address of the caller; null for the server itself and if unknown. */
      ip: string | null
      /** @description The `User-Agent` header of the caller, shortened to 512 characters; null if none was sent. */
      user_agent: string | null
      /**
       * Format: date-time
       * @description When the session was first seen. The same caller at the same address shares one session for a day (UTC).
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
    }
    /** @description An alert that went on or off, and why. */
    AlertChange: {
      alert: components['schemas']['CheckoutAlert']
      /**
       * @description What was measured: a rate as a decimal string, or a number.
       * @example 0.6500
       */
      value: string | number
      /**
       * @description Of how many sessions, as for `minimum`; null for `UNRESOLVED`.
       * @example 40
       */
      sessions: number | null
    }
    /** @description Body of a request that anonymises an account. */
    AnonymiseAccount: Record<string, never>
    /** @description What needs attention in an instance. */
    Attention: {
      /** @description Payments whose outcome has been unknown for more than a minute. Null for a caller who may not list them. */
      unresolved: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Refunds that somebody has to make outside Checkstand, and to record. Null for a caller who may not list them. */
      manual_refunds: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Disputes and inquiries that have not been decided. Null for a caller who may not list them. */
      open_disputes: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Active charges that were collected three times or more. Null for a caller who may not list them. */
      failed_charges: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Payment links that are not paid and expire within 48 hours. Null for a caller who may not list them. */
      links_ending: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Webhooks whose last delivery failed. Null for a caller who may not list them. */
      failing_webhooks: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Processors that refuse their key. Null for a caller who may not list them. */
      broken_processors: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Secret keys that expire within a week. Null for a caller who may not list them. */
      expiring_keys: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Owners without a second factor. Null for a caller who may not list them. */
      owners_without_factor: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
      /** @description Texts that may no longer say what they should, in all languages and brandings. Null for a caller who may not list them. */
      stale_strings: {
        /**
         * @description How many there are, at most 1000.
         * @example 2
         */
        count: number
        /**
         * @description Path and query that list them, relative to the instance. For stale texts the list of one language and branding.
         * @example /payments?criteria=status%3DUNRESOLVED
         */
        list: string | null
      } | null
    }
    /** @description An entry of the audit log, which is never changed. */
    AuditEntry: {
      /**
       * @description Id of the entry; begins with `aud_`.
       * @example aud_1893499200000_3n4o5p6q7r8s9t0u
       */
      id: string
      /**
       * Format: date-time
       * @description When it was done.
       * @example 2030-01-31T09:00:00.000Z
       */
      at: string
      /** @description Who did it. */
      actor: {
        /**
         * @description Whether a user did it, a secret key, a platform with a token, or an operator on the command line. `ANONYMOUS` is a person who has not proved who they are.
         * @enum {string}
         */
        type: 'USER' | 'API_KEY' | 'OAUTH' | 'COMMAND_LINE' | 'ANONYMOUS'
        /**
         * @description Id of the user, the secret key or the platform; null for the command line and for anonymous persons.
         * @example usr_1893499200000_3n4o5p6q7r8s9t0u
         */
        id: string | null
        /**
         * @description What the actor was called then: the e-mail of a user, the name of a secret key or platform, the account of the operating system on the command line.
         * @example ada@shop.example
         */
        name: string | null
      }
      /**
       * @description What was done.
       * @example secret_key.created
       * @enum {string}
       */
      action:
        | 'sign_in.succeeded'
        | 'sign_in.failed'
        | 'session.ended'
        | 'password.changed'
        | 'factor.added'
        | 'factor.removed'
        | 'recovery_codes.created'
        | 'recovery_code.used'
        | 'user.created'
        | 'user.changed'
        | 'user.disabled'
        | 'user.deleted'
        | 'invitation.created'
        | 'invitation.accepted'
        | 'secret_key.created'
        | 'secret_key.changed'
        | 'secret_key.rotated'
        | 'secret_key.revoked'
        | 'secret_key.refused'
        | 'grant.approved'
        | 'grant.ended'
        | 'instance.created'
        | 'instance.changed'
        | 'instance.disabled'
        | 'instance.enabled'
        | 'processor.created'
        | 'processor.changed'
        | 'processor.disabled'
        | 'strings.published'
        | 'strings.reverted'
        | 'webhook.created'
        | 'webhook.changed'
        | 'webhook.rotated'
        | 'webhook.deleted'
        | 'payment.refunded'
        | 'payment.captured'
        | 'payment.voided'
        | 'refund.decided'
        | 'list.exported'
      /**
       * @description Id of the record that it was done to; null if there is none.
       * @example key_1893499200000_3n4o5p6q7r8s9t0u
       */
      about: string | null
      /**
       * @description Network address that it came from; null if it is not known.
       * @example 203.0.113.7
       */
      ip: string | null
      /**
       * @description What else is known, such as the names of changed members. It has no values of secrets.
       * @example {
       *       "members": [
       *         "name",
       *         "expires"
       *       ]
       *     }
       */
      detail: {
        [key: string]: string | number | boolean | null | string[]
      }
    }
    /** @description Another name and look of the payment page, for some sales channels. */
    Branding: {
      /**
       * @description Key of the branding: small letters, digits, `-` and `_`. Strings and the page name the branding by it.
       * @example kids
       */
      key: string
      /**
       * @description Name that payers see in place of that of the instance.
       * @example Corner Shop Kids
       */
      name: string
      /**
       * @description Values of `options.channel` whose payment links show this branding.
       * @default []
       * @example [
       *       "kids-web"
       *     ]
       */
      channels: string[]
      /**
       * @description HTTPS address of a picture, shown at the top of the page; null for the first letter of the name.
       * @default null
       * @example https://shop.example/kids.svg
       */
      logo: string | null
      /**
       * @description Colors and corners; null for those of the instance.
       * @default null
       */
      theme: components['schemas']['Theme'] | null
    }
    /** @description Another name and look of the payment page, for some sales channels. */
    BrandingInput: {
      /**
       * @description Key of the branding: small letters, digits, `-` and `_`. Strings and the page name the branding by it.
       * @example kids
       */
      key: string
      /**
       * @description Name that payers see in place of that of the instance.
       * @example Corner Shop Kids
       */
      name: string
      /**
       * @description Values of `options.channel` whose payment links show this branding.
       * @example [
       *       "kids-web"
       *     ]
       */
      channels?: string[]
      /**
       * @description HTTPS address of a picture, shown at the top of the page; null for the first letter of the name.
       * @example https://shop.example/kids.svg
       */
      logo?: string | null
      /** @description Colors and corners; null for those of the instance. */
      theme?: components['schemas']['ThemeInput'] | null
    }
    /** @description A capture was declined. */
    CaptureDeclineEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A capture was declined.
         * @constant
         */
        type: 'capture.decline'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          capture: components['schemas']['Payment']
        }
      }
    }
    /** @description Body of a request that captures an authorization. Without one, all that is open is captured. */
    CapturePayment: {
      /** @description How much to capture. Left out or `{}`, all that is open. */
      capture?: {
        /**
         * @description Amount to capture, in major units; the whole open amount if omitted.
         * @example 10.00
         */
        amount?: string | null
        /**
         * @description Currency of the authorization. Any other is refused.
         * @example EUR
         */
        currency?: string | null
        /** @description True: the remaining amount is released. */
        final?: boolean | null
        /**
         * @description Your reference of the capture; that of the authorization if omitted.
         * @example order-1001
         */
        alt_key?: string | null
        /** @description Description of the capture; that of the authorization if omitted. */
        description?: string | null
      } | null
    }
    /** @description A capture was accepted; its outcome is decided later. */
    CapturePendingEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A capture was accepted; its outcome is decided later.
         * @constant
         */
        type: 'capture.pending'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          capture: components['schemas']['Payment']
        }
      }
    }
    /** @description A capture succeeded. */
    CaptureSuccessEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A capture succeeded.
         * @constant
         */
        type: 'capture.success'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          capture: components['schemas']['Payment']
        }
      }
    }
    /** @description The outcome of a capture is unknown; the server keeps querying the processor. */
    CaptureUnresolvedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The outcome of a capture is unknown; the server keeps querying the processor.
         * @constant
         */
        type: 'capture.unresolved'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          capture: components['schemas']['Payment']
        }
      }
    }
    /** @description Which strings were changed. */
    ChangedStrings: {
      /** @description The language that was written, or default. */
      language: string
      /** @description Key of the branding; null for none. */
      branding: string | null
      /** @description Ids of the changed strings. */
      ids: string[]
    }
    /** @description Body of a request that changes a contract. */
    ChangeTaskContract: {
      /**
       * @description What to do with the contract; the deep link has to allow it.
       * @example PAUSE
       * @enum {string}
       */
      change: 'CANCEL' | 'PAUSE' | 'RESUME'
    }
    /** @description An amount that a customer owes, and when. */
    Charge: {
      /**
       * @description Charge id; begins with `cg_`.
       * @example cg_1893499200000_1b2c3d4e5f6g7h8i
       */
      id: string
      /**
       * @description Your reference, taken over from the payment request; null if there was none. Several charges may share one.
       * @example order-1001
       */
      alt_key: string | null
      /** @description The customer; null if the payment request had none. Expandable. */
      account: string | components['schemas']['Account'] | null
      /** @description The contract that made the charge; null for a single one. Expandable. */
      contract: string | components['schemas']['Contract'] | null
      /** @description The legal entity to which it is owed; null while the instance has no legal entities. Expandable. */
      legal_entity: string | components['schemas']['LegalEntity'] | null
      /** @description The payment link that last paid the charge or a part of it; null if there is none. */
      payment_link: string | null
      /**
       * @description Total amount owed, in major units, including paid parts.
       * @example 24.00
       */
      amount: string
      /**
       * @description Currency of all amounts of the charge, ISO 4217.
       * @example EUR
       */
      currency: string
      /**
       * @description Amount paid, in major units. Refunds do not lower it, so that refunded money is not collected again.
       * @example 24.00
       */
      paid_amount: string
      /**
       * @description Amount refunded of `paid_amount`, in major units.
       * @example 0.00
       */
      refunded_amount: string
      /**
       * @description Amount still owed, in major units: `amount` less `paid_amount`.
       * @example 0.00
       */
      outstanding_amount: string
      /**
       * Format: date-time
       * @description When the charge is to be paid; null for one without a date, which the server does not collect.
       * @example 2030-01-31T09:00:00.000Z
       */
      due: string | null
      /**
       * @description `Y` for a charge of a contract, `N` for a single one.
       * @enum {string}
       */
      recurring: 'Y' | 'N'
      /**
       * @description `ACTIVE`: something is outstanding. `WRITTENOFF`: not collected any more. `PAID`: nothing is outstanding. `CANCELLED`: its contract was cancelled before it was paid.
       * @enum {string}
       */
      status: 'ACTIVE' | 'WRITTENOFF' | 'PAID' | 'CANCELLED'
      /** @description Description from the payment request; null if there was none. */
      description: string | null
      /** @description The stored method that the server collects the charge from; null if the contract's method is used, or there is none. Expandable. */
      payment_method: string | components['schemas']['PaymentMethod'] | null
      /** @description Id of the last payment that was for this charge; null before the first. */
      last_payment: string | null
      /** @description How often the server has tried to collect the charge by itself. Payments by request do not count. */
      attempts: number
      /**
       * Format: date-time
       * @description When the server next collects the charge; null if no collection is planned.
       * @example 2030-01-31T09:00:00.000Z
       */
      next_attempt: string | null
      /**
       * @description Why the server does not collect a declined charge again: `NEVER`, because the method must not be charged again; `WITH_PAYER`, because the bank wants the customer to confirm. Null otherwise. A new `due`, or another method of the contract, resumes collection.
       * @enum {string|null}
       */
      retry_advice: 'NEVER' | 'WITH_PAYER' | null
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A charge was created. */
    ChargeCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A charge was created.
         * @constant
         */
        type: 'charge.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          charge: components['schemas']['Charge']
        }
      }
    }
    /** @description A charge was paid in full. */
    ChargePaidEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A charge was paid in full.
         * @constant
         */
        type: 'charge.paid'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          charge: components['schemas']['Charge']
        }
      }
    }
    /** @description A collection was declined because the bank wants the customer to confirm; ask the customer to pay. */
    ChargePayerNeededEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A collection was declined because the bank wants the customer to confirm; ask the customer to pay.
         * @constant
         */
        type: 'charge.payer_needed'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          charge: components['schemas']['Charge']
        }
      }
    }
    /** @description A charge that was written off is collectable again. */
    ChargeReactivatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A charge that was written off is collectable again.
         * @constant
         */
        type: 'charge.reactivated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          charge: components['schemas']['Charge']
        }
      }
    }
    /** @description A charge was changed. */
    ChargeUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A charge was changed.
         * @constant
         */
        type: 'charge.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          charge: components['schemas']['Charge']
        }
      }
    }
    /** @description A charge was written off. */
    ChargeWrittenoffEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A charge was written off.
         * @constant
         */
        type: 'charge.writtenoff'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          charge: components['schemas']['Charge']
        }
      }
    }
    /** @description The content of the payment page. */
    Checkout: {
      /**
       * @description Checkout session id; begins with `ck_`.
       * @example ck_1893499200000_8i9j0k1l2m3n4o5p
       */
      id: string | null
      /**
       * Format: date-time
       * @description Current time by the clock of the instance; null before a session is open.
       * @example 2030-01-31T09:00:00.000Z
       */
      now: string | null
      /** @description Id of the payment link; null on a deep link before the first attempt. */
      payment_link: string | null
      /**
       * @description Path of the deep link on which the payer of a paid link can pay again; otherwise omitted.
       * @example /go/donate
       */
      deep_link?: string
      /** @description Who is paid, as it was when the session was opened or the link was paid. Omitted while that is not known and if the instance has no legal entities. */
      legal_entity?: {
        /**
         * @description Its name in law.
         * @example Atelier Nord SAS
         */
        legal_name: string
        /**
         * @description Lines of its address, the last one with the country.
         * @example [
         *       "12 rue des Lilas",
         *       "69003 Lyon",
         *       "France"
         *     ]
         */
        address: string[]
        /**
         * @description Its register and number.
         * @example RCS Lyon, 303 265 045
         */
        registration: string | null
        /** @description Its tax numbers. */
        tax_ids: {
          /**
           * @description Type of the number.
           * @example VAT
           */
          type: string
          /**
           * @description The number.
           * @example FR40303265045
           */
          value: string
        }[]
        /** @description E-mail address; null if there is none. */
        email: string | null
        /** @description Phone number; null if there is none. */
        phone: string | null
        /** @description Page with the legal notice; null if there is none. */
        url: string | null
        /** @description Page with the terms; null if there is none. */
        terms_url: string | null
        /** @description Page with the privacy policy; null if there is none. */
        privacy_url: string | null
        /** @description Plain text below receipts; null if there is none. */
        receipt_footer: string | null
      }
      /**
       * @description Name of the merchant or branding, fixed when the session was opened.
       * @example Corner Shop
       */
      merchant: string
      /**
       * @description As in the record of the session; a link that was paid elsewhere is `COMPLETED` or `PENDING` here too.
       * @enum {string}
       */
      status: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED' | 'ABANDONED'
      /** @description Version of the options that the checkout shows, to be sent with a payment. */
      options_v: number
      /**
       * Format: date-time
       * @description When the session ends; null before it is opened.
       * @example 2030-01-31T09:00:00.000Z
       */
      expires: string | null
      /**
       * @description Language of `strings`: two letters, or `default`.
       * @example fr
       */
      language: string
      /**
       * @description Direction in which that language is written.
       * @enum {string}
       */
      direction: 'ltr' | 'rtl'
      /** @description Key of the branding; null for the look of the instance itself. */
      branding: string | null
      /** @description IANA time zone of dates; null if the browser decides. */
      timezone: string | null
      /** @description SHA-256 (hex) of `strings`. */
      strings_hash: string
      /** @description Strings of the page by id, fixed when the session was opened, without those that the page already has (`known_strings`). */
      strings: {
        [key: string]: string
      }
      /** @description The terms of the payment and which of them the payer may change. */
      terms: {
        /**
         * @description Name of the link, or of the instance if the link has none.
         * @example Two bags of coffee
         */
        name: string
        /** @description Introduction to show as plain text; null if there is none. */
        intro: string | null
        /**
         * @description Amount in major units, for one if the payer chooses a quantity; null if the payer types it.
         * @example 24.00
         */
        amount: string | null
        /** @description Whether the payer may change the amount, also by choosing a quantity. */
        amount_editable: boolean
        /** @description What the payer may choose to pay; omitted if the amount is fixed or without limits. */
        choice?: {
          /**
           * @description Smallest amount in major units; omitted without a limit.
           * @example 5.00
           */
          amount_min?: string
          /**
           * @description Largest amount in major units; omitted without a limit.
           * @example 500.00
           */
          amount_max?: string
          /**
           * @description Amounts to offer beside a field for another one.
           * @example [
           *       "10.00",
           *       "25.00",
           *       "50.00"
           *     ]
           */
          amount_presets?: string[]
          /**
           * @description Price of one, if the payer chooses a quantity.
           * @example 12.00
           */
          unit_amount?: string
          /**
           * @description How many the payer may choose at most.
           * @example 8
           */
          quantity_max?: number
        }
        /**
         * @description Currency of the amount, ISO 4217.
         * @example EUR
         */
        currency: string
        /**
         * @description Decimal places of the currency.
         * @example 2
         */
        currency_digits: number
        /** @description Reference; null if there is none yet. */
        alt_key: string | null
        /** @description Whether the payer may change the reference. */
        alt_key_editable: boolean
        /** @description Comment; null if there is none. */
        description: string | null
        /** @description Whether the payer may change the comment. */
        description_editable: boolean
        /** @description Whether the payer may add a comment beside the fixed one. */
        comment_allowed: boolean
        /**
         * Format: date-time
         * @description When the link expires; null if it does not expire.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires: string | null
        /** @description How often the amount is charged. Omitted if it is charged once. */
        recurring?: {
          /**
           * @description Unit of time between two charges.
           * @enum {string}
           */
          frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
          /**
           * @description Number of units between two charges.
           * @example 1
           */
          interval: number
          /**
           * @description How many charges there are in all, the first included; null for no limit.
           * @example 12
           */
          count: number | null
          /**
           * Format: date-time
           * @description The last moment at which a charge may fall due; null for no limit.
           * @example 2030-01-31T09:00:00.000Z
           */
          until: string | null
          /**
           * @description Days of the free period before the first charge; omitted if there is none.
           * @example 14
           */
          trial_days?: number
        }
        /** @description The charges that the payment is for, whose sum is `amount`; empty when nothing is left to pay. Omitted if the link names no charges. */
        charges?: {
          /**
           * @description Description of the charge, else its `alt_key`; null if it has neither.
           * @example March 2031
           */
          name: string | null
          /**
           * Format: date-time
           * @description When the charge is to be paid; null for one without a date.
           * @example 2030-01-31T09:00:00.000Z
           */
          due: string | null
          /**
           * @description What the payment pays of the charge, in major units.
           * @example 12.00
           */
          amount: string
        }[]
      }
      /** @description Which details of the payer are requested. */
      details: {
        /** @description Whether details are requested; false if the link names an account. */
        needed: boolean
        /** @description Initial values of the fields. */
        prefill: {
          /** @description First name from the options of the link. */
          first_name?: string
          /** @description Last name from the options of the link. */
          last_name?: string
          /** @description E-mail address from the options of the link. */
          email?: string
          /** @description Phone number from the options of the link. */
          phone?: string
          /** @description Lines of the address from the options of the link, by their names. */
          address?: {
            [key: string]: string
          }
        }
      }
      /** @description The choice to store a new method. */
      save_card: {
        /** @description Whether the payer has the choice. */
        show: boolean
        /** @description Whether the checkbox is ticked at first. */
        initial: boolean
        /** @description Whether a sentence of consent is shown in place of a checkbox: the method will be stored. */
        consent: boolean
      }
      /** @description New methods that the payer can use. Empty once the link is paid or being paid. */
      methods: {
        /**
         * @description Type of the method.
         * @example CARD
         */
        type: string
        /**
         * @description Processor of the method.
         * @example sandbox
         */
        processor: string
        /** @description Whether it can be stored for later payments. */
        storable: boolean
        /** @description Whether it can be used only by storing it. */
        token_first: boolean
        /** @description Whether the outcome is usually known later, as with direct debit. */
        async: boolean
        /**
         * @description `FRAMES`: the number is entered in frames of the processor. Omitted if the page has fields of its own, and if the payer enters everything at their bank.
         * @enum {string}
         */
        fields?: 'FRAMES'
        /** @description Details that the payer has to enter for this method; a first or last name is a name. Omitted if there are none. */
        needs?: ('name' | 'email' | 'country')[]
      }[]
      /** @description Before the payment: the stored methods of the link's account that are offered. After the payment: the method saved in this session, until the session expires. */
      saved_methods: {
        /**
         * @description Payment method id; begins with `pm_`.
         * @example pm_1893499200000_4e5f6g7h8i9j0k1l
         */
        id: string
        /**
         * @description Type of the method.
         * @example CARD
         */
        type: string
        /**
         * @description Brand of the card; null for other methods.
         * @example visa
         */
        brand: string | null
        /**
         * @description Last four characters of its number.
         * @example 4242
         */
        last4: string | null
        /**
         * @description Month in which the card expires, 1 to 12; null for other methods.
         * @example 12
         */
        exp_month: number | null
        /**
         * @description Year in which the card expires; null for other methods.
         * @example 2030
         */
        exp_year: number | null
        /**
         * @description How a payment with this card takes its security code. TOKEN: as a token that the script of `processor` makes. NONE: not at all. Omitted if it takes the digits.
         * @enum {string}
         */
        csc?: 'TOKEN' | 'NONE'
        /**
         * @description Processor of the card; omitted unless `csc` is TOKEN.
         * @example pr_1893499200000_2b3c4d5e6f7g8h9i
         */
        processor?: string
        /** @description True if the payer may remove the method, because it was saved in this session. */
        removable?: boolean
      }[]
      /** @description The result of the payment; null before the first attempt. */
      result: {
        /**
         * @description `CHECKING`: the outcome is unknown, and the link cannot be paid meanwhile. `BUSY`: the link is being paid in another session. The others are as in the response to a submit.
         * @enum {string}
         */
        outcome: 'COMPLETED' | 'PENDING' | 'CHECKING' | 'DECLINED' | 'ACTION' | 'BUSY'
        /**
         * @description Reference of the payment for the customer; null for `BUSY` and for a free trial.
         * @example 7KQM-4X9T-PWRD
         */
        reference: string | null
        /**
         * @description Your reference of the payment, or the one that the payer entered; null if there is none.
         * @example order-1001
         */
        alt_key: string | null
        /**
         * @description Amount in major units, zero for a free trial; null for `BUSY` if the payer chooses it.
         * @example 24.00
         */
        amount: string | null
        /**
         * @description How many the payer bought; omitted if the link asks for no quantity.
         * @example 3
         */
        quantity?: number
        /**
         * @description Price of one in major units; omitted if the link asks for no quantity.
         * @example 8.00
         */
        unit_amount?: string
        /**
         * @description Comment of the payment, for the session that paid also one that its payer entered; omitted if there is none.
         * @example Two places on Saturday
         */
        description?: string
        /** @description Currency of the amount, ISO 4217. */
        currency: string
        /**
         * @description Decimal places of the currency.
         * @example 2
         */
        currency_digits: number
        /**
         * Format: date-time
         * @description When the payment was decided, or else begun.
         * @example 2030-01-31T09:00:00.000Z
         */
        date: string
        /** @description Page of the merchant for this outcome, with its parameters; null if there is none, and for other sessions than the one that paid. */
        redirect: string | null
        /** @description Id of the transaction, for the session that paid; otherwise null. */
        transaction: string | null
        /** @description Id of the account, for the session that paid; otherwise null. */
        account: string | null
        /** @description Whether the payer leaves for `redirect` without a receipt. */
        skip_receipt: boolean
        /** @description Text of the merchant for the receipt, as plain text; null for the built-in text. */
        message: string | null
        /**
         * @description Id of the string for the decline reason or the pending action; otherwise null.
         * @example errors.declined
         */
        message_id: string | null
        /**
         * @description Address to which the receipt is sent, masked, for the session that paid; null if none is sent.
         * @example a•••@example.com
         */
        receipt_to: string | null
        /** @description The method used, for the session that paid; otherwise null. */
        method: {
          /**
           * @description Type of the method.
           * @example CARD
           */
          type: string
          /**
           * @description Brand of the card; null if unknown.
           * @example visa
           */
          brand: string | null
          /**
           * @description Last four characters of its number; null if unknown.
           * @example 4242
           */
          last4: string | null
        } | null
        /** @description The contract that the payment or free trial began, for the session that did. Omitted if there is none. */
        recurring?: {
          /**
           * @description Unit of time between two charges.
           * @enum {string}
           */
          frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
          /**
           * @description Number of units between two charges.
           * @example 1
           */
          interval: number
          /**
           * @description How many charges there are in all, the first included; null for no limit.
           * @example 12
           */
          count: number | null
          /**
           * Format: date-time
           * @description The last moment at which a charge may fall due; null for no limit.
           * @example 2030-01-31T09:00:00.000Z
           */
          until: string | null
          /**
           * @description Days of the free period before the first charge; omitted if there is none.
           * @example 14
           */
          trial_days?: number
          /**
           * @description Amount of each charge, in major units.
           * @example 9.00
           */
          amount: string
          /**
           * Format: date-time
           * @description When the next charge is due, after a free trial the first one; null after the last.
           * @example 2030-01-31T09:00:00.000Z
           */
          next_due: string | null
        }
        /** @description The charges that the payment was for, for the session that paid. Omitted if there are none. */
        charges?: {
          /**
           * @description Description of the charge, else its `alt_key`; null if it has neither.
           * @example March 2031
           */
          name: string | null
          /**
           * Format: date-time
           * @description When the charge is to be paid; null for one without a date.
           * @example 2030-01-31T09:00:00.000Z
           */
          due: string | null
          /**
           * @description What the payment pays of the charge, in major units.
           * @example 12.00
           */
          amount: string
        }[]
        /** @description The next action of the payer, for `ACTION`; otherwise null. */
        action: {
          /**
           * @description `REDIRECT`: the payer opens `url`.
           * @constant
           */
          type: 'REDIRECT'
          /**
           * @description Confirmation page of the bank.
           * @example https://bank.example/confirm/8f3a
           */
          url: string
          /** @description True if that page may be shown inside an embedded checkout; omitted if it needs the whole window. */
          in_frame?: boolean
        } | null
      } | null
    }
    /** @description A checkout session ended unpaid after its payer had begun. */
    CheckoutAbandonedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A checkout session ended unpaid after its payer had begun.
         * @constant
         */
        type: 'checkout.abandoned'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout: components['schemas']['CheckoutSession']
        }
      }
    }
    /** @description An alert and whether it is on. */
    CheckoutAlert: {
      /**
       * @description Name, unique among the alerts.
       * @example Approvals fell
       */
      name: string
      /**
       * @description What is measured of the sessions that were opened in the window. `APPROVAL`: completed divided by submitted. `CONVERSION`: completed divided by opened. `SUBMITTED`: how many were submitted. `UNRESOLVED`: how many payments that were made in the window have an unknown outcome.
       * @enum {string}
       */
      measure: 'APPROVAL' | 'CONVERSION' | 'SUBMITTED' | 'UNRESOLVED'
      /**
       * @description How far it looks back; the window begins at a full five minutes.
       * @example 60
       */
      window_minutes: number
      /**
       * @description The alert is on when the measure is below; null if `above` is given.
       * @example 0.7000
       */
      below: string | number | null
      /** @description The alert is on when the measure is above; null if `below` is given. */
      above: string | number | null
      /**
       * @description The alert stays as it is while fewer sessions were submitted (`APPROVAL`) or opened (others) in the window. A rate needs at least one. Not for `UNRESOLVED`.
       * @example 20
       */
      minimum: number
      /**
       * @description Whether it is on.
       * @enum {string}
       */
      status: 'OK' | 'ALERT'
      /**
       * Format: date-time
       * @description When the status last changed; null if it never did.
       * @example 2030-01-31T09:00:00.000Z
       */
      changed: string | null
    }
    /** @description The alerts of an instance. */
    CheckoutAlerts: {
      /** @description All alerts, in the given order. */
      alerts: components['schemas']['CheckoutAlert'][]
      /** @description Actor session that first wrote the alerts; null before. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Actor session that last wrote them; null before. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the alerts were first written; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string | null
      /**
       * Format: date-time
       * @description When they were last written; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string | null
      /** @description Version of the alerts; grows by one with each write, 0 before. */
      v: number
    }
    /** @description A payment of a checkout session succeeded. */
    CheckoutCompletedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment of a checkout session succeeded.
         * @constant
         */
        type: 'checkout.completed'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout: components['schemas']['CheckoutSession']
        }
      }
    }
    /** @description A checkout session ended before its payer had begun. */
    CheckoutExpiredEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A checkout session ended before its payer had begun.
         * @constant
         */
        type: 'checkout.expired'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout: components['schemas']['CheckoutSession']
        }
      }
    }
    /** @description An alert about checkout sessions went on. */
    CheckoutMonitorAlertEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description An alert about checkout sessions went on.
         * @constant
         */
        type: 'checkout_monitor.alert'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout_monitor: components['schemas']['AlertChange']
        }
      }
    }
    /** @description An alert about checkout sessions went off. */
    CheckoutMonitorRecoveredEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description An alert about checkout sessions went off.
         * @constant
         */
        type: 'checkout_monitor.recovered'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout_monitor: components['schemas']['AlertChange']
        }
      }
    }
    /** @description A payer opened a checkout session. */
    CheckoutOpenedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payer opened a checkout session.
         * @constant
         */
        type: 'checkout.opened'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout: components['schemas']['CheckoutSession']
        }
      }
    }
    /** @description Counts of the sessions that were opened in a time. */
    CheckoutReport: {
      /**
       * Format: date-time
       * @description The beginning of the time that is counted.
       * @example 2030-01-31T09:00:00.000Z
       */
      from: string
      /**
       * Format: date-time
       * @description Its end, which is no longer counted.
       * @example 2030-01-31T09:00:00.000Z
       */
      to: string
      /**
       * @description The time zone in which days and hours begin.
       * @example Europe/Paris
       */
      timezone: string
      /** @description Counts of all sessions; each session counts once in each member. */
      totals: {
        /**
         * @description Sessions that were opened.
         * @example 12
         */
        opened: number
        /**
         * @description Sessions whose payer filled in all details that the link asks for.
         * @example 12
         */
        details_done: number
        /**
         * @description Sessions whose payer chose a payment method.
         * @example 12
         */
        method_chosen: number
        /**
         * @description Sessions with at least one submitted payment.
         * @example 12
         */
        submitted: number
        /**
         * @description Sessions whose payer was sent to their bank to confirm.
         * @example 12
         */
        challenged: number
        /**
         * @description Sessions that were paid.
         * @example 12
         */
        completed: number
        /**
         * @description Sessions whose payment the bank decides later, or whose outcome is unknown.
         * @example 12
         */
        pending: number
        /**
         * @description Sessions with at least one declined payment, also those that were paid later.
         * @example 12
         */
        declined: number
        /**
         * @description Sessions that ended unpaid after their payer had begun.
         * @example 12
         */
        abandoned: number
        /**
         * @description Sessions that ended before their payer had begun.
         * @example 12
         */
        expired: number
        /**
         * @description What the completed sessions paid, by currency, in major units.
         * @example {
         *       "EUR": "240.00"
         *     }
         */
        amount: {
          [key: string]: string
        }
      }
      /** @description Rates as decimals from 0 to 1 with four places. */
      rates: {
        /**
         * @description `submitted` divided by `opened`; null without sessions.
         * @example 0.8333
         */
        submit: string | null
        /**
         * @description `completed` divided by `submitted`; null without submitted sessions.
         * @example 0.8333
         */
        approval: string | null
        /**
         * @description `completed` divided by `opened`; null without sessions.
         * @example 0.8333
         */
        conversion: string | null
      }
      /**
       * @description Median of the seconds from the opening of a session to its payment: exact up to ten seconds, and within a tenth above. Null without payments.
       * @example 47
       */
      median_seconds_to_pay: number | null
      /** @description By day or hour: every one, in order. Otherwise the values with most sessions, at most 1000. */
      rows: components['schemas']['CheckoutReportRow'][]
      /**
       * @description How many values are left out of `rows`.
       * @example 12
       */
      rows_omitted: number
      /** @description Declined payments of the sessions by reason, most frequent first. */
      declines: {
        /**
         * @description Why payments were declined; `ERROR` for a failure of the processor, `CANCELLED` for a payment that its payer left.
         * @example INSUFFICIENT_FUNDS
         */
        code: string
        /**
         * @description Number of declined payments.
         * @example 12
         */
        count: number
      }[]
    }
    /** @description The counts of one day, hour or value. */
    CheckoutReportRow: {
      /**
       * @description The day, the hour with its offset, or the value; null for sessions that have none.
       * @example 2026-01-31
       */
      key: string | null
      /**
       * @description Sessions that were opened.
       * @example 12
       */
      opened: number
      /**
       * @description Sessions whose payer filled in all details that the link asks for.
       * @example 12
       */
      details_done: number
      /**
       * @description Sessions whose payer chose a payment method.
       * @example 12
       */
      method_chosen: number
      /**
       * @description Sessions with at least one submitted payment.
       * @example 12
       */
      submitted: number
      /**
       * @description Sessions whose payer was sent to their bank to confirm.
       * @example 12
       */
      challenged: number
      /**
       * @description Sessions that were paid.
       * @example 12
       */
      completed: number
      /**
       * @description Sessions whose payment the bank decides later, or whose outcome is unknown.
       * @example 12
       */
      pending: number
      /**
       * @description Sessions with at least one declined payment, also those that were paid later.
       * @example 12
       */
      declined: number
      /**
       * @description Sessions that ended unpaid after their payer had begun.
       * @example 12
       */
      abandoned: number
      /**
       * @description Sessions that ended before their payer had begun.
       * @example 12
       */
      expired: number
      /**
       * @description What the completed sessions paid, by currency, in major units.
       * @example {
       *       "EUR": "240.00"
       *     }
       */
      amount: {
        [key: string]: string
      }
      /** @description Rates as decimals from 0 to 1 with four places. */
      rates: {
        /**
         * @description `submitted` divided by `opened`; null without sessions.
         * @example 0.8333
         */
        submit: string | null
        /**
         * @description `completed` divided by `submitted`; null without submitted sessions.
         * @example 0.8333
         */
        approval: string | null
        /**
         * @description `completed` divided by `opened`; null without sessions.
         * @example 0.8333
         */
        conversion: string | null
      }
      /**
       * @description Median of the seconds from the opening of a session to its payment: exact up to ten seconds, and within a tenth above. Null without payments.
       * @example 47
       */
      median_seconds_to_pay: number | null
    }
    /** @description One visit of a payer to the page of a payment link. */
    CheckoutSession: {
      /**
       * @description Checkout session id; begins with `ck_`.
       * @example ck_1893499200000_8i9j0k1l2m3n4o5p
       */
      id: string
      /** @description The payment link that was opened, or that the first attempt on a deep link made; null before that attempt. Expandable. */
      payment_link: string | components['schemas']['PaymentLink'] | null
      /** @description The deep link that was opened; null for a payment link of its own. Expandable. */
      deep_link: string | components['schemas']['DeepLink'] | null
      /** @description The legal entity to which a payment belongs, fixed when the session was opened or, where that depends on the payer, submitted; null while the instance has no legal entities. Expandable. */
      legal_entity: string | components['schemas']['LegalEntity'] | null
      /** @description The customer of the last payment attempt; null before the first. Expandable. */
      account: string | components['schemas']['Account'] | null
      /**
       * @description `OPEN`: the payer can pay. `SUBMITTED`: a payment is under way. `COMPLETED`: paid, or the free trial has begun. `PENDING`: the bank decides later. `EXPIRED`: ended before the payer had begun. `ABANDONED`: ended unpaid after the payer had filled in details, chosen a method or tried to pay.
       * @enum {string}
       */
      status: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED' | 'ABANDONED'
      /**
       * @description Language of the page: two letters, or `default`. Fixed when the session was opened.
       * @example fr
       */
      language: string
      /** @description Key of the branding that the page shows; null for the look of the instance itself. */
      branding: string | null
      /** @description IANA time zone of dates on the page; null if the browser of the payer decides. */
      timezone: string | null
      /**
       * @description SHA-256 (hex) of the strings that the session was opened with; null once they have been deleted.
       * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
       */
      strings_hash: string | null
      /** @description Version of the options of the link that the payer last agreed to: when the session was opened, or with the last attempt. A payment by older options is not taken; the page shows the new ones first. */
      options_v: number
      /**
       * @description Amount of the last attempt, in major units: zero for a free trial. Null before the first.
       * @example 24.00
       */
      amount: string | null
      /**
       * @description How many the payer chose in the last attempt; null if the link asks for no quantity.
       * @example 3
       */
      quantity: number | null
      /**
       * @description Currency that the session was opened with, ISO 4217; null if it was not stored.
       * @example EUR
       */
      currency: string | null
      /**
       * @description Reference of the last attempt: that of the link, or the one that the payer entered. Null if there is none.
       * @example order-1001
       */
      alt_key: string | null
      /** @description Comment of the last attempt: that of the link, or the default as the payer changed it. Null if there is none. */
      description: string | null
      /** @description Details that the payer entered in the last attempt; null if none. */
      payer: components['schemas']['Payer'] | null
      /** @description Comment that the payer added to a fixed one; null if none. */
      payer_comment: string | null
      /**
       * @description Origin of the embedding page, as reported by that page; null if not embedded.
       * @example https://shop.example
       */
      embedded_origin: string | null
      /** @description Attempts of the session to pay or to begin a free trial, oldest first. */
      attempts: {
        /**
         * @description Payment id; begins with `pay_`. Null for a free trial.
         * @example pay_1893499200000_3d4e5f6g7h8i9j0k
         */
        payment: string | null
        /**
         * @description Status of that payment or free trial now.
         * @enum {string}
         */
        status:
          | 'SUCCESS'
          | 'DECLINE'
          | 'PENDING'
          | 'SCHEDULED'
          | 'UNRESOLVED'
          | 'VOIDED'
          | 'CANCELLED'
        /**
         * Format: date-time
         * @description When the payer submitted it.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
      }[]
      /** @description When the session reached its stages for the first time. */
      milestones: {
        /**
         * Format: date-time
         * @description When the payer opened the page.
         * @example 2030-01-31T09:00:00.000Z
         */
        opened: string
        /**
         * Format: date-time
         * @description When first name, last name and a valid email were first all present in the form. Null if one of them stayed empty or the page does not request them. The page reports it with its next request, so a page that is closed before that or runs no scripts reports nothing.
         * @example 2030-01-31T09:00:00.000Z
         */
        details_done: string | null
        /**
         * Format: date-time
         * @description When the payer first chose a payment method or entered something into the fields of the preselected one. Reported like `details_done`.
         * @example 2030-01-31T09:00:00.000Z
         */
        method_chosen: string | null
        /**
         * Format: date-time
         * @description When the payer first submitted a payment; null if that has not happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        submitted: string | null
        /**
         * Format: date-time
         * @description When the bank first requested a confirmation; null if that has not happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        challenged: string | null
        /**
         * Format: date-time
         * @description When a payment succeeded; null if that has not happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        completed: string | null
      }
      /**
       * Format: date-time
       * @description When the session ends. A payment under way is finished after that.
       * @example 2030-01-31T09:00:00.000Z
       */
      expires: string
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A payer submitted a payment. */
    CheckoutSubmittedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payer submitted a payment.
         * @constant
         */
        type: 'checkout.submitted'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          checkout: components['schemas']['CheckoutSession']
        }
      }
    }
    /** @description An agreement to pay the same amount again and again. It makes the charges. */
    Contract: {
      /**
       * @description Contract id; begins with `co_`.
       * @example co_1893499200000_2c3d4e5f6g7h8i9j
       */
      id: string
      /**
       * @description Your reference, taken over from the payment request; null if there was none.
       * @example membership-7
       */
      alt_key: string | null
      /** @description The customer who pays. Expandable. */
      account: string | components['schemas']['Account'] | null
      /** @description The stored method that its charges are collected from; null before the first payment succeeded. Expandable. */
      payment_method: string | components['schemas']['PaymentMethod'] | null
      /** @description The legal entity to which its charges belong; null while the instance has no legal entities. Expandable. */
      legal_entity: string | components['schemas']['LegalEntity'] | null
      /** @description The payment link that the contract began with; null if there is none. */
      payment_link: string | null
      /**
       * @description Amount of each charge, in major units.
       * @example 9.00
       */
      amount: string
      /**
       * @description Currency of its charges, ISO 4217.
       * @example EUR
       */
      currency: string
      /** @description Description of its charges; null if there is none. */
      description: string | null
      /** @description How often charges fall due, and how long. */
      recurring: {
        /**
         * @description Unit of time between two charges.
         * @enum {string}
         */
        frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
        /**
         * @description How many of these units lie between two charges.
         * @example 1
         */
        interval: number
        /** @description Total number of charges; null if unlimited. */
        count: number | null
        /**
         * Format: date-time
         * @description The last time at which a charge can fall due; null if unlimited.
         * @example 2030-01-31T09:00:00.000Z
         */
        until: string | null
        /**
         * @description Days of the free period before the first charge; null if it began with a payment.
         * @example 14
         */
        trial_days: number | null
      }
      /** @description How the payer of a payment link agreed to the contract; null for `POST /payments`, where you obtain consent yourself. */
      consent: {
        /** @description Whether the payer agreed. */
        given: boolean
        /** @description The consent text that the payer accepted; null if you stored the method with `POST /payments` and obtained consent yourself. */
        text: string | null
        /**
         * @description Language of the consent text; null if there is none.
         * @example fr
         */
        language: string | null
        /**
         * Format: date-time
         * @description When the payer agreed.
         * @example 2030-01-31T09:00:00.000Z
         */
        at: string | null
        /** @description The checkout session in which that happened; null for `POST /payments`. */
        checkout: string | null
      } | null
      /** @description IANA time zone in which days and months are counted: that of the account, else of the instance, else UTC. */
      timezone: string
      /**
       * Format: date-time
       * @description When the next charge falls due; null once there will be none.
       * @example 2030-01-31T09:00:00.000Z
       */
      next_due: string | null
      /**
       * @description `ACTIVE`: charges are made. `PAUSED`: none are made for now. `ENDED`: the last one has been made. `CANCELLED`: cancelled, with every unpaid charge.
       * @enum {string}
       */
      status: 'ACTIVE' | 'PAUSED' | 'ENDED' | 'CANCELLED'
      /** @description How many charges have been made so far. */
      charges_total: number
      /** @description How many of them are paid. */
      charges_paid: number
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A contract was created. */
    ContractCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A contract was created.
         * @constant
         */
        type: 'contract.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          contract: components['schemas']['Contract']
        }
      }
    }
    /** @description A contract ended or was cancelled. */
    ContractEndedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A contract ended or was cancelled.
         * @constant
         */
        type: 'contract.ended'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          contract: components['schemas']['Contract']
        }
      }
    }
    /** @description A contract was changed. */
    ContractUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A contract was changed.
         * @constant
         */
        type: 'contract.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          contract: components['schemas']['Contract']
        }
      }
    }
    /** @description Body of a request that creates an account. */
    CreateAccount: {
      /** @description The new account. */
      account: {
        /**
         * @description Your identifier of the customer. It need not be unique: each request creates another account.
         * @example customer-7
         */
        crm_key: string
        /** @description First name, up to 1,000 characters. */
        first_name?: string | null
        /** @description Last name, up to 1,000 characters. */
        last_name?: string | null
        /** @description Company, up to 1,000 characters. */
        company?: string | null
        /**
         * @description E-mail address. It is kept as it is, even if it is invalid.
         * @example ada@example.com
         */
        email?: string | null
        /**
         * @description Phone number in any format.
         * @example +33 1 23 45 67 89
         */
        phone?: string | null
        /** @description Postal address. An update changes only the lines that it names. */
        address?: {
          /**
           * @description First line: street and number.
           * @example 12 rue des Lilas
           */
          line1?: string | null
          /** @description Second line. */
          line2?: string | null
          /** @description Third line. */
          line3?: string | null
          /**
           * @description City or town.
           * @example Lyon
           */
          line4?: string | null
          /**
           * @description Post or ZIP code.
           * @example 69003
           */
          line5?: string | null
          /**
           * @description State or province, as an ISO 3166-2 code.
           * @example FR-ARA
           */
          line6?: string | null
          /**
           * @description Country, ISO 3166-1 alpha-2.
           * @example FR
           */
          country?: string | null
        } | null
        /**
         * @description Your own key-value pairs: up to 50, 16,384 characters as JSON. An update replaces all of them.
         * @example {
         *       "tier": "gold"
         *     }
         */
        metadata?: {
          [key: string]: string
        } | null
        /**
         * @description Your own tags or references, separated by commas.
         * @example vip,newsletter
         */
        tags?: string | null
        /**
         * @description Language tag. A payment link that names the account by its id is shown in this language, if the instance offers it.
         * @example fr-CH
         */
        locale?: string | null
        /**
         * @description IANA time zone. Contracts of the account count days and months in it, and payment links that name the account by its id show times in it.
         * @example Europe/Paris
         */
        timezone?: string | null
        /**
         * @description The channel through which the account came. One that a payment makes gets the channel of the payment.
         * @example web-shop
         */
        channel?: string | null
        /**
         * @description The part of your company that the account belongs to.
         * @example north
         */
        division?: string | null
        /**
         * @description The system that crm_key is a key of.
         * @example salesforce
         */
        crm?: string | null
        /**
         * @description Whether notices that are not required, such as about a card that expires soon, are mailed to the customer. A new account has true.
         * @example true
         */
        mail_notices?: boolean
      }
    }
    /** @description Body of a request that creates a deep link. */
    CreateDeepLink: {
      /** @description The new link. */
      deep_link: {
        /**
         * @description `PAY`: each payer makes a payment of their own. `ADD_PAYMENT_METHOD`, `PAY_CHARGES`, `MANAGE_CONTRACT`: one task of one customer.
         * @enum {string}
         */
        action: 'PAY' | 'ADD_PAYMENT_METHOD' | 'PAY_CHARGES' | 'MANAGE_CONTRACT'
        /**
         * @description The customer whose task it is. Required by all actions but `PAY`.
         * @example acc_1893499200000_0a1b2c3d4e5f6g7h
         */
        account?: string | null
        /**
         * @description The contract of the task: required by `MANAGE_CONTRACT`, optional for `ADD_PAYMENT_METHOD`.
         * @example co_1893499200000_2c3d4e5f6g7h8i9j
         */
        contract?: string | null
        /**
         * @description For `PAY_CHARGES`: the charges of the account to pay, active ones of one currency; all active ones if omitted.
         * @example [
         *       "cg_1893499200000_1b2c3d4e5f6g7h8i"
         *     ]
         */
        charges?: string[] | null
        /**
         * @description For `MANAGE_CONTRACT`: what the customer may do. `CANCEL`: cancel the contract. `PAUSE`: pause and resume it. `PAYMENT_METHOD`: give it another method. Nothing if omitted.
         * @example [
         *       "CANCEL",
         *       "PAYMENT_METHOD"
         *     ]
         */
        allow?: ('CANCEL' | 'PAUSE' | 'PAYMENT_METHOD')[] | null
        /**
         * @description The end of the address, unique on the server; 128 random bits stand there if omitted. Only for `PAY`, because a slug can be guessed. An archived link keeps its slug.
         * @example donate
         */
        slug?: string | null
        /** @description For `PAY` and `PAY_CHARGES`: the template of the payment links that its uses make. For the others: `channel`, `timezone` and `success_url` of the page. */
        options?: components['schemas']['PaymentLinkOptionsInput'] | null
        /**
         * @description How often it can be used; null for no limit.
         * @example 100
         */
        max_uses?: number | null
        /**
         * Format: date-time
         * @description When the link can no longer be used; in the future. Null: never. A link of an account needs it, at most 30 days ahead.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires?: string | null
      }
    }
    /** @description Body of a request that creates a webhook. */
    CreateInstanceWebhook: {
      /** @description The new webhook. */
      instance_webhook: {
        /**
         * Format: uri
         * @description URL for deliveries: `https` with a public address; on test instances also `http` to localhost if the server allows it.
         * @example https://shop.example/hooks/checkstand
         */
        url: string
        /**
         * @description Event types, all types of one kind (`refund.*`), or everything (`*`).
         * @example [
         *       "payment_link.*",
         *       "refund.success"
         *     ]
         */
        events: string[]
        /** @description Note of your own. */
        description?: string | null
        /** @description Whether deliveries are sent; true if omitted. */
        enabled?: boolean | null
      }
    }
    /** @description Body of a request that creates a legal entity. */
    CreateLegalEntity: {
      /** @description The new legal entity. */
      legal_entity: {
        /**
         * @description Its name in law. Payers see it below the form and on the receipt.
         * @example Atelier Nord SAS
         */
        legal_name: string
        /**
         * @description Country of its seat, ISO 3166-1.
         * @example FR
         */
        country: string
        /**
         * @description Your own key, by which paths find it too. Unique among active legal entities.
         * @example nord-fr
         */
        alt_key?: string | null
        /**
         * @description Your own name of it, which payers do not see; null if there is none.
         * @example Nord France
         */
        name?: string | null
        /**
         * @description `ORGANISATION`: a company or an association. The others are persons.
         * @enum {string}
         */
        type?: 'ORGANISATION' | 'SOLE_TRADER' | 'INDIVIDUAL'
        /**
         * @description Number in a commercial register; null if there is none.
         * @example 303 265 045
         */
        registration_number?: string | null
        /**
         * @description The register or court of that number; null if there is none.
         * @example RCS Lyon
         */
        registered_at?: string | null
        /** @description Its tax numbers, up to 10. */
        tax_ids?: {
          /**
           * @description `VAT`: value added tax. `GST`: goods and services tax. `EIN`: United States. `ABN`: Australia. `OTHER`: any other.
           * @enum {string}
           */
          type: 'VAT' | 'GST' | 'EIN' | 'ABN' | 'OTHER'
          /**
           * @description Country that gave it, ISO 3166-1.
           * @example FR
           */
          country: string
          /**
           * @description The number. A VAT number of the European Union begins with the code of its state.
           * @example FR40303265045
           */
          value: string
        }[]
        /** @description Postal address. An update replaces it as a whole. */
        address?: {
          /**
           * @description First line: street and number.
           * @example 12 rue des Lilas
           */
          line1?: string | null
          /** @description Second line. */
          line2?: string | null
          /** @description Third line. */
          line3?: string | null
          /**
           * @description City or town.
           * @example Lyon
           */
          line4?: string | null
          /**
           * @description Post or ZIP code.
           * @example 69003
           */
          line5?: string | null
          /**
           * @description State or province, as an ISO 3166-2 code.
           * @example FR-ARA
           */
          line6?: string | null
          /**
           * @description Country, ISO 3166-1 alpha-2.
           * @example FR
           */
          country?: string | null
        } | null
        /**
         * Format: email
         * @description E-mail address for payers; null if there is none.
         * @example ada@example.com
         */
        email?: string | null
        /**
         * @description Phone number for payers; null if there is none.
         * @example +33 1 23 45 67 89
         */
        phone?: string | null
        /**
         * @description Page with the legal notice; https.
         * @example https://shop.example/legal
         */
        url?: string | null
        /**
         * @description Text on the statements of payers: 5 to 22 of capital letters, digits, space, `.`, `*` and `-`, with a letter. Processors add to it or shorten it by their own rules.
         * @example NORD ATELIER
         */
        statement_descriptor?: string | null
        /**
         * @description Plain text below receipts, up to 2,000 characters; null if there is none.
         * @example Goods may be returned within 30 days.
         */
        receipt_footer?: string | null
        /**
         * @description Page with the terms and conditions; https.
         * @example https://shop.example/terms
         */
        terms_url?: string | null
        /**
         * @description Page with the privacy policy; https.
         * @example https://shop.example/privacy
         */
        privacy_url?: string | null
        /**
         * @description HTTPS address of a picture, shown at the top of the page where the branding has none.
         * @example https://shop.example/nord.svg
         */
        logo?: string | null
        /**
         * @description Currencies in which it may be paid; null for all. The default is used for every currency that no route serves.
         * @example [
         *       "EUR"
         *     ]
         */
        currencies?: string[] | null
        /** @description True makes it the default in place of the present one. The first one is the default in any case. */
        default?: boolean | null
      }
    }
    /** @description Body of a request that creates a route. */
    CreateLegalEntityRoute: {
      /** @description The new route. */
      legal_entity_route: {
        /**
         * @description Id of an active legal entity.
         * @example le_1893499200000_5f6g7h8i9j0k1l2m
         */
        legal_entity: string
        /** @description Conditions that must all hold. Of the values of one member, one must hold; an omitted member is no condition. */
        when?: {
          /**
           * @description Currencies, ISO 4217.
           * @example [
           *       "EUR"
           *     ]
           */
          currency?: string[]
          /**
           * @description Countries of the payer: as entered, else of the account, else of the card. ISO 3166-1.
           * @example [
           *       "FR",
           *       "BE"
           *     ]
           */
          country?: string[]
          /**
           * @description Sales channels.
           * @example [
           *       "web"
           *     ]
           */
          channel?: string[]
          /**
           * @description Keys of brandings.
           * @example [
           *       "kids"
           *     ]
           */
          branding?: string[]
          /** @description Where payments come from. */
          source?: ('ECOMMERCE' | 'MOTO' | 'RECURRING')[]
          /**
           * @description Tags, of which the account has one.
           * @example [
           *       "wholesale"
           *     ]
           */
          account_tag?: string[]
          /** @description Range of the amount, both ends included. */
          amount?: {
            /**
             * @description Smallest amount; any if omitted.
             * @example 0.00
             */
            from?: string
            /**
             * @description Largest amount; any if omitted.
             * @example 99.99
             */
            to?: string
            /**
             * @description Currency of both. Payments in another one do not match.
             * @example EUR
             */
            currency: string
          }
        }
        /**
         * @description The processor with which the legal entity settles; null for any. Payments of the route use no other.
         * @example pr_1893499200000_2b3c4d5e6f7g8h9i
         */
        processor?: string | null
        /** @description False skips the route. */
        enabled?: boolean
        /** @description Note of your own; null if there is none. */
        description?: string | null
        /**
         * @description Place in the order; the last if omitted.
         * @example 1
         */
        position?: number
      }
    }
    /** @description Body of a request that creates a payment link. */
    CreatePaymentLink: {
      /** @description The new link. `{}` makes one on which the payer types the amount. */
      payment_link: {
        /**
         * Format: date-time
         * @description When the link can no longer be paid; in the future. Null: never.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires?: string | null
        /** @description Terms of the payment and configuration of the page. Null removes all options. */
        options?: components['schemas']['PaymentLinkOptionsInput'] | null
        /** @description Free data of the creator, at most 10240 bytes as JSON. */
        state?:
          | {
              [key: string]: unknown
            }
          | unknown[]
          | string
          | null
      }
    }
    /** @description Body of a request that connects a processor. */
    CreateProcessor: {
      /** @description The processor to connect. */
      processor: {
        /**
         * @description The processor.
         * @enum {string}
         */
        name: 'stripe'
        /**
         * Format: password
         * @description Secret or restricted key of the account at the processor, in the mode of the instance.
         * @example rk_test_51Example0Restricted0Key
         */
        secret_key: string
        /**
         * @description Publishable key of the same account and mode.
         * @example pk_test_51Example0Publishable0Key
         */
        publishable_key: string
        /**
         * Format: password
         * @description Signing secret of a webhook endpoint that you made yourself. Without it, the endpoint is made for you.
         * @example whsec_Example0Signing0Secret
         */
        webhook_secret?: string | null
        /**
         * @description Settings of this processor; see [processors](processors.md).
         * @example {
         *       "methods": [
         *         "CARD"
         *       ]
         *     }
         */
        settings?: {
          [key: string]: unknown
        } | null
      }
    }
    /** @description Body of a request that creates a secret key. */
    CreateSecretKey: {
      /** @description The new key. */
      secret_key: {
        /**
         * @description What you call it, such as the program that uses it.
         * @example Accounting
         */
        name?: string | null
        /**
         * @description What the key may do, in the terms of OAuth scopes; null for everything. You cannot permit more than you may do yourself.
         * @example [
         *       "payment_links:read",
         *       "payment_links:write"
         *     ]
         */
        scopes?:
          | (
              | 'read'
              | 'write'
              | 'payment_links:read'
              | 'payment_links:write'
              | 'payments:read'
              | 'payments:write'
              | 'accounts:read'
              | 'accounts:write'
              | 'charges:read'
              | 'charges:write'
              | 'strings:read'
              | 'strings:write'
              | 'webhooks:read'
              | 'webhooks:write'
              | 'instances:read'
              | 'instances:write'
              | 'processors:read'
              | 'processors:write'
            )[]
          | null
        /**
         * Format: date-time
         * @description When the key stops to work, in real time and in the future; null if never. To end a key at once, delete it.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires?: string | null
        /**
         * @description Addresses and networks in CIDR notation, IPv4 or IPv6, from which alone the key works; null for all. Behind proxies, the address is that of the client.
         * @example [
         *       "203.0.113.0/24",
         *       "2001:db8::/32"
         *     ]
         */
        allowed_addresses?: string[] | null
        /** @description Id of a key that the new one replaces. The new key has its name, scopes and addresses unless others are given; the former expires in 24 hours, or when it did before, if that is sooner. */
        replaces?: string | null
      }
    }
    /** @description Body of a request that compares a file with the strings. */
    CreateStringImport: {
      /** @description The file. */
      string_import: {
        /**
         * @description `JSON`: an object with a text, or null, for each string id. `CSV`: a table with the columns `id`, `base` and the language. `XLIFF_1_2`, `XLIFF_2_0`: the files of translation programs, with the base texts as sources. Empty cells and targets count as not translated and are skipped.
         * @enum {string}
         */
        format: 'JSON' | 'CSV' | 'XLIFF_1_2' | 'XLIFF_2_0'
        /**
         * @description Language: two letters, or `default` for the base strings; `default` if omitted.
         * @example fr
         */
        language?: string | null
        /** @description Key of the branding. Left out, for the instance itself. */
        branding?: string | null
        /**
         * @description The content of the file, with at most 5000 strings.
         * @example {"checkout.pay": "Donner {amount}"}
         */
        content: string
      }
    }
    /** @description Body of a request that changes strings all at once. */
    CreateStringRevision: {
      /** @description The revision. */
      revision: {
        /**
         * @description Version of the strings that the caller has seen: `meta.version` of `GET /strings`, or `version` of an earlier answer.
         * @example 12
         */
        base_version: number
        /**
         * @description Why the texts change, for the history.
         * @example Donations instead of payments
         */
        note?: string | null
        /** @description The changes, of any languages and brandings; each string once. */
        changes: {
          /**
           * @description String id: its set, a dot, and its name.
           * @example checkout.pay
           */
          id: string
          /**
           * @description Language: two letters, or `default` for the base strings; `default` if omitted.
           * @example fr
           */
          language?: string | null
          /**
           * @description Key of the branding to write for. Left out, for the instance itself.
           * @example kids
           */
          branding?: string | null
          /**
           * @description The text; null removes the override, and so does the inherited text. An empty text hides the sentence.
           * @example Donner {amount}
           */
          text: string | null
        }[]
      }
    }
    /** @description Body of a request that invites a user. */
    CreateUser: {
      /** @description The new user. */
      user: {
        /**
         * Format: email
         * @description Address by which the user signs in. It cannot be changed.
         * @example ada@example.com
         */
        email: string
        /**
         * @description What others call this person; null if there is none.
         * @example Ada Lovelace
         */
        name?: string | null
        /**
         * @description `OWNER`: everything. `DEVELOPER`: settings, keys and webhooks, and money in test instances. `SUPPORT`: links, customers and refunds. `EDITOR`: strings and brandings. `VIEWER`: reads.
         * @example EDITOR
         * @enum {string}
         */
        role: 'OWNER' | 'DEVELOPER' | 'SUPPORT' | 'EDITOR' | 'VIEWER'
        /**
         * @description Keys of the instances that the user can open; null for all of the merchant.
         * @example [
         *       "default"
         *     ]
         */
        instances?: string[] | null
        /**
         * @description Languages whose strings an editor can write, as two-letter codes or `default` for the base strings; null for all. Only editors have them: another role clears them.
         * @example [
         *       "fr"
         *     ]
         */
        languages?: string[] | null
      }
    }
    /** @description Body of a request that shares a view of a list. */
    CreateView: {
      /** @description The view to share. */
      view: components['schemas']['ListViewInput']
    }
    /** @description Body of a request that resolves a manual refund. */
    DecideRefund: {
      /** @description The outcome of the refund. */
      refund: {
        /**
         * @description The outcome of a manual refund: `SUCCESS`, or `DECLINED`, which makes the amount refundable again.
         * @enum {string}
         */
        status: 'SUCCESS' | 'DECLINED'
      }
    }
    /** @description A link that several payers can use, or that leads to one task of a customer. */
    DeepLink: {
      /**
       * @description Deep link id; begins with `dl_`.
       * @example dl_lp9c7k00_7hY2nWq4Rt8VbN5sLw1ZyC3d
       */
      id: string
      /**
       * @description The chosen end of the address; null if the id stands there.
       * @example donate
       */
      slug: string | null
      /**
       * Format: uri
       * @description Address of the page, for the payer.
       * @example https://pay.shop.example/go/donate
       */
      url: string
      /**
       * @description `PAY`: each payer makes a payment of their own. `ADD_PAYMENT_METHOD`, `PAY_CHARGES`, `MANAGE_CONTRACT`: one task of one customer.
       * @enum {string}
       */
      action: 'PAY' | 'ADD_PAYMENT_METHOD' | 'PAY_CHARGES' | 'MANAGE_CONTRACT'
      /**
       * @description `ACTIVE`: can be used. `EXHAUSTED`: it was used `max_uses` times. `EXPIRED`: its time has passed.
       * @enum {string}
       */
      status: 'ACTIVE' | 'EXHAUSTED' | 'EXPIRED'
      /**
       * Format: date-time
       * @description When the link was archived and so can no longer be used; null if it was not.
       * @example 2030-01-31T09:00:00.000Z
       */
      archived: string | null
      /** @description The customer; null for `PAY`. Expandable. */
      account: string | components['schemas']['Account'] | null
      /** @description The contract; null if there is none. Expandable. */
      contract: string | components['schemas']['Contract'] | null
      /** @description The charges to pay; null if none were named. Expandable. */
      charges: (string | components['schemas']['Charge'])[] | null
      /** @description What the customer may do with the contract; null for nothing. */
      allow: ('CANCEL' | 'PAUSE' | 'PAYMENT_METHOD')[] | null
      options: components['schemas']['PaymentLinkOptions']
      /** @description Version of the options. */
      options_v: number
      /** @description How often it can be used; null for no limit. */
      max_uses: number | null
      /** @description How often it was paid, or its task was done. */
      uses: number
      /** @description Payments and saved methods under way, pending ones included. They count against `max_uses` until they fail. */
      reserved_uses: number
      /** @description What a customer did last; null before, and for `PAY`. */
      last_use: {
        /**
         * @description What the customer did.
         * @enum {string}
         */
        done: 'PAYMENT_METHOD_SAVED' | 'CONTRACT_CANCELLED' | 'CONTRACT_PAUSED' | 'CONTRACT_RESUMED'
        /** @description Id of the saved method; null if none was. */
        payment_method: string | null
        /** @description Id of the contract; null if there is none. */
        contract: string | null
      } | null
      /**
       * Format: date-time
       * @description When it was last paid, or its task was last done; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_used: string | null
      /**
       * Format: date-time
       * @description When the link can no longer be used; null for never.
       * @example 2030-01-31T09:00:00.000Z
       */
      expires: string | null
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A deep link was archived. */
    DeepLinkArchivedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A deep link was archived.
         * @constant
         */
        type: 'deep_link.archived'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          deep_link: components['schemas']['DeepLink']
        }
      }
    }
    /** @description A deep link was created. */
    DeepLinkCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A deep link was created.
         * @constant
         */
        type: 'deep_link.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          deep_link: components['schemas']['DeepLink']
        }
      }
    }
    /** @description A deep link was used as often as it may be. */
    DeepLinkExhaustedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A deep link was used as often as it may be.
         * @constant
         */
        type: 'deep_link.exhausted'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          deep_link: components['schemas']['DeepLink']
        }
      }
    }
    /** @description A deep link expired. */
    DeepLinkExpiredEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A deep link expired.
         * @constant
         */
        type: 'deep_link.expired'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          deep_link: components['schemas']['DeepLink']
        }
      }
    }
    /** @description The task of a customer, as its page shows it. */
    DeepLinkTask: {
      /**
       * @description `PAY`: each payer makes a payment of their own. `ADD_PAYMENT_METHOD`, `PAY_CHARGES`, `MANAGE_CONTRACT`: one task of one customer.
       * @enum {string}
       */
      action: 'PAY' | 'ADD_PAYMENT_METHOD' | 'PAY_CHARGES' | 'MANAGE_CONTRACT'
      /** @description The contract of the task; null if there is none. */
      contract: {
        /** @description Description of the contract; null if it has none. */
        description: string | null
        /**
         * @description Amount of each payment, in major units.
         * @example 9.90
         */
        amount: string
        /**
         * @description Currency of the amount, ISO 4217.
         * @example EUR
         */
        currency: string
        /**
         * @description Decimal places of the currency.
         * @example 2
         */
        currency_digits: number
        /**
         * @description Unit of the interval.
         * @enum {string}
         */
        frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
        /**
         * @description Units between two payments.
         * @example 1
         */
        interval: number
        /**
         * Format: date-time
         * @description When the next payment is due; null if none is.
         * @example 2030-01-31T09:00:00.000Z
         */
        next_due: string | null
        /**
         * @description Status of the contract.
         * @enum {string}
         */
        status: 'ACTIVE' | 'PAUSED' | 'ENDED' | 'CANCELLED'
        /** @description The method that is charged; null if there is none. */
        payment_method: {
          /**
           * @description Type of the method.
           * @example CARD
           */
          type: string
          /**
           * @description Brand of the card; null for other methods.
           * @example visa
           */
          brand: string | null
          /**
           * @description Last four digits.
           * @example 4242
           */
          last4: string | null
          /** @description Whether it can no longer be charged. */
          expired: boolean
        } | null
      } | null
      /** @description What the customer may do with the contract. */
      allow: ('CANCEL' | 'PAUSE' | 'PAYMENT_METHOD')[]
      /** @description The newest attempt of the session to save a method; null before. */
      result: {
        /**
         * @description `SAVED`: the method is saved. `PENDING`: the outcome is not known yet. `ACTION`: the customer has to confirm at `action_url`. `DECLINED`: nothing was saved.
         * @enum {string}
         */
        outcome: 'SAVED' | 'PENDING' | 'ACTION' | 'DECLINED'
        /** @description String id of the message; null if there is none. */
        message_id: string | null
        /** @description Page of the bank; null unless the customer has to confirm. */
        action_url: string | null
        /** @description The saved method; null if there is none. */
        payment_method: {
          /**
           * @description Type of the method.
           * @example CARD
           */
          type: string
          /**
           * @description Brand of the card; null for other methods.
           * @example visa
           */
          brand: string | null
          /**
           * @description Last four digits.
           * @example 4242
           */
          last4: string | null
          /** @description Whether it can no longer be charged. */
          expired: boolean
        } | null
      } | null
      /**
       * @description Where a button leads back to the merchant; null without `success_url`, and before a method is saved.
       * @example https://shop.example/account?status=COMPLETED
       */
      return_url: string | null
    }
    /** @description A deep link was changed. */
    DeepLinkUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A deep link was changed.
         * @constant
         */
        type: 'deep_link.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          deep_link: components['schemas']['DeepLink']
        }
      }
    }
    /** @description A payment on a deep link succeeded, or a customer did its task. */
    DeepLinkUsedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment on a deep link succeeded, or a customer did its task.
         * @constant
         */
        type: 'deep_link.used'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          deep_link: components['schemas']['DeepLink']
        }
      }
    }
    /** @description One event on its way to one webhook. */
    Delivery: {
      /**
       * @description Delivery id; begins with `dlv_`.
       * @example dlv_1893499200000_2m3n4o5p6q7r8s9t
       */
      id: string
      /**
       * @description Id of the event.
       * @example evt_1893499200000_1l2m3n4o5p6q7r8s
       */
      event: string
      /**
       * @description Type of the event.
       * @example payment_link.payment_success
       */
      type: string
      /**
       * @description Id of the webhook.
       * @example wh_1893499200000_0k1l2m3n4o5p6q7r
       */
      instance_webhook: string
      /**
       * @description `WAITING`: to be sent or retried. `DELIVERED`: the endpoint returned 2xx. `FAILED`: retries are exhausted.
       * @enum {string}
       */
      status: 'WAITING' | 'DELIVERED' | 'FAILED'
      /** @description How often it has been sent so far. A replay begins again at 0. */
      attempts: number
      /**
       * Format: date-time
       * @description When it was last sent; null before the first time.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_attempt: string | null
      /**
       * Format: date-time
       * @description When it is sent next; null once it is delivered or given up.
       * @example 2030-01-31T09:00:00.000Z
       */
      next_attempt: string | null
      /**
       * @description HTTP status of the last response; null if there was none.
       * @example 200
       */
      response_status: number | null
      /**
       * @description Error of the last attempt; null if it succeeded.
       * @enum {string|null}
       */
      error:
        | 'ADDRESS_REFUSED'
        | 'BAD_STATUS'
        | 'CONNECTION_FAILED'
        | 'DNS_FAILED'
        | 'REDIRECT'
        | 'TIMEOUT'
        | 'TLS_FAILED'
        | null
      /**
       * Format: date-time
       * @description When the endpoint returned 2xx; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      delivered: string | null
      /**
       * Format: date-time
       * @description When the delivery was planned.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
    }
    /** @description A change of a record, as sent to webhooks. */
    Event: {
      /**
       * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
       * @example evt_1893499200000_1l2m3n4o5p6q7r8s
       */
      id: string
      /**
       * @description Event type: the resource, a dot, and the change.
       * @example payment_link.payment_success
       */
      type: string
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * @description Key of the instance.
       * @example default
       */
      instance: string
      /**
       * @description Version of this envelope.
       * @constant
       */
      v: 1
      /** @description The record under its singular name, as it was at that moment, with relations as ids. */
      data: {
        [key: string]: unknown
      }
    }
    /** @description Error of a request to strings, or of a request without valid credentials. */
    FlatError: {
      /**
       * @description Error type, for programs.
       * @example UNAUTHORIZED
       */
      code: string
      /**
       * @description Message for developers.
       * @example Unauthorized
       */
      message: string
    }
    /** @description Whether the server can do its work. */
    Health: {
      /**
       * @description `ok`, or `unavailable` while the server cannot do its work.
       * @enum {string}
       */
      status: 'ok' | 'unavailable'
    }
    /** @description A merchant with its settings. */
    Instance: {
      /**
       * @description Key of the instance, as in the path.
       * @example default
       */
      key: string
      /**
       * @description `TEST`: payments go to the sandbox, and no money moves. `LIVE`: real money.
       * @enum {string}
       */
      mode: 'TEST' | 'LIVE'
      /**
       * @description Key of the instance of the other mode that belongs with this one, a test instance with its live one; null if there is none. Each of the two names the other. Only users who can change both set it.
       * @example live
       */
      twin: string | null
      /**
       * @description Name of the merchant, shown to payers.
       * @example Corner Shop
       */
      name: string
      /**
       * @description Currency of payments and links that name none, ISO 4217.
       * @example EUR
       */
      default_currency: string
      /**
       * @description IANA time zone of dates on the page and of contracts, unless the link or account has one; null if the browser of the payer decides, and UTC for contracts.
       * @example Europe/Paris
       */
      timezone: string | null
      /**
       * @description Languages that payers can choose, as two-letter codes or `default`; null for all languages that have strings.
       * @example [
       *       "fr",
       *       "de"
       *     ]
       */
      languages: string[] | null
      /**
       * @description Origins whose pages may embed the checkout, `https://*.shop.example` for all hosts below one. With an empty list no page may.
       * @example [
       *       "https://shop.example"
       *     ]
       */
      allowed_origins: string[]
      /** @description Colors and corners of the page; null for the built-in ones. */
      theme: components['schemas']['Theme'] | null
      /** @description Whether a link that names an account by its id offers the stored methods of that account. */
      link_saved_methods: boolean
      /**
       * @description Amount in the default currency above which a live refund from the console needs a fresh proof of who its user is; null if none does. A refund in another currency always needs it then. Secret keys and tokens are not asked.
       * @example 200.00
       */
      step_up_refund: string | null
      /**
       * @description Amount in the default currency up to which users with the role SUPPORT may give back money in one refund; null if any. In another currency they may then refund nothing. Only owners and secret keys without scopes change it and `step_up_refund`.
       * @example 50.00
       */
      support_refund_max: string | null
      /** @description Other names and looks, each for some channels. An update replaces all of them. */
      brandings: components['schemas']['Branding'][]
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description An address of the merchant that is sent events. */
    InstanceWebhook: {
      /**
       * @description Webhook id; begins with `wh_`.
       * @example wh_1893499200000_0k1l2m3n4o5p6q7r
       */
      id: string
      /**
       * @description URL for deliveries.
       * @example https://shop.example/hooks/checkstand
       */
      url: string
      /**
       * @description Which events are sent.
       * @example [
       *       "payment_link.*"
       *     ]
       */
      events: string[]
      /** @description Whether events are sent. The server switches it off after five days of nothing but failures. */
      enabled: boolean
      /** @description Your own note; null if there is none. */
      description: string | null
      /**
       * @description Key of the signatures: `whsec_` and base64. Present only in the response that creates the webhook or rotates its secret.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
       */
      secret?: string
      /**
       * Format: date-time
       * @description Since when every delivery has failed; null while deliveries succeed.
       * @example 2030-01-31T09:00:00.000Z
       */
      failing_since: string | null
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A person or company that is paid. */
    LegalEntity: {
      /**
       * @description Legal entity id; begins with `le_`.
       * @example le_1893499200000_5f6g7h8i9j0k1l2m
       */
      id: string
      /**
       * @description Your own key, by which paths find it too. Unique among active legal entities.
       * @example nord-fr
       */
      alt_key: string | null
      /**
       * @description Your own name of it, which payers do not see; null if there is none.
       * @example Nord France
       */
      name: string | null
      /**
       * @description Its name in law. Payers see it below the form and on the receipt.
       * @example Atelier Nord SAS
       */
      legal_name: string
      /**
       * @description `ORGANISATION`: a company or an association. The others are persons.
       * @enum {string}
       */
      type: 'ORGANISATION' | 'SOLE_TRADER' | 'INDIVIDUAL'
      /**
       * @description Number in a commercial register; null if there is none.
       * @example 303 265 045
       */
      registration_number: string | null
      /**
       * @description The register or court of that number; null if there is none.
       * @example RCS Lyon
       */
      registered_at: string | null
      /** @description Its tax numbers, up to 10. */
      tax_ids: {
        /**
         * @description `VAT`: value added tax. `GST`: goods and services tax. `EIN`: United States. `ABN`: Australia. `OTHER`: any other.
         * @enum {string}
         */
        type: 'VAT' | 'GST' | 'EIN' | 'ABN' | 'OTHER'
        /**
         * @description Country that gave it, ISO 3166-1.
         * @example FR
         */
        country: string
        /**
         * @description The number. A VAT number of the European Union begins with the code of its state.
         * @example FR40303265045
         */
        value: string
      }[]
      /** @description Postal address. An update replaces it as a whole. */
      address: {
        /**
         * @description First line: street and number.
         * @example 12 rue des Lilas
         */
        line1?: string | null
        /** @description Second line. */
        line2?: string | null
        /** @description Third line. */
        line3?: string | null
        /**
         * @description City or town.
         * @example Lyon
         */
        line4?: string | null
        /**
         * @description Post or ZIP code.
         * @example 69003
         */
        line5?: string | null
        /**
         * @description State or province, as an ISO 3166-2 code.
         * @example FR-ARA
         */
        line6?: string | null
        /**
         * @description Country, ISO 3166-1 alpha-2.
         * @example FR
         */
        country?: string | null
      } | null
      /**
       * @description Country of its seat, ISO 3166-1.
       * @example FR
       */
      country: string
      /**
       * Format: email
       * @description E-mail address for payers; null if there is none.
       * @example ada@example.com
       */
      email: string | null
      /**
       * @description Phone number for payers; null if there is none.
       * @example +33 1 23 45 67 89
       */
      phone: string | null
      /**
       * @description Page with the legal notice; https.
       * @example https://shop.example/legal
       */
      url: string | null
      /**
       * @description Text on the statements of payers: 5 to 22 of capital letters, digits, space, `.`, `*` and `-`, with a letter. Processors add to it or shorten it by their own rules.
       * @example NORD ATELIER
       */
      statement_descriptor: string | null
      /**
       * @description Plain text below receipts, up to 2,000 characters; null if there is none.
       * @example Goods may be returned within 30 days.
       */
      receipt_footer: string | null
      /**
       * @description Page with the terms and conditions; https.
       * @example https://shop.example/terms
       */
      terms_url: string | null
      /**
       * @description Page with the privacy policy; https.
       * @example https://shop.example/privacy
       */
      privacy_url: string | null
      /**
       * @description HTTPS address of a picture, shown at the top of the page where the branding has none.
       * @example https://shop.example/nord.svg
       */
      logo: string | null
      /**
       * @description Currencies in which it may be paid; null for all. The default is used for every currency that no route serves.
       * @example [
       *       "EUR"
       *     ]
       */
      currencies: string[] | null
      /** @description Whether payments that no route serves belong to it. */
      default: boolean
      /**
       * @description `ACTIVE`: in use. `ARCHIVED`: kept for the payments that belong to it.
       * @enum {string}
       */
      status: 'ACTIVE' | 'ARCHIVED'
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A legal entity was archived. */
    LegalEntityArchivedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A legal entity was archived.
         * @constant
         */
        type: 'legal_entity.archived'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          legal_entity: components['schemas']['LegalEntity']
        }
      }
    }
    /** @description A legal entity was created. */
    LegalEntityCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A legal entity was created.
         * @constant
         */
        type: 'legal_entity.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          legal_entity: components['schemas']['LegalEntity']
        }
      }
    }
    /** @description A rule by which payments find their legal entity. */
    LegalEntityRoute: {
      /**
       * @description Route id; begins with `ler_`.
       * @example ler_1893499200000_6g7h8i9j0k1l2m3n
       */
      id: string
      /**
       * @description Place in the order, from 1. The routes behind it move.
       * @example 1
       */
      position: number
      /** @description Whom payments belong to. Expandable. */
      legal_entity: string | components['schemas']['LegalEntity'] | null
      /** @description Conditions that must all hold. Of the values of one member, one must hold; an omitted member is no condition. */
      when: {
        /**
         * @description Currencies, ISO 4217.
         * @example [
         *       "EUR"
         *     ]
         */
        currency?: string[]
        /**
         * @description Countries of the payer: as entered, else of the account, else of the card. ISO 3166-1.
         * @example [
         *       "FR",
         *       "BE"
         *     ]
         */
        country?: string[]
        /**
         * @description Sales channels.
         * @example [
         *       "web"
         *     ]
         */
        channel?: string[]
        /**
         * @description Keys of brandings.
         * @example [
         *       "kids"
         *     ]
         */
        branding?: string[]
        /** @description Where payments come from. */
        source?: ('ECOMMERCE' | 'MOTO' | 'RECURRING')[]
        /**
         * @description Tags, of which the account has one.
         * @example [
         *       "wholesale"
         *     ]
         */
        account_tag?: string[]
        /** @description Range of the amount, both ends included. */
        amount?: {
          /**
           * @description Smallest amount; any if omitted.
           * @example 0.00
           */
          from?: string
          /**
           * @description Largest amount; any if omitted.
           * @example 99.99
           */
          to?: string
          /**
           * @description Currency of both. Payments in another one do not match.
           * @example EUR
           */
          currency: string
        }
      }
      /**
       * @description The processor with which the legal entity settles; null for any. Payments of the route use no other.
       * @example pr_1893499200000_2b3c4d5e6f7g8h9i
       */
      processor: string | null
      /** @description False skips the route. */
      enabled: boolean
      /** @description Note of your own; null if there is none. */
      description: string | null
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description The routes of legal entities, or their order, were changed. */
    LegalEntityRouteUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The routes of legal entities, or their order, were changed.
         * @constant
         */
        type: 'legal_entity_route.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          /** @description All routes, by position. */
          legal_entity_routes: components['schemas']['LegalEntityRoute'][]
        }
      }
    }
    /** @description A legal entity was changed, or became or ceased to be the default. */
    LegalEntityUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A legal entity was changed, or became or ceased to be the default.
         * @constant
         */
        type: 'legal_entity.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          legal_entity: components['schemas']['LegalEntity']
        }
      }
    }
    /** @description A list of the console with filters, order and columns. */
    ListView: {
      /**
       * @description What the view is called.
       * @example Large payments
       */
      name: string
      /**
       * @description The list that it is a view of.
       * @example payments
       */
      list: string
      /**
       * @description The query of the list in the console: its tab, search, criteria (`where`), `order` and columns.
       * @example where=amount%3E%3D1000&order=amount%3Adesc
       */
      query: string
    }
    /** @description A list of the console with filters, order and columns. */
    ListViewInput: {
      /**
       * @description What the view is called.
       * @example Large payments
       */
      name: string
      /**
       * @description The list that it is a view of.
       * @example payments
       */
      list: string
      /**
       * @description The query of the list in the console: its tab, search, criteria (`where`), `order` and columns.
       * @example where=amount%3E%3D1000&order=amount%3Adesc
       */
      query: string
    }
    /** @description A mail that leads a payer to a payment link. */
    Mail: {
      /**
       * @description Mail id; begins with `ml_`.
       * @example ml_1893499200000_4x5y6z7a8b9c0d1e
       */
      id: string
      /**
       * @description Id of the link.
       * @example pl_lp9c7k00_3fK9mQx7Rt2VbN8sLw4ZyH6c
       */
      payment_link: string
      /**
       * @description `WAITING`: to be sent, or to be tried again for a day. `SENT`: a mail server accepted it. `FAILED`: it was refused or given up.
       * @enum {string}
       */
      status: 'WAITING' | 'SENT' | 'FAILED'
      /**
       * @description Language of the mail.
       * @example de
       */
      language: string
      /**
       * Format: date-time
       * @description When it was queued.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
    }
    /** @description Body of a request that moves the clock. */
    MoveTestClock: {
      /** @description How far to move it: either `now` or `advance`. */
      clock: {
        /**
         * Format: date-time
         * @description The time to move the clock to. It must be after the current time of the instance.
         * @example 2031-01-01T00:00:00.000Z
         */
        now?: string
        /**
         * @description How far to move the clock forward, as an ISO 8601 duration of calendar time in UTC.
         * @example P1M
         */
        advance?: string
      }
    }
    /** @description Error of a request. */
    NestedError: {
      /** @description The error. */
      error: {
        /**
         * @description Error type, for programs.
         * @example INVALID_REQUEST
         */
        type: string
        /**
         * @description Message for developers: the member or parameter and the rule.
         * @example payment_link.expires must be in the future
         */
        message: string
      }
    }
    /** @description Error of a token request. */
    OAuthError: {
      /**
       * @description Code of the error, as in RFC 6749.
       * @example invalid_grant
       * @enum {string}
       */
      error:
        | 'invalid_request'
        | 'invalid_client'
        | 'invalid_grant'
        | 'invalid_scope'
        | 'unsupported_grant_type'
        | 'temporarily_unavailable'
        | 'server_error'
      /**
       * @description Message for developers.
       * @example the code is not valid for this request
       */
      error_description: string
    }
    /** @description The access of a platform to this instance. */
    OauthGrant: {
      /**
       * @description Id of the grant; begins with `og_`.
       * @example og_1893499200000_3n4o5p6q7r8s9t0u
       */
      id: string
      /** @description The platform that may act. */
      client: {
        /**
         * @description Id of the platform; begins with `oc_`.
         * @example oc_1893499200000_3n4o5p6q7r8s9t0u
         */
        id: string
        /**
         * @description What the platform is called.
         * @example Tillworks
         */
        name: string
      }
      /** @description Who approved it. */
      user: {
        /**
         * @description Id of the user; begins with `usr_`.
         * @example usr_1893499200000_3n4o5p6q7r8s9t0u
         */
        id: string
        /**
         * @description E-mail address of the user.
         * @example ada@shop.example
         */
        email: string
      }
      /**
       * @description What the platform may do.
       * @example [
       *       "payment_links:write"
       *     ]
       */
      scopes: string[]
      /**
       * Format: date-time
       * @description When it was approved.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the platform last called the API, to a minute; null if it has not.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_used: string | null
    }
    /** @description Tokens for the data of one merchant. */
    OAuthTokens: {
      /** @description Token for the API, to be sent as Bearer. */
      access_token: string
      /** @description After the exchange of a code, and at each refresh of a public client. */
      refresh_token?: string
      /**
       * @description How the token is sent.
       * @constant
       */
      token_type: 'Bearer'
      /**
       * @description Seconds that the access token lives.
       * @example 3600
       */
      expires_in: number
    }
    /** @description Body of the request by which the page opens a session. */
    OpenCheckout: {
      /** @description The `strings_hash` of the strings that the page has. */
      strings_hash?: string
      /**
       * @description How many of those strings the page has: FORM, those in every page with a form; ALL, all of them. If the session has the same `strings_hash`, the response omits them from `strings`; otherwise it contains all strings.
       * @enum {string}
       */
      known_strings?: 'FORM' | 'ALL'
      /**
       * @description Language that the payer chose: two letters, or `default`. Without one the account, then the `Accept-Language` header decide.
       * @example fr
       */
      language?: string
      /**
       * @description Key of the branding to show. Without one the `channel` of the link decides.
       * @example kids
       */
      branding?: string
      /**
       * @description Origin of the page that embeds the checkout. It must be one of `allowed_origins` of the instance.
       * @example https://shop.example
       */
      embedded_origin?: string
    }
    /** @description Body of a request that opens the session of a task. */
    OpenTask: {
      /** @description The token of the session that this browser has opened before. */
      token?: string | null
      /**
       * @description Language of the page.
       * @example fr
       */
      language?: string | null
    }
    /** @description A state of the page of a checkout session. */
    PageState: {
      /**
       * @description `FORM`: the payer can pay. `DECLINED`: the form, with the reason above it. `CONFIRM`: the bank asks for a confirmation. `CHECKING`: the outcome is unknown. `PENDING`: it comes later. `PAID`: the receipt.
       * @enum {string}
       */
      state: 'FORM' | 'DECLINED' | 'CONFIRM' | 'CHECKING' | 'PENDING' | 'PAID'
      /**
       * Format: date-time
       * @description Since when the page was in this state.
       * @example 2030-01-31T09:00:00.000Z
       */
      at: string
      /**
       * @description Id of the string above the form; null if there is none.
       * @example errors.declined
       */
      notice: string | null
      /** @description What the page showed of the attempt, without ids and links; null for `FORM` and `DECLINED`. */
      result: {
        /**
         * @description `CHECKING`: the outcome is unknown, and the link cannot be paid meanwhile. `BUSY`: the link is being paid in another session. The others are as in the response to a submit.
         * @enum {string}
         */
        outcome: 'COMPLETED' | 'PENDING' | 'CHECKING' | 'DECLINED' | 'ACTION' | 'BUSY'
        /**
         * @description Reference of the payment for the customer; null for `BUSY` and for a free trial.
         * @example 7KQM-4X9T-PWRD
         */
        reference: string | null
        /**
         * @description Your reference of the payment, or the one that the payer entered; null if there is none.
         * @example order-1001
         */
        alt_key: string | null
        /**
         * @description Amount in major units, zero for a free trial; null for `BUSY` if the payer chooses it.
         * @example 24.00
         */
        amount: string | null
        /**
         * @description How many the payer bought; omitted if the link asks for no quantity.
         * @example 3
         */
        quantity?: number
        /**
         * @description Price of one in major units; omitted if the link asks for no quantity.
         * @example 8.00
         */
        unit_amount?: string
        /**
         * @description Comment of the payment, for the session that paid also one that its payer entered; omitted if there is none.
         * @example Two places on Saturday
         */
        description?: string
        /** @description Currency of the amount, ISO 4217. */
        currency: string
        /**
         * @description Decimal places of the currency.
         * @example 2
         */
        currency_digits: number
        /**
         * Format: date-time
         * @description When the payment was decided, or else begun.
         * @example 2030-01-31T09:00:00.000Z
         */
        date: string
        /** @description Page of the merchant for this outcome, with its parameters; null if there is none, and for other sessions than the one that paid. */
        redirect: string | null
        /** @description Id of the transaction, for the session that paid; otherwise null. */
        transaction: string | null
        /** @description Id of the account, for the session that paid; otherwise null. */
        account: string | null
        /** @description Whether the payer leaves for `redirect` without a receipt. */
        skip_receipt: boolean
        /** @description Text of the merchant for the receipt, as plain text; null for the built-in text. */
        message: string | null
        /**
         * @description Id of the string for the decline reason or the pending action; otherwise null.
         * @example errors.declined
         */
        message_id: string | null
        /**
         * @description Address to which the receipt is sent, masked, for the session that paid; null if none is sent.
         * @example a•••@example.com
         */
        receipt_to: string | null
        /** @description The method used, for the session that paid; otherwise null. */
        method: {
          /**
           * @description Type of the method.
           * @example CARD
           */
          type: string
          /**
           * @description Brand of the card; null if unknown.
           * @example visa
           */
          brand: string | null
          /**
           * @description Last four characters of its number; null if unknown.
           * @example 4242
           */
          last4: string | null
        } | null
        /** @description The contract that the payment or free trial began, for the session that did. Omitted if there is none. */
        recurring?: {
          /**
           * @description Unit of time between two charges.
           * @enum {string}
           */
          frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
          /**
           * @description Number of units between two charges.
           * @example 1
           */
          interval: number
          /**
           * @description How many charges there are in all, the first included; null for no limit.
           * @example 12
           */
          count: number | null
          /**
           * Format: date-time
           * @description The last moment at which a charge may fall due; null for no limit.
           * @example 2030-01-31T09:00:00.000Z
           */
          until: string | null
          /**
           * @description Days of the free period before the first charge; omitted if there is none.
           * @example 14
           */
          trial_days?: number
          /**
           * @description Amount of each charge, in major units.
           * @example 9.00
           */
          amount: string
          /**
           * Format: date-time
           * @description When the next charge is due, after a free trial the first one; null after the last.
           * @example 2030-01-31T09:00:00.000Z
           */
          next_due: string | null
        }
        /** @description The charges that the payment was for, for the session that paid. Omitted if there are none. */
        charges?: {
          /**
           * @description Description of the charge, else its `alt_key`; null if it has neither.
           * @example March 2031
           */
          name: string | null
          /**
           * Format: date-time
           * @description When the charge is to be paid; null for one without a date.
           * @example 2030-01-31T09:00:00.000Z
           */
          due: string | null
          /**
           * @description What the payment pays of the charge, in major units.
           * @example 12.00
           */
          amount: string
        }[]
        /** @description The next action of the payer, for `ACTION`; otherwise null. */
        action: {
          /**
           * @description `REDIRECT`: the payer opens `url`.
           * @constant
           */
          type: 'REDIRECT'
          /**
           * @description Confirmation page of the bank.
           * @example https://bank.example/confirm/8f3a
           */
          url: string
          /** @description True if that page may be shown inside an embedded checkout; omitted if it needs the whole window. */
          in_frame?: boolean
        } | null
      } | null
    }
    /**
     * @description Details that the payer entered on the payment page; a member is null if it was left empty. They are stored with the payment and never change an existing account, because the holder of a link is not proven to be its customer.
     * @example {
     *       "first_name": "Ada",
     *       "last_name": "Lovelace",
     *       "email": "ada@example.com",
     *       "phone": null,
     *       "address": {
     *         "line1": "1 Analytical Row",
     *         "line4": "London",
     *         "country": "GB"
     *       }
     *     }
     */
    Payer: {
      /** @description First name; null if unknown. */
      first_name: string | null
      /** @description Last name; null if unknown. */
      last_name: string | null
      /** @description E-mail address as it was given: it is not checked, and may be invalid. */
      email: string | null
      /** @description Phone number as it was given, in any format. */
      phone: string | null
      /** @description Postal address; null if unknown. */
      address: {
        /**
         * @description First line: street and number.
         * @example 12 rue des Lilas
         */
        line1?: string | null
        /** @description Second line. */
        line2?: string | null
        /** @description Third line. */
        line3?: string | null
        /**
         * @description City or town.
         * @example Lyon
         */
        line4?: string | null
        /**
         * @description Post or ZIP code.
         * @example 69003
         */
        line5?: string | null
        /**
         * @description State or province, as an ISO 3166-2 code.
         * @example FR-ARA
         */
        line6?: string | null
        /**
         * @description Country, ISO 3166-1 alpha-2.
         * @example FR
         */
        country?: string | null
      } | null
    }
    /** @description A payment, an authorization (`AUTH`), or a capture of an authorization (`CAPTURE`). */
    Payment: {
      /**
       * @description Payment id; begins with `pay_`, for a capture with `ca_`.
       * @example pay_1893499200000_3d4e5f6g7h8i9j0k
       */
      id: string
      /**
       * @description `PAYMENT`: charged at once. `AUTH`: authorized. `CAPTURE`: captured from an authorization.
       * @enum {string}
       */
      type: 'PAYMENT' | 'AUTH' | 'CAPTURE'
      /**
       * @description `SUCCESS`: charged, or authorized for `AUTH`. `DECLINE`: declined. `PENDING`: the outcome comes later. `SCHEDULED`: due later. `UNRESOLVED`: the outcome is unknown, and the server keeps querying the processor. `VOIDED`: an authorization that was voided. `CANCELLED`: canceled before it was charged.
       * @enum {string}
       */
      status:
        | 'SUCCESS'
        | 'DECLINE'
        | 'PENDING'
        | 'SCHEDULED'
        | 'UNRESOLVED'
        | 'VOIDED'
        | 'CANCELLED'
      /**
       * @description Amount in major units.
       * @example 24.00
       */
      amount: string
      /**
       * @description Currency of all amounts of the payment, ISO 4217.
       * @example EUR
       */
      currency: string
      /**
       * @description How many the payer chose; null unless the payment link asked for a quantity.
       * @example 3
       */
      quantity: number | null
      /**
       * @description Price of one in major units; null unless the payment link asked for a quantity.
       * @example 8.00
       */
      unit_amount: string | null
      /**
       * @description Amount of an authorization that is captured or being captured; null for other types.
       * @example 0.00
       */
      captured_amount: string | null
      /**
       * @description Amount of an authorization that can still be captured, zero once it has expired; null for other types.
       * @example 24.00
       */
      open_amount: string | null
      /**
       * @description Amount refunded or being refunded, also by you at the processor; null for an authorization.
       * @example 0.00
       */
      refunded_amount: string | null
      /**
       * @description Amount withdrawn by open and lost disputes and by returned debits; null for an authorization.
       * @example 0.00
       */
      disputed_amount: string | null
      /**
       * @description Amount that can still be refunded: neither refunded nor disputed; null for an authorization.
       * @example 24.00
       */
      refundable_amount: string | null
      /** @description Fee of the processor, in major units of `fee_currency`; null until it is known. */
      fee_amount: string | null
      /** @description Amount less the fee, in major units of `fee_currency`; null until it is known. */
      net_amount: string | null
      /** @description Currency in which the processor pays out; null until it is known. */
      fee_currency: string | null
      /** @description Whether the money arrived when the link was paid already, or after a decline. It is refunded automatically. */
      surplus: boolean
      /** @description Id of the authorization that a capture is of; otherwise null. */
      authorisation: string | null
      /**
       * @description Your reference; null if there is none.
       * @example order-1001
       */
      alt_key: string | null
      /** @description Description of the payment; null if there is none. */
      description: string | null
      /** @description Details that the payer entered on the payment page; null if none. */
      payer: components['schemas']['Payer'] | null
      /** @description Comment that the payer added to a fixed one; null if none. */
      payer_comment: string | null
      /**
       * @description Unique reference for the customer, as on the receipt.
       * @example 7KQM-4X9T-PWRD
       */
      reference: string
      /**
       * @description Where the payment came from: `ECOMMERCE`, `MOTO` or `RECURRING`.
       * @example ECOMMERCE
       */
      source: string
      /**
       * @description Sales channel of the link or request; null if there is none.
       * @example web
       */
      channel: string | null
      /** @description Your own key-value pairs; `{}` if there are none. */
      metadata: {
        [key: string]: string
      }
      /** @description The customer who pays; null if unknown. Expandable. */
      account: string | components['schemas']['Account'] | null
      /** @description The contract that the payment is for; null if there is none. Expandable. */
      contract: string | components['schemas']['Contract'] | null
      /** @description The charge that its schedule or contract made; null if there is none. Expandable. */
      charge: string | components['schemas']['Charge'] | null
      /** @description The legal entity that is paid; null while the instance has no legal entities. Expandable. */
      legal_entity: string | components['schemas']['LegalEntity'] | null
      /** @description Id of the payment link that it was paid on; null if there is none. */
      payment_link: string | null
      /** @description The stored method that was used or created; null if there is none. Expandable. */
      payment_method: string | components['schemas']['PaymentMethod'] | null
      /** @description The operation at the processor; null for a payment that is due later. Expandable. */
      transaction: string | components['schemas']['Transaction'] | null
      /** @description Charges that the payment is for. Expandable. */
      parts: {
        /** @description The charge: its id, or the record if expanded. */
        charge: string | components['schemas']['Charge']
        /**
         * @description Amount of the part, in major units.
         * @example 24.00
         */
        amount: string
      }[]
      /**
       * @description Response of the processor; null before the request.
       * @enum {string|null}
       */
      gateway_status:
        | 'APPROVED'
        | 'PENDING'
        | 'DECLINED'
        | 'DECLINED_ERROR'
        | 'UNRESOLVED'
        | 'MANUAL'
        | null
      /**
       * @description Why the processor declined; null otherwise.
       * @example Insufficient funds
       */
      gateway_message: string | null
      /**
       * @description Reference of the operation at the processor; null if there is none.
       * @example sbx_8f3a
       */
      gateway_reference: string | null
      /**
       * @description Whether a declined method may be charged again: `NEVER`, `LATER`, or only `WITH_PAYER`, because the bank wants the customer to confirm. Null without advice of the processor, and for payments that were not declined.
       * @enum {string|null}
       */
      retry_advice: 'NEVER' | 'LATER' | 'WITH_PAYER' | null
      /** @description Whether the processor advises to look at the payment before goods are sent. */
      risk_review: boolean
      /** @description How the bank authenticated the payer; null if unknown or not applicable. */
      three_ds: {
        /**
         * @description `NONE`: nothing. `FRICTIONLESS`: without asking the payer. `CHALLENGED`: the payer confirmed. `FAILED`: the payer did not.
         * @enum {string}
         */
        status: 'NONE' | 'FRICTIONLESS' | 'CHALLENGED' | 'FAILED'
        /** @description Whether the bank bears the risk of fraud. */
        liability_shift: boolean
      } | null
      /**
       * Format: date-time
       * @description When a scheduled payment is taken; null for one that was taken at once.
       * @example 2030-01-31T09:00:00.000Z
       */
      due: string | null
      /**
       * Format: date-time
       * @description When the outcome was known; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      processed: string | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A scheduled payment was cancelled. */
    PaymentCancelledEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A scheduled payment was cancelled.
         * @constant
         */
        type: 'payment.cancelled'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description A payment was declined. */
    PaymentDeclineEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment was declined.
         * @constant
         */
        type: 'payment.decline'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description A payment that a payer can make on a page, once. */
    PaymentLink: {
      /**
       * @description Payment link id; begins with `pl_`.
       * @example pl_lp9c7k00_3fK9mQx7Rt2VbN8sLw4ZyH6c
       */
      id: string
      /**
       * @description `ACTIVE`: can be paid. `PAYMENT_PENDING`: a payment has been accepted, and its outcome is awaited. `PAYMENT_SUCCESS`: paid, or its free trial has begun, without a payment. `EXPIRED`: its time passed unpaid.
       * @enum {string}
       */
      status: 'ACTIVE' | 'PAYMENT_PENDING' | 'PAYMENT_SUCCESS' | 'EXPIRED'
      /**
       * Format: date-time
       * @description When the link was archived and so can no longer be paid; null if it was not.
       * @example 2030-01-31T09:00:00.000Z
       */
      archived: string | null
      /**
       * Format: uri
       * @description Address of the payment page, for the payer.
       * @example https://pay.shop.example/pay/pl_lp9c7k00_3fK9mQx7Rt2VbN8sLw4ZyH6c
       */
      url: string
      /**
       * Format: date-time
       * @description When the link can no longer be paid; null for never.
       * @example 2030-01-31T09:00:00.000Z
       */
      expires: string | null
      options: components['schemas']['PaymentLinkOptions']
      /** @description Free data of the creator, at most 10240 bytes as JSON. */
      state:
        | {
            [key: string]: unknown
          }
        | unknown[]
        | string
        | null
      /** @description The customer who paid. Like all relations of a link, null before `PAYMENT_PENDING` or `PAYMENT_SUCCESS`. Expandable. */
      account: string | components['schemas']['Account'] | null
      /** @description The contract that the payment or free trial began; null if there is none. Expandable. */
      contract: string | components['schemas']['Contract'] | null
      /** @description The charge that was paid, the first of several; null if there is none. Expandable. */
      charge: string | components['schemas']['Charge'] | null
      /** @description The transaction of the payment; null for a free trial. Expandable. */
      transaction: string | components['schemas']['Transaction'] | null
      /** @description The stored method used; null if none was stored. Expandable. */
      payment_method: string | components['schemas']['PaymentMethod'] | null
      /** @description The payment; null for a free trial. Expandable. */
      payment: string | components['schemas']['Payment'] | null
      /** @description The deep link whose use it is; null for a link of its own. Expandable. */
      deep_link: string | components['schemas']['DeepLink'] | null
      /**
       * Format: date-time
       * @description When the page was first opened; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      opened: string | null
      /**
       * Format: date-time
       * @description When the page was last opened; null before the first time.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_opened: string | null
      /** @description How many payments or free trials were tried, declined ones included. */
      attempts: number
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description Details of the payer, shown on the page to be changed there. An account is found or created by them when the payer pays. */
    PaymentLinkAccount: {
      /** @description Postal address. */
      address?: {
        /**
         * @description First line: street and number.
         * @example 12 rue des Lilas
         */
        line1?: string | null
        /** @description Second line. */
        line2?: string | null
        /** @description Third line. */
        line3?: string | null
        /**
         * @description City or town.
         * @example Lyon
         */
        line4?: string | null
        /**
         * @description Post or ZIP code.
         * @example 69003
         */
        line5?: string | null
        /**
         * @description State or province, as an ISO 3166-2 code.
         * @example FR-ARA
         */
        line6?: string | null
        /**
         * @description Country, ISO 3166-1 alpha-2.
         * @example FR
         */
        country?: string | null
      } | null
      /**
       * @description Your identifier of the customer. The most recently updated account with it is used; if there is none, one is created when the payer pays.
       * @example customer-7
       */
      crm_key?: string | null
      /**
       * Format: email
       * @description E-mail address.
       * @example ada@example.com
       */
      email?: string | null
      /**
       * @description First name.
       * @example Ada
       */
      first_name?: string | null
      /**
       * @description Last name.
       * @example Lovelace
       */
      last_name?: string | null
      /**
       * @description Phone number.
       * @example +33 1 23 45 67 89
       */
      phone?: string | null
    }
    /** @description Details of the payer, shown on the page to be changed there. An account is found or created by them when the payer pays. */
    PaymentLinkAccountInput: {
      /** @description Postal address. */
      address?: {
        /**
         * @description First line: street and number.
         * @example 12 rue des Lilas
         */
        line1?: string | null
        /** @description Second line. */
        line2?: string | null
        /** @description Third line. */
        line3?: string | null
        /**
         * @description City or town.
         * @example Lyon
         */
        line4?: string | null
        /**
         * @description Post or ZIP code.
         * @example 69003
         */
        line5?: string | null
        /**
         * @description State or province, as an ISO 3166-2 code.
         * @example FR-ARA
         */
        line6?: string | null
        /**
         * @description Country, ISO 3166-1 alpha-2.
         * @example FR
         */
        country?: string | null
      } | null
      /**
       * @description Your identifier of the customer. The most recently updated account with it is used; if there is none, one is created when the payer pays.
       * @example customer-7
       */
      crm_key?: string | null
      /**
       * Format: email
       * @description E-mail address.
       * @example ada@example.com
       */
      email?: string | null
      /**
       * @description First name.
       * @example Ada
       */
      first_name?: string | null
      /**
       * @description Last name.
       * @example Lovelace
       */
      last_name?: string | null
      /**
       * @description Phone number.
       * @example +33 1 23 45 67 89
       */
      phone?: string | null
    }
    /** @description A payment link was archived. */
    PaymentLinkArchivedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment link was archived.
         * @constant
         */
        type: 'payment_link.archived'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A payment link was created. */
    PaymentLinkCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment link was created.
         * @constant
         */
        type: 'payment_link.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A payment link expired. */
    PaymentLinkExpiredEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment link expired.
         * @constant
         */
        type: 'payment_link.expired'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A payment link was opened for the first time. */
    PaymentLinkOpenedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment link was opened for the first time.
         * @constant
         */
        type: 'payment_link.opened'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description Terms of the payment and configuration of the page. Members that are null or omitted are not set. */
    PaymentLinkOptions: {
      /**
       * @description The payer. An account id: no details are requested, and the stored methods of the account may be used. An object: details that the payer sees and may change.
       * @example acc_1893499200000_0a1b2c3d4e5f6g7h
       */
      account?: string | components['schemas']['PaymentLinkAccount'] | null
      /** @description Whether the payer may write a comment. */
      allow_description?: boolean | null
      /**
       * @description Fixed reference, which the payer sees and cannot change.
       * @example order-1001
       */
      alt_key?: string | null
      /**
       * @description Fixed amount in major units, with a dot. The payer cannot change it.
       * @example 24.00
       */
      amount?: string | null
      /**
       * @description Charges that the link pays, by `id` or `alt_key`, which is stored as the id: active ones of one currency and of `account`, which must be an id. The amount is what is outstanding of them, read when the page is opened and when it is submitted. It excludes `amount` and the other options of amounts.
       * @example [
       *       "cg_1893499200000_1b2c3d4e5f6g7h8i"
       *     ]
       */
      charges?: string[] | null
      /**
       * @description Smallest amount that the payer may choose, in major units. Excludes `amount`.
       * @example 5.00
       */
      amount_min?: string | null
      /**
       * @description Largest amount that the payer may choose, in major units. Excludes `amount`.
       * @example 500.00
       */
      amount_max?: string | null
      /**
       * @description One to six different amounts that the page offers beside a field for another one, within `amount_min` and `amount_max`. Excludes `amount`.
       * @example [
       *       "10.00",
       *       "25.00",
       *       "50.00"
       *     ]
       */
      amount_presets?: string[] | null
      /**
       * @description Price of one, in major units. The payer chooses how many; the amount is the product. Needs `quantity_max`, and excludes the other amounts.
       * @example 12.00
       */
      unit_amount?: string | null
      /**
       * @description How many the payer may choose at most. Needs `unit_amount`.
       * @example 8
       */
      quantity_max?: number | null
      /** @description Fixed comment, shown with the payment. */
      description?: string | null
      /**
       * @description Currency of the payment, ISO 4217; that of the instance if omitted.
       * @example EUR
       */
      currency?: string | null
      /**
       * @description Reference that the payer may change. If empty, the page requests a reference without a suggestion; if omitted, it requests none. Ignored if `alt_key` is set.
       * @example INV-1042
       */
      default_alt_key?: string | null
      /**
       * @description Amount in major units that the payer may change, within `amount_min` and `amount_max`. Ignored if `amount` is set.
       * @example 10.00
       */
      default_amount?: string | null
      /** @description Comment that the payer may change if `allow_description` is true. Ignored if `description` is set. */
      default_description?: string | null
      /**
       * @description Name of the link, the title of the page; the name of the instance if omitted.
       * @example Two bags of coffee
       */
      name?: string | null
      /** @description Introduction above the form, as plain text with line breaks. */
      page_intro?: string | null
      /** @description Sentence of the receipt of a pending payment, as plain text. Shown only if `skip_receipt` is not true and there is no `pending_url`. */
      page_pending_message?: string | null
      /** @description Sentence of the receipt, as plain text. Shown only if `skip_receipt` is not true and there is no `success_url`. */
      page_success_message?: string | null
      /**
       * Format: uri
       * @description URL to which the payer is redirected while the payment is pending. `https` only, on test instances also `http`. The server appends `payment_link`, `status` and the ids of the created records.
       * @example https://shop.example/pending
       */
      pending_url?: string | null
      /**
       * Format: uri
       * @description URL to which the payer is redirected after a successful payment. `https` only, on test instances also `http`. The server appends `payment_link`, `status` and the ids of the created records.
       * @example https://shop.example/thanks
       */
      success_url?: string | null
      /** @description True: a new method is always stored, with a notice to the payer. False: never, and methods that require storing are not offered. Omitted: the payer chooses. */
      save_card?: boolean | null
      /** @description Whether the checkbox for storing the method is ticked at first. Ignored if `save_card` is set. */
      default_save_card?: boolean | null
      /** @description Makes a contract that charges the amount again and again, beginning with the payment of the link, or after `trial_days` without one. The method is saved, with a sentence of consent that names amount and rhythm, so `save_card` must not be false. Excludes `charges`. */
      recurring?: {
        /**
         * @description Unit of time between two charges.
         * @enum {string}
         */
        frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
        /**
         * @description Number of units between two charges; 1 if omitted.
         * @example 1
         */
        interval?: number | null
        /**
         * @description How many charges there are in all, the first included. It excludes `until`.
         * @example 12
         */
        count?: number | null
        /**
         * Format: date-time
         * @description The last moment at which a charge may fall due. It excludes `count`.
         * @example 2030-01-31T09:00:00.000Z
         */
        until?: string | null
        /**
         * @description Days of a free period before the first charge. The page saves the method and takes nothing.
         * @example 14
         */
        trial_days?: number | null
      } | null
      /** @description True hides that checkbox; `default_save_card` then decides. */
      hide_save_card_toggle?: boolean | null
      /** @description True: the payer goes to `success_url` or `pending_url` at once. Otherwise a receipt is shown first, with a button that leads there. */
      skip_receipt?: boolean | null
      /** @description True: the payer gets the receipt by e-mail, and those of refunds and of later charges of a contract that it begins, if the server sends mail and has an address. */
      receipt_email?: boolean | null
      /**
       * @description Where the payment comes from; `ECOMMERCE` if omitted.
       * @enum {string|null}
       */
      source?: 'ECOMMERCE' | null
      /**
       * @description Sales channel. The page shows the branding that lists it. If any branding lists channels, it must be one of them.
       * @example kids-web
       */
      channel?: string | null
      /**
       * @description Id of the legal entity that is paid. If omitted, the first route that holds decides, else the default.
       * @example le_1893499200000_5f6g7h8i9j0k1l2m
       */
      legal_entity?: string | null
      /** @description True hides stored methods: the payer enters a new one. */
      force_add?: boolean | null
      /**
       * @description IANA time zone of dates on the page; that of the account, else of the instance, if omitted.
       * @example Europe/Paris
       */
      timezone?: string | null
    }
    /** @description Terms of the payment and configuration of the page. Members that are null or omitted are not set. */
    PaymentLinkOptionsInput: {
      /**
       * @description The payer. An account id: no details are requested, and the stored methods of the account may be used. An object: details that the payer sees and may change.
       * @example acc_1893499200000_0a1b2c3d4e5f6g7h
       */
      account?: string | components['schemas']['PaymentLinkAccountInput'] | null
      /** @description Whether the payer may write a comment. */
      allow_description?: boolean | null
      /**
       * @description Fixed reference, which the payer sees and cannot change.
       * @example order-1001
       */
      alt_key?: string | null
      /**
       * @description Fixed amount in major units, with a dot. The payer cannot change it.
       * @example 24.00
       */
      amount?: string | null
      /**
       * @description Charges that the link pays, by `id` or `alt_key`, which is stored as the id: active ones of one currency and of `account`, which must be an id. The amount is what is outstanding of them, read when the page is opened and when it is submitted. It excludes `amount` and the other options of amounts.
       * @example [
       *       "cg_1893499200000_1b2c3d4e5f6g7h8i"
       *     ]
       */
      charges?: string[] | null
      /**
       * @description Smallest amount that the payer may choose, in major units. Excludes `amount`.
       * @example 5.00
       */
      amount_min?: string | null
      /**
       * @description Largest amount that the payer may choose, in major units. Excludes `amount`.
       * @example 500.00
       */
      amount_max?: string | null
      /**
       * @description One to six different amounts that the page offers beside a field for another one, within `amount_min` and `amount_max`. Excludes `amount`.
       * @example [
       *       "10.00",
       *       "25.00",
       *       "50.00"
       *     ]
       */
      amount_presets?: string[] | null
      /**
       * @description Price of one, in major units. The payer chooses how many; the amount is the product. Needs `quantity_max`, and excludes the other amounts.
       * @example 12.00
       */
      unit_amount?: string | null
      /**
       * @description How many the payer may choose at most. Needs `unit_amount`.
       * @example 8
       */
      quantity_max?: number | null
      /** @description Fixed comment, shown with the payment. */
      description?: string | null
      /**
       * @description Currency of the payment, ISO 4217; that of the instance if omitted.
       * @example EUR
       */
      currency?: string | null
      /**
       * @description Reference that the payer may change. If empty, the page requests a reference without a suggestion; if omitted, it requests none. Ignored if `alt_key` is set.
       * @example INV-1042
       */
      default_alt_key?: string | null
      /**
       * @description Amount in major units that the payer may change, within `amount_min` and `amount_max`. Ignored if `amount` is set.
       * @example 10.00
       */
      default_amount?: string | null
      /** @description Comment that the payer may change if `allow_description` is true. Ignored if `description` is set. */
      default_description?: string | null
      /**
       * @description Name of the link, the title of the page; the name of the instance if omitted.
       * @example Two bags of coffee
       */
      name?: string | null
      /** @description Introduction above the form, as plain text with line breaks. */
      page_intro?: string | null
      /** @description Sentence of the receipt of a pending payment, as plain text. Shown only if `skip_receipt` is not true and there is no `pending_url`. */
      page_pending_message?: string | null
      /** @description Sentence of the receipt, as plain text. Shown only if `skip_receipt` is not true and there is no `success_url`. */
      page_success_message?: string | null
      /**
       * Format: uri
       * @description URL to which the payer is redirected while the payment is pending. `https` only, on test instances also `http`. The server appends `payment_link`, `status` and the ids of the created records.
       * @example https://shop.example/pending
       */
      pending_url?: string | null
      /**
       * Format: uri
       * @description URL to which the payer is redirected after a successful payment. `https` only, on test instances also `http`. The server appends `payment_link`, `status` and the ids of the created records.
       * @example https://shop.example/thanks
       */
      success_url?: string | null
      /** @description True: a new method is always stored, with a notice to the payer. False: never, and methods that require storing are not offered. Omitted: the payer chooses. */
      save_card?: boolean | null
      /** @description Whether the checkbox for storing the method is ticked at first. Ignored if `save_card` is set. */
      default_save_card?: boolean | null
      /** @description Makes a contract that charges the amount again and again, beginning with the payment of the link, or after `trial_days` without one. The method is saved, with a sentence of consent that names amount and rhythm, so `save_card` must not be false. Excludes `charges`. */
      recurring?: {
        /**
         * @description Unit of time between two charges.
         * @enum {string}
         */
        frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
        /**
         * @description Number of units between two charges; 1 if omitted.
         * @example 1
         */
        interval?: number | null
        /**
         * @description How many charges there are in all, the first included. It excludes `until`.
         * @example 12
         */
        count?: number | null
        /**
         * Format: date-time
         * @description The last moment at which a charge may fall due. It excludes `count`.
         * @example 2030-01-31T09:00:00.000Z
         */
        until?: string | null
        /**
         * @description Days of a free period before the first charge. The page saves the method and takes nothing.
         * @example 14
         */
        trial_days?: number | null
      } | null
      /** @description True hides that checkbox; `default_save_card` then decides. */
      hide_save_card_toggle?: boolean | null
      /** @description True: the payer goes to `success_url` or `pending_url` at once. Otherwise a receipt is shown first, with a button that leads there. */
      skip_receipt?: boolean | null
      /** @description True: the payer gets the receipt by e-mail, and those of refunds and of later charges of a contract that it begins, if the server sends mail and has an address. */
      receipt_email?: boolean | null
      /**
       * @description Where the payment comes from; `ECOMMERCE` if omitted.
       * @enum {string|null}
       */
      source?: 'ECOMMERCE' | null
      /**
       * @description Sales channel. The page shows the branding that lists it. If any branding lists channels, it must be one of them.
       * @example kids-web
       */
      channel?: string | null
      /**
       * @description Id of the legal entity that is paid. If omitted, the first route that holds decides, else the default.
       * @example le_1893499200000_5f6g7h8i9j0k1l2m
       */
      legal_entity?: string | null
      /** @description True hides stored methods: the payer enters a new one. */
      force_add?: boolean | null
      /**
       * @description IANA time zone of dates on the page; that of the account, else of the instance, if omitted.
       * @example Europe/Paris
       */
      timezone?: string | null
    }
    /** @description The pending payment of a link failed; the link can be paid again. */
    PaymentLinkPaymentFailedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The pending payment of a link failed; the link can be paid again.
         * @constant
         */
        type: 'payment_link.payment_failed'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A payment on a link was accepted; its outcome is decided later. */
    PaymentLinkPaymentPendingEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment on a link was accepted; its outcome is decided later.
         * @constant
         */
        type: 'payment_link.payment_pending'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A payment link was paid. */
    PaymentLinkPaymentSuccessEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment link was paid.
         * @constant
         */
        type: 'payment_link.payment_success'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A payment link was changed. */
    PaymentLinkUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment link was changed.
         * @constant
         */
        type: 'payment_link.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_link: components['schemas']['PaymentLink']
        }
      }
    }
    /** @description A card or bank account that a payer agreed to have stored. Nothing in it can be charged with outside of this server. */
    PaymentMethod: {
      /**
       * @description Payment method id; begins with `pm_`.
       * @example pm_1893499200000_4e5f6g7h8i9j0k1l
       */
      id: string
      /** @description The customer it belongs to. Expandable. */
      account: string | components['schemas']['Account'] | null
      /**
       * @description Type: `CARD`, `DIRECT_DEBIT` or another that a processor offers.
       * @example CARD
       */
      type: string
      /**
       * @description Short display name.
       * @example visa •••• 4242
       */
      label: string
      /** @description The card; null for other types. */
      card: {
        /**
         * @description Brand; null if unknown.
         * @example visa
         */
        brand: string | null
        /**
         * @description Last four digits of the number; null if unknown.
         * @example 4242
         */
        last4: string | null
        /**
         * @description Month in which it expires, 1 to 12; null if unknown.
         * @example 12
         */
        exp_month: number | null
        /**
         * @description Year in which it expires; null if unknown.
         * @example 2030
         */
        exp_year: number | null
        /**
         * @description Funding type as reported by the processor; null if unknown.
         * @example credit
         */
        funding: string | null
        /**
         * @description Country of the issuer, ISO 3166-1 alpha-2; null if unknown.
         * @example FR
         */
        country: string | null
      } | null
      /** @description The bank account; null for cards. */
      bank: {
        /**
         * @description Last four characters of the account number; null if unknown.
         * @example 0077
         */
        last4: string | null
        /**
         * @description Country of the bank, ISO 3166-1 alpha-2; null if unknown.
         * @example GB
         */
        country: string | null
      } | null
      /**
       * @description `ACTIVE`: can be used. `EXPIRED`: the month of the card is over (UTC). `REMOVED`: deleted by you or the payer.
       * @enum {string}
       */
      status: 'ACTIVE' | 'EXPIRED' | 'REMOVED'
      /** @description Whether it may be used again. False for a method that was stored only because one payment needed it. */
      reusable: boolean
      /** @description Whether it is the newest usable method of its account, the one offered first. */
      default: boolean
      /** @description How the payer agreed to have it stored. */
      consent: {
        /** @description Whether the payer agreed. */
        given: boolean
        /** @description The consent text that the payer accepted; null if you stored the method with `POST /payments` and obtained consent yourself. */
        text: string | null
        /**
         * @description Language of the consent text; null if there is none.
         * @example fr
         */
        language: string | null
        /**
         * Format: date-time
         * @description When the payer agreed.
         * @example 2030-01-31T09:00:00.000Z
         */
        at: string | null
        /** @description The checkout session in which that happened; null for `POST /payments`. */
        checkout: string | null
      }
      /**
       * @description Processor that keeps the card or account: `sandbox`, or the id of a connected one (`pr_…`).
       * @example sandbox
       */
      gateway: string
      /**
       * @description Identical for the same card or account of any payer. It identifies duplicates and cannot be charged.
       * @example fp_2b7e1516
       */
      fingerprint: string
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A payment method was stored. */
    PaymentMethodCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment method was stored.
         * @constant
         */
        type: 'payment_method.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_method: components['schemas']['PaymentMethod']
        }
      }
    }
    /** @description A payment method was removed. */
    PaymentMethodRemovedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment method was removed.
         * @constant
         */
        type: 'payment_method.removed'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_method: components['schemas']['PaymentMethod']
        }
      }
    }
    /** @description A stored payment method was saved again or changed. */
    PaymentMethodUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A stored payment method was saved again or changed.
         * @constant
         */
        type: 'payment_method.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment_method: components['schemas']['PaymentMethod']
        }
      }
    }
    /** @description A payment was accepted; its outcome is decided later. */
    PaymentPendingEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment was accepted; its outcome is decided later.
         * @constant
         */
        type: 'payment.pending'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description A payment was scheduled. */
    PaymentScheduledEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment was scheduled.
         * @constant
         */
        type: 'payment.scheduled'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description A payment or authorization succeeded. */
    PaymentSuccessEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment or authorization succeeded.
         * @constant
         */
        type: 'payment.success'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description Money arrived when its link was paid already, or after a decline; it is being refunded. */
    PaymentSurplusEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description Money arrived when its link was paid already, or after a decline; it is being refunded.
         * @constant
         */
        type: 'payment.surplus'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description The outcome of a payment is unknown; the server keeps querying the processor. */
    PaymentUnresolvedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The outcome of a payment is unknown; the server keeps querying the processor.
         * @constant
         */
        type: 'payment.unresolved'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description An authorization was voided. */
    PaymentVoidedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description An authorization was voided.
         * @constant
         */
        type: 'payment.voided'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          payment: components['schemas']['Payment']
        }
      }
    }
    /** @description How a user has set up the console. */
    Preferences: {
      /**
       * @description Colors: those of the system, light or dark.
       * @enum {string}
       */
      theme: 'system' | 'light' | 'dark'
      /**
       * @description Height of rows.
       * @enum {string}
       */
      density: 'normal' | 'compact'
      /**
       * @description IANA time zone of the times that the console shows; null for that of the instance.
       * @example Europe/Paris
       */
      timezone: string | null
      /**
       * @description Columns by list. A list that is not named has its standard columns.
       * @example {
       *       "payments": [
       *         "amount",
       *         "status",
       *         "when"
       *       ]
       *     }
       */
      columns: {
        [key: string]: string[]
      }
      /** @description Saved views, in their order. */
      views: components['schemas']['ListView'][]
    }
    /** @description An account at a payment processor that the instance has connected. */
    Processor: {
      /**
       * @description Processor id; begins with `pr_`.
       * @example pr_1893499200000_3p4r5s6t7u8v9w0x
       */
      id: string
      /**
       * @description The processor.
       * @enum {string}
       */
      name: 'stripe'
      /**
       * @description The mode of its keys and of the instance.
       * @enum {string}
       */
      mode: 'TEST' | 'LIVE'
      /**
       * @description `ACTIVE`: takes payments. `BROKEN`: the processor refuses the key, so payers are not offered its methods. `DISABLED`: takes no new payments, and is kept for refunds.
       * @enum {string}
       */
      status: 'ACTIVE' | 'BROKEN' | 'DISABLED'
      /**
       * @description Publishable key, which browsers receive.
       * @example pk_test_51Example0Publishable0Key
       */
      publishable_key: string
      /**
       * @description Beginning and end of the secret key.
       * @example rk_…0Key
       */
      key_hint: string
      /**
       * @description The processor’s id of the account that is paid; null if unknown.
       * @example acct_1ExampleAccount
       */
      account: string | null
      webhook: components['schemas']['ProcessorWebhook']
      /**
       * @description Types of payment methods that payers are offered.
       * @example [
       *       "CARD"
       *     ]
       */
      methods: string[]
      /**
       * @description Settings of this processor; see [processors](processors.md).
       * @example {
       *       "methods": [
       *         "CARD"
       *       ],
       *       "saved_csc": "ASK"
       *     }
       */
      settings: {
        [key: string]: unknown
      }
      /** @description Who created it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /** @description Who made the last change, and from where. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A processor refuses its key; payers are not offered its methods until it has another. */
    ProcessorBrokenEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A processor refuses its key; payers are not offered its methods until it has another.
         * @constant
         */
        type: 'processor.broken'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          processor: components['schemas']['Processor']
        }
      }
    }
    /** @description A processor was connected. */
    ProcessorCreatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A processor was connected.
         * @constant
         */
        type: 'processor.created'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          processor: components['schemas']['Processor']
        }
      }
    }
    /** @description A processor was disabled; it takes no new payments. */
    ProcessorDisabledEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A processor was disabled; it takes no new payments.
         * @constant
         */
        type: 'processor.disabled'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          processor: components['schemas']['Processor']
        }
      }
    }
    /** @description A processor was changed, or accepts its key again. */
    ProcessorUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A processor was changed, or accepts its key again.
         * @constant
         */
        type: 'processor.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          processor: components['schemas']['Processor']
        }
      }
    }
    /** @description How the processor reports what has changed. */
    ProcessorWebhook: {
      /**
       * @description Where the processor sends notifications; null while `BASE_URL` is an address of this machine.
       * @example https://pay.shop.example/processors/stripe/webhooks/pr_1893499200000_3p4r5s6t7u8v9w0x
       */
      url: string | null
      /**
       * @description `AUTOMATIC`: the endpoint was made for you. `MANUAL`: you made it. `MISSING`: enter `url` and `events` at the processor, and its signing secret here. `OFF`: the server is not reachable for the processor. Without notifications, the processor is asked from time to time.
       * @enum {string}
       */
      status: 'AUTOMATIC' | 'MANUAL' | 'MISSING' | 'OFF'
      /**
       * @description The types of event that the processor is to send.
       * @example [
       *       "payment_intent.succeeded",
       *       "charge.dispute.created"
       *     ]
       */
      events: string[]
      /**
       * Format: date-time
       * @description When the last authentic notification came; null before the first.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_heard: string | null
    }
    /** @description Money given back to a customer. */
    Refund: {
      /**
       * @description Refund id; begins with `ref_`.
       * @example ref_1893499200000_6g7h8i9j0k1l2m3n
       */
      id: string
      /** @description The legal entity of the payment; null while the instance has no legal entities. Expandable. */
      legal_entity: string | components['schemas']['LegalEntity'] | null
      /** @description The original payment; for a capture, its authorization. Expandable. */
      payment: string | components['schemas']['Payment'] | null
      /**
       * @description Amount refunded, in major units.
       * @example 10.00
       */
      amount: string
      /**
       * @description Currency, always that of the payment.
       * @example EUR
       */
      currency: string
      /**
       * @description Reason of the refund; null if none was given.
       * @example Returned
       */
      reason: string | null
      /**
       * @description Unique reference for the customer.
       * @example 7KQM-4X9T-PWRD
       */
      reference: string
      /** @description The transaction that is refunded: that of the payment or capture. Expandable. */
      source_transaction: string | components['schemas']['Transaction'] | null
      /**
       * @description `SUCCESS`: refunded. `PENDING`: in progress, or to be made manually. `DECLINED`: declined. `INVALID_PAYMENT_METHOD`: the card or account no longer exists. `UNRESOLVED`: the outcome is unknown. `UNATTRIBUTED`: the processor reported a refund of an unknown payment.
       * @enum {string}
       */
      status:
        | 'SUCCESS'
        | 'PENDING'
        | 'DECLINED'
        | 'INVALID_PAYMENT_METHOD'
        | 'UNRESOLVED'
        | 'UNATTRIBUTED'
      /**
       * @description Response of the processor, `MANUAL` for a manual refund; null before it.
       * @enum {string|null}
       */
      gateway_status:
        | 'APPROVED'
        | 'PENDING'
        | 'DECLINED'
        | 'DECLINED_ERROR'
        | 'UNRESOLVED'
        | 'MANUAL'
        | null
      /** @description Why it is pending or was declined; null otherwise. */
      gateway_message: string | null
      /** @description True if the refund is made manually and only recorded here. */
      manual: boolean
      /** @description True if you recorded a refund that was made offline. */
      offline: boolean
      /** @description True if the money came back after `SUCCESS`. Its amount can be refunded again. */
      failed_later: boolean
      /** @description The customer; null if unknown. Expandable. */
      account: string | components['schemas']['Account'] | null
      /** @description Charges that it was taken from. */
      parts: {
        /**
         * @description Id of the charge.
         * @example cg_1893499200000_1b2c3d4e5f6g7h8i
         */
        charge: string
        /**
         * @description Amount of the part, in major units.
         * @example 10.00
         */
        amount: string
      }[]
      /**
       * Format: date-time
       * @description When it was completed; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      processed: string | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A refund was declined. */
    RefundDeclinedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A refund was declined.
         * @constant
         */
        type: 'refund.declined'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          refund: components['schemas']['Refund']
        }
      }
    }
    /** @description The money of a refund that had succeeded came back. */
    RefundFailedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The money of a refund that had succeeded came back.
         * @constant
         */
        type: 'refund.failed'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          refund: components['schemas']['Refund']
        }
      }
    }
    /** @description Body of a request that refunds a payment. Without one, all that is left is refunded. */
    RefundPayment: {
      /** @description How much to refund. Left out or `{}`, all that is left. */
      refund?: {
        /**
         * @description Amount to refund, in major units; the whole refundable amount if omitted.
         * @example 10.00
         */
        amount?: string | null
        /**
         * @description Currency of the payment. Any other is refused.
         * @example EUR
         */
        currency?: string | null
        /**
         * @description Why it is refunded.
         * @example Returned
         */
        reason?: string | null
        /** @description True only records a refund that you made another way; no money moves. */
        offline?: boolean | null
        /**
         * @description Reference for the customer, unique in the instance; made by the server if omitted.
         * @example CREDIT-17
         */
        reference?: string | null
        /** @description Charges from which the refund is taken; the amounts must add up to the whole refund. If omitted, the last part of the payment is refunded first. */
        parts?:
          | {
              /**
               * @description The charge.
               * @example cg_1893499200000_1b2c3d4e5f6g7h8i
               */
              charge: string
              /**
               * @description Amount of the part, in major units.
               * @example 12.00
               */
              amount: string
            }[]
          | null
      } | null
    }
    /** @description A refund is in progress, or is to be made manually. */
    RefundPendingEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A refund is in progress, or is to be made manually.
         * @constant
         */
        type: 'refund.pending'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          refund: components['schemas']['Refund']
        }
      }
    }
    /** @description A refund succeeded. */
    RefundSuccessEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A refund succeeded.
         * @constant
         */
        type: 'refund.success'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          refund: components['schemas']['Refund']
        }
      }
    }
    /** @description The outcome of a refund is unknown; the server keeps querying the processor. */
    RefundUnresolvedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The outcome of a refund is unknown; the server keeps querying the processor.
         * @constant
         */
        type: 'refund.unresolved'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          refund: components['schemas']['Refund']
        }
      }
    }
    /** @description Body of a request with a new order. */
    ReplaceLegalEntityRoutes: {
      /** @description All routes in their new order. Those that are missing are deleted. */
      legal_entity_routes: {
        /**
         * @description Id of an active legal entity.
         * @example le_1893499200000_5f6g7h8i9j0k1l2m
         */
        legal_entity: string
        /** @description Conditions that must all hold. Of the values of one member, one must hold; an omitted member is no condition. */
        when?: {
          /**
           * @description Currencies, ISO 4217.
           * @example [
           *       "EUR"
           *     ]
           */
          currency?: string[]
          /**
           * @description Countries of the payer: as entered, else of the account, else of the card. ISO 3166-1.
           * @example [
           *       "FR",
           *       "BE"
           *     ]
           */
          country?: string[]
          /**
           * @description Sales channels.
           * @example [
           *       "web"
           *     ]
           */
          channel?: string[]
          /**
           * @description Keys of brandings.
           * @example [
           *       "kids"
           *     ]
           */
          branding?: string[]
          /** @description Where payments come from. */
          source?: ('ECOMMERCE' | 'MOTO' | 'RECURRING')[]
          /**
           * @description Tags, of which the account has one.
           * @example [
           *       "wholesale"
           *     ]
           */
          account_tag?: string[]
          /** @description Range of the amount, both ends included. */
          amount?: {
            /**
             * @description Smallest amount; any if omitted.
             * @example 0.00
             */
            from?: string
            /**
             * @description Largest amount; any if omitted.
             * @example 99.99
             */
            to?: string
            /**
             * @description Currency of both. Payments in another one do not match.
             * @example EUR
             */
            currency: string
          }
        }
        /**
         * @description The processor with which the legal entity settles; null for any. Payments of the route use no other.
         * @example pr_1893499200000_2b3c4d5e6f7g8h9i
         */
        processor?: string | null
        /** @description False skips the route. */
        enabled?: boolean
        /** @description Note of your own; null if there is none. */
        description?: string | null
        /**
         * @description Id of a present route, which keeps it and the members that are omitted; without one the route is new.
         * @example ler_1893499200000_6g7h8i9j0k1l2m3n
         */
        id?: string
      }[]
    }
    /** @description Body of a request that sends events to a webhook again. */
    ReplayInstanceWebhook: {
      /** @description Which events to send again: all that fit every member given. At least one is needed. */
      replay: {
        /**
         * @description Id of one event.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        event?: string | null
        /**
         * @description A type, or a pattern as in `events`.
         * @example payment_link.*
         */
        type?: string | null
        /**
         * Format: date-time
         * @description Events created then or later.
         * @example 2030-01-31T09:00:00.000Z
         */
        from?: string | null
        /**
         * Format: date-time
         * @description Events created then or earlier.
         * @example 2030-01-31T09:00:00.000Z
         */
        to?: string | null
      }
    }
    /** @description Body of a request that tries the routes. */
    ResolveLegalEntity: {
      /** @description A payment that is not made. */
      payment: {
        /**
         * @description Amount in major units. Without one, no range of amounts holds.
         * @example 12.50
         */
        amount?: string
        /**
         * @description Currency; that of the instance if omitted, ISO 4217.
         * @example EUR
         */
        currency?: string
        /**
         * @description Country of the payer, ISO 3166-1.
         * @example FR
         */
        country?: string
        /**
         * @description Sales channel.
         * @example web
         */
        channel?: string
        /**
         * @description Key of a branding.
         * @example kids
         */
        branding?: string
        /**
         * @description Where it comes from; `ECOMMERCE` if omitted.
         * @enum {string}
         */
        source?: 'ECOMMERCE' | 'MOTO' | 'RECURRING'
        /**
         * @description Tags of the account.
         * @example [
         *       "wholesale"
         *     ]
         */
        account_tag?: string[]
        /**
         * @description Processor of a stored method.
         * @example sandbox
         */
        processor?: string
      }
    }
    /** @description Money of a payment that was taken back, such as by a dispute, or of a refund that did not arrive. */
    Reversal: {
      /**
       * @description Reversal id; begins with `rv_`.
       * @example rv_1893585600000_7h8i9j0k1l2m3n4o
       */
      id: string
      /** @description The payment or capture whose money is taken back. Expandable. */
      payment: string | components['schemas']['Payment'] | null
      /** @description Id of the refund that failed; null for other types. */
      refund: string | null
      /**
       * @description `INQUIRY`: the bank asks about the payment, which may become a dispute; nothing is withdrawn, and the payment can be refunded. `DISPUTE`: the payer disputes the payment. `RETURN`: the bank returns a debit. `EXTERNAL_REFUND`: you refunded the payment at the processor. `REFUND_FAILED`: a refund that had succeeded did not arrive, so its amount can be refunded again.
       * @enum {string}
       */
      type: 'INQUIRY' | 'DISPUTE' | 'RETURN' | 'EXTERNAL_REFUND' | 'REFUND_FAILED'
      /**
       * @description `OPEN`: the amount is withdrawn until the decision, except by an `INQUIRY`. `WON`: you have the amount. `LOST`: the payer keeps the amount.
       * @enum {string}
       */
      status: 'OPEN' | 'WON' | 'LOST'
      /**
       * @description Amount taken back, in major units.
       * @example 24.00
       */
      amount: string
      /**
       * @description Currency, always that of the payment.
       * @example EUR
       */
      currency: string
      /**
       * @description Reason reported by the processor; null if there is none.
       * @example The cardholder did not receive the goods.
       */
      reason: string | null
      /**
       * Format: date-time
       * @description Until when the processor accepts evidence; null if it accepts none.
       * @example 2030-01-31T09:00:00.000Z
       */
      due: string | null
      /**
       * @description Reference of the reversal at the processor.
       * @example sdispute_8f3a
       */
      gateway_reference: string
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A dispute was won or lost, a debit was returned, you refunded a payment at the processor, or a refund came back. */
    ReversalClosedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A dispute was won or lost, a debit was returned, you refunded a payment at the processor, or a refund came back.
         * @constant
         */
        type: 'reversal.closed'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          reversal: components['schemas']['Reversal']
        }
      }
    }
    /** @description A payment was disputed. */
    ReversalOpenedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A payment was disputed.
         * @constant
         */
        type: 'reversal.opened'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          reversal: components['schemas']['Reversal']
        }
      }
    }
    /** @description An open dispute changed, such as the time until which evidence is taken. */
    ReversalUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description An open dispute changed, such as the time until which evidence is taken.
         * @constant
         */
        type: 'reversal.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          reversal: components['schemas']['Reversal']
        }
      }
    }
    /** @description Body of a request that takes back a revision. */
    RevertStringRevision: {
      /** @description The revision that takes back the other. */
      revision?: {
        /**
         * @description Why the texts change, for the history.
         * @example Donations instead of payments
         */
        note?: string | null
      }
    }
    /** @description Body of a request that replaces the signing secret of a webhook endpoint. */
    RotateProcessorWebhookSecret: {
      /** @description The new secret, where you made the webhook endpoint yourself. */
      processor?: {
        /**
         * Format: password
         * @description Signing secret of a webhook endpoint that you made yourself. Without it, the endpoint is made for you.
         * @example whsec_Example0Signing0Secret
         */
        webhook_secret?: string
      }
    }
    /** @description Body of a request that saves a payment method. */
    SaveTaskMethod: {
      /**
       * Format: uuid
       * @description Key of one press of the button: a repeat with it saves nothing twice.
       * @example 8f14e45f-ceea-4671-a1bb-2c5e7e1e6a90
       */
      attempt_key: string
      /** @description The method to save. */
      payment_method: {
        /**
         * @description Type of the method.
         * @example CARD
         */
        type: string
        /**
         * @description Processor of the method.
         * @example sandbox
         */
        processor: string
        /**
         * @description Token of the entered details.
         * @example tok_2b7e1516
         */
        token: string
      }
    }
    /** @description A record that a search found. */
    SearchResult: {
      /**
       * @description What it is.
       * @enum {string}
       */
      kind: 'payment' | 'payment_link' | 'deep_link' | 'account' | 'charge' | 'contract' | 'refund'
      /**
       * @description Id of the record.
       * @example pay_1893499200000_8i9j0k1l2m3n4o5p
       */
      id: string
      /**
       * @description What names it best: its name, key, description or reference.
       * @example Tea for two
       */
      title: string
      /**
       * @description What else tells it apart: the card of a payment, the email of a customer, the key of a link.
       * @example visa 4242
       */
      detail: string | null
      /**
       * @description Its status, as its own GET returns it.
       * @example SUCCESS
       */
      status: string
      /**
       * @description Its amount in major units; null if it has none.
       * @example 24.00
       */
      amount: string | null
      /**
       * @description Its currency; null if it has none.
       * @example EUR
       */
      currency: string | null
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * @description The member in which the text was found.
       * @example last4
       */
      matched: string
    }
    /** @description A key of the API, without its secret. */
    SecretKey: {
      /**
       * @description Secret key id; begins with `key_`.
       * @example key_1893499200000_3n4o5p6q7r8s9t0u
       */
      id: string
      /**
       * @description What the merchant calls it; null if it has no name.
       * @example Accounting
       */
      name: string | null
      /**
       * @description How the secret begins.
       * @example sk_test_default_Zm9vYmFy
       */
      prefix: string
      /**
       * @description How the secret ends; empty for a short one.
       * @example q7Xw
       */
      last4: string
      /**
       * @description What the key may do; null for everything.
       * @example [
       *       "payment_links:read",
       *       "payment_links:write"
       *     ]
       */
      scopes: string[] | null
      /**
       * @description The secret: the user name of HTTP Basic. Present only in the response that creates the key; a repeated request with the same `Idempotency-Key` is answered without it.
       * @example sk_test_default_Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OWFiY2RlZnE3Xw
       */
      secret?: string
      /**
       * Format: date-time
       * @description When the key was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /** @description Who created it, and from where; null if the server did. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When it was last used, to a minute; null if never.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_used: string | null
      /**
       * Format: date-time
       * @description When it stops to work, in real time; null if never.
       * @example 2030-01-31T09:00:00.000Z
       */
      expires: string | null
      /**
       * @description Networks from which alone the key works; null for all addresses.
       * @example [
       *       "203.0.113.0/24"
       *     ]
       */
      allowed_addresses: string[] | null
      /**
       * Format: date-time
       * @description When it was revoked; null while it is not.
       * @example 2030-01-31T09:00:00.000Z
       */
      revoked: string | null
    }
    /** @description Body of a request that sends a link by mail. */
    SendPaymentLink: {
      /** @description The mail to send. */
      mail: {
        /**
         * Format: email
         * @description E-mail address of the payer.
         * @example ada@example.com
         */
        to: string
        /**
         * @description Language of the mail and of the page that it leads to; that of the account that the link names, else the base wording, if omitted.
         * @example de
         */
        language?: string | null
      }
    }
    /** @description The page of a checkout session as its payer saw it. */
    SessionPage: {
      /** @description The states that the page was in, oldest first. */
      states: components['schemas']['PageState'][]
      /** @description The page with its form, in the wording of the session. Methods are those of today, and stored methods are left out. */
      checkout: components['schemas']['Checkout']
      /** @description Whether the terms of the link have changed since the session showed them, so that `checkout` has the new ones. */
      terms_changed: boolean
      /** @description Whether the page shows that it takes no real money. */
      test_mode: boolean
      /** @description https URL of the logo, as it is today; null if there is none. */
      logo: string | null
      /**
       * @description Style sheet of the theme, as it is today; empty for the default theme.
       * @example :root{--accent:#0b6b4f}
       */
      css: string
      /**
       * Format: date-time
       * @description When the session and its wording are deleted; null while it has not ended.
       * @example 2030-01-31T09:00:00.000Z
       */
      kept_until: string | null
    }
    /** @description One sentence of the payment page, in one language and branding. */
    String: {
      /**
       * @description String id: its set, a dot, and its name.
       * @example checkout.pay
       */
      id: string
      /**
       * @description The resolved text in this language and branding.
       * @example Donate {amount}
       */
      text: string
      /**
       * @description Language of the record: two letters, or `default`.
       * @example fr
       */
      language: string
      /**
       * @description Key of the branding; omitted for the instance itself.
       * @example kids
       */
      branding?: string
      /**
       * @description The string that the override replaces. Present only if the string is overridden in this language and branding.
       * @example Pay {amount}
       */
      overriding?: string
      /** @description True if the text may no longer say what it should. See `stale_because`. Absent once it was found right. */
      stale?: boolean
      /**
       * @description `BASE_CHANGED`: a built-in translation whose base string is overridden. `OLDER`: an overridden translation that is older than the override of its base string. `SHIPPED_CHANGED`: the built-in text that the override replaces was changed by an upgrade.
       * @enum {string}
       */
      stale_because?: 'BASE_CHANGED' | 'OLDER' | 'SHIPPED_CHANGED'
      /**
       * @description What `PUT /string_acks` takes to note that the text is still right. Changes with the text and with what it depends on.
       * @example Zx3kq0mB1nV7c2LdW9aQeT
       */
      stale_hash?: string
    }
    /** @description A stale string that was found right. */
    StringAck: {
      /**
       * @description String id: its set, a dot, and its name.
       * @example checkout.pay
       */
      id: string
      /**
       * @description Language: two letters, or `default` for the base strings.
       * @example fr
       */
      language: string
      /**
       * @description Key of the branding; null for the instance itself.
       * @example kids
       */
      branding: string | null
      /** @description True if the string is still stale, because it has changed since it was seen. */
      stale: boolean
      /**
       * Format: date-time
       * @description When the string was last found right.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /** @description Who found it right, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
    }
    /** @description The request changes strings that others have changed since. */
    StringConflictError: {
      /** @description The error. */
      error: {
        /**
         * @description Error type, for programs.
         * @example CONFLICT
         */
        type: string
        /** @description Message for developers. */
        message: string
        /** @description Version of the strings now. */
        version?: number
        /** @description The strings of the request that were changed since `base_version`. Absent if another request is still running; retry it after the seconds in Retry-After. */
        conflicts?: {
          /**
           * @description String id: its set, a dot, and its name.
           * @example checkout.pay
           */
          id: string
          /**
           * @description Language: two letters, or `default` for the base strings.
           * @example fr
           */
          language: string
          /**
           * @description Key of the branding; null for the instance itself.
           * @example kids
           */
          branding: string | null
          /** @description The text now; null if there is no override. */
          text: string | null
          /** @description Id of the last revision that changed it. */
          revision: string
        }[]
      }
    }
    /** @description A text that the merchant has replaced in one language and branding. */
    StringOverride: {
      /**
       * @description String id: its set, a dot, and its name.
       * @example checkout.pay
       */
      id: string
      /**
       * @description Language: two letters, or `default` for the base strings.
       * @example fr
       */
      language: string
      /**
       * @description Key of the branding; null for the instance itself.
       * @example kids
       */
      branding: string | null
      /**
       * @description The text that the merchant has written.
       * @example Donner {amount}
       */
      text: string
      /** @description Whether the built-in text in this language is another one since the last change, as an upgrade can make it. */
      shipped_changed: boolean
      /**
       * Format: date-time
       * @description When the text was first replaced.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the text last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Who made the last change, and from where; null for changes before sessions were noted. Expandable. */
      updated_session: string | components['schemas']['ActorSession'] | null
    }
    /** @description Changes of strings that were saved by one request. */
    StringRevision: {
      /**
       * @description Revision id; begins with `sr_`.
       * @example sr_1893499200000_9j0k1l2m3n4o5p6q
       */
      id: string
      /** @description Why the texts changed, as the caller wrote it. */
      note: string | null
      /** @description Id of the revision that this one takes back; null for others. */
      reverts: string | null
      /** @description Version of the strings after it. */
      version: number
      /** @description How many strings it changed. */
      change_count: number
      /** @description The changes, by branding, language and id. Present only when it is read by its id. */
      changes?: {
        /**
         * @description String id: its set, a dot, and its name.
         * @example checkout.pay
         */
        id: string
        /**
         * @description Language: two letters, or `default` for the base strings.
         * @example fr
         */
        language: string
        /**
         * @description Key of the branding; null for the instance itself.
         * @example kids
         */
        branding: string | null
        /**
         * @description The text before; null if there was no override.
         * @example Give {amount}
         */
        before: string | null
        /**
         * @description The text after; null if the override was removed.
         * @example Donner {amount}
         */
        text: string | null
      }[]
      /**
       * Format: date-time
       * @description When the strings changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /** @description Who changed them, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
    }
    /** @description Strings of one set were changed. */
    StringsUpdatedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description Strings of one set were changed.
         * @constant
         */
        type: 'strings.updated'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          strings: components['schemas']['ChangedStrings']
        }
      }
    }
    /** @description A session or payment that waits for its processor. */
    StuckOperation: {
      /**
       * @description Id of the checkout session or the payment.
       * @example ck_1893499200000_8i9j0k1l2m3n4o5p
       */
      id: string
      /**
       * @description Whether it is a checkout session or a payment.
       * @enum {string}
       */
      type: 'CHECKOUT' | 'PAYMENT'
      /**
       * @description Its status: `SUBMITTED` or `PENDING` of a session, `UNRESOLVED` of a payment.
       * @enum {string}
       */
      status: 'SUBMITTED' | 'PENDING' | 'UNRESOLVED'
      /** @description The payment link that is being paid; null if there is none. Expandable. */
      payment_link: string | components['schemas']['PaymentLink'] | null
      /** @description The customer; null if there is none. Expandable. */
      account: string | components['schemas']['Account'] | null
      /**
       * @description The amount in major units.
       * @example 24.00
       */
      amount: string | null
      /**
       * @description Its currency.
       * @example EUR
       */
      currency: string | null
      /**
       * Format: date-time
       * @description When a session took its status, or when a payment was made.
       * @example 2030-01-31T09:00:00.000Z
       */
      since: string
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
    }
    /** @description The result of a submit. */
    SubmitAnswer: {
      /**
       * @description `COMPLETED`: paid, or the free trial has begun. `PENDING`: the outcome comes later. `DECLINED`: declined; the payer may try again. `ACTION`: the bank requires a confirmation. `TERMS_CHANGED`: the link has changed; read the checkout again. `BUSY`: the link is being paid in another window. `GONE`: the link can no longer be paid.
       * @enum {string}
       */
      outcome: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'ACTION' | 'TERMS_CHANGED' | 'BUSY' | 'GONE'
      /**
       * @description URL to which the page redirects at once, with its parameters. Omitted if a receipt is shown.
       * @example https://shop.example/thanks?payment_link=pl_1&status=COMPLETED
       */
      redirect?: string
      /** @description Address of the server that redirects there, and works in another browser too. */
      return_url?: string
      /** @description The next action of the payer, for `ACTION`. */
      action?: {
        /**
         * @description `REDIRECT`: the payer opens `url`.
         * @constant
         */
        type: 'REDIRECT'
        /**
         * @description Confirmation page of the bank.
         * @example https://bank.example/confirm/8f3a
         */
        url: string
        /** @description True if that page may be shown inside an embedded checkout; omitted if it needs the whole window. */
        in_frame?: boolean
      }
      /**
       * @description Id of the string that explains the outcome to the payer. Omitted if there is none.
       * @example errors.declined
       */
      message_id?: string
    }
    /** @description Body of the request by which a payer pays. */
    SubmitCheckout: {
      /**
       * Format: uuid
       * @description UUID of this attempt. A repeated key returns the first response and never pays twice; use a new one after a final outcome.
       * @example 3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b
       */
      attempt_key: string
      /** @description `options_v` of the checkout that the payer saw. An older version returns `TERMS_CHANGED`. */
      options_v: number
      /**
       * @description Amount that the payer entered, in major units. If the link fixes the amount, it must be the same.
       * @example 24.00
       */
      amount?: string
      /**
       * @description How many the payer chose. Required if the link asks for a quantity; `amount`, if it is sent too, must be the product.
       * @example 3
       */
      quantity?: number
      /**
       * @description Currency that the payer saw. It must be that of the checkout.
       * @example EUR
       */
      currency?: string
      /** @description Reference that the payer entered; null for none. If omitted, the reference of the link applies. */
      alt_key?: string | null
      /** @description Comment that the payer entered. */
      description?: string
      /** @description Details that the payer entered. Used if `details.needed` is true. */
      account?: {
        /** @description First name that the payer entered. */
        first_name?: string | null
        /** @description Last name that the payer entered. */
        last_name?: string | null
        /**
         * Format: email
         * @description E-mail address that the payer entered.
         * @example ada@example.com
         */
        email?: string | null
        /** @description Phone number that the payer entered. */
        phone?: string | null
        /** @description Postal address that the payer entered. */
        address?: {
          /**
           * @description First line: street and number.
           * @example 12 rue des Lilas
           */
          line1?: string | null
          /** @description Second line. */
          line2?: string | null
          /** @description Third line. */
          line3?: string | null
          /**
           * @description City or town.
           * @example Lyon
           */
          line4?: string | null
          /**
           * @description Post or ZIP code.
           * @example 69003
           */
          line5?: string | null
          /**
           * @description State or province, as an ISO 3166-2 code.
           * @example FR-ARA
           */
          line6?: string | null
          /**
           * @description Country, ISO 3166-1 alpha-2.
           * @example FR
           */
          country?: string | null
        } | null
      }
      /** @description How to pay: a saved method by its id, or a new one by its token. */
      payment_method: {
        /**
         * @description Id of one of `saved_methods`. It excludes `type`, `processor` and `token`.
         * @example pm_1893499200000_4e5f6g7h8i9j0k1l
         */
        id?: string
        /** @description Security code of a saved card, required with one unless its `csc` says otherwise. It is handed to the processor and not stored. */
        csc?: string
        /**
         * @description Token that the processor's script created from the security code of a saved card; required with a card whose `csc` is TOKEN. It is handed to the processor and not stored.
         * @example cvctok_1893
         */
        csc_token?: string
        /**
         * @description Type of a new method, one of `methods`; `CARD` if omitted.
         * @example CARD
         */
        type?: string
        /**
         * @description Processor of a new method, as in `methods`. Required only if two processors offer the type.
         * @example sandbox
         */
        processor?: string
        /**
         * @description Token that the processor's script created from the card or account. Not required for methods that redirect to a bank.
         * @example tok_4242
         */
        token?: string
      }
      /** @description Whether the payer consented to storing a new method. Allowed only if the checkout offers the choice. */
      save_card?: boolean
      /** @description Proof of work for the challenge in the header `Checkstand-Work` of a 429 response. */
      proof?: string
      /** @description How long ago the payer reached the `milestones` of the session. */
      milliseconds_since?: {
        /**
         * @description Milliseconds since first name, last name and a valid email were first all present in the form.
         * @example 5200
         */
        details_done?: number
        /**
         * @description Milliseconds since the payer first chose a method or entered something into its fields.
         * @example 3100
         */
        method_chosen?: number
      }
    }
    /** @description Body of a request that creates a payment, an authorization, or a scheduled or recurring payment. */
    TakePayment: {
      /** @description The payment to make. */
      payment: {
        /**
         * @description `PAYMENT` (default) charges the method. `AUTH` only authorizes the amount, for a later capture or void.
         * @enum {string|null}
         */
        action?: 'PAYMENT' | 'AUTH' | null
        /**
         * @description Amount in major units, with no more decimal places than the currency has.
         * @example 24.00
         */
        amount: string
        /**
         * @description Currency, ISO 4217; that of the instance if omitted.
         * @example EUR
         */
        currency?: string | null
        /**
         * @description The payer: an account id, or details of an account, which is found by its `crm_key` and updated, or created. If omitted, the account of the stored method.
         * @example acc_1893499200000_0a1b2c3d4e5f6g7h
         */
        account?: string | components['schemas']['AccountDetails'] | null
        /**
         * @description The id of a stored method, or a token of the processor for a new one.
         * @example pm_1893499200000_4e5f6g7h8i9j0k1l
         */
        payment_method:
          | string
          | {
              /**
               * @description Token that the processor's script created from the card or account. Card numbers are rejected.
               * @example tok_4242
               */
              token: string
              /**
               * @description Type of the method; `CARD` if omitted.
               * @example CARD
               */
              type?: string | null
              /**
               * @description Processor that created the token: `sandbox`, or the id of a connected one (`pr_…`). Required only if two processors offer the type.
               * @example sandbox
               */
              processor?: string | null
              /** @description True stores the method for later payments, once the payment succeeds; it needs an `account`, and the consent of the payer. Required for `recurring`. */
              save?: boolean | null
            }
        /**
         * @description Your reference. It need not be unique; whether upper or lower case makes no difference when it is searched for.
         * @example order-1001
         */
        alt_key?: string | null
        /** @description Description of the payment. */
        description?: string | null
        /** @description Description of the payment if `description` is omitted. */
        reason?: string | null
        /**
         * @description Where the payment comes from: the web (`ECOMMERCE`), a letter or call (`MOTO`), or a series (`RECURRING`, the default with `recurring`).
         * @enum {string|null}
         */
        source?: 'ECOMMERCE' | 'MOTO' | 'RECURRING' | null
        /**
         * @description Sales channel.
         * @example web
         */
        channel?: string | null
        /**
         * @description Id of the legal entity that is paid. If omitted, the one of the charges, else of the first route that holds, else the default.
         * @example le_1893499200000_5f6g7h8i9j0k1l2m
         */
        legal_entity?: string | null
        /**
         * @description Your own key-value pairs: up to 50, 16,384 characters as JSON.
         * @example {
         *       "cart": "c_1001"
         *     }
         */
        metadata?: {
          [key: string]: string
        } | null
        /**
         * Format: date-time
         * @description When to take the money, from a stored method. In the future, it makes a charge and a payment that is `SCHEDULED`; a past date means now. Not for `AUTH`.
         * @example 2030-01-31T09:00:00.000Z
         */
        due?: string | null
        /** @description Makes a contract that charges the same amount again and again, beginning now or at `due`. Not for `AUTH`. */
        recurring?: {
          /**
           * @description Unit of time between two charges.
           * @enum {string}
           */
          frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
          /**
           * @description Number of units between two charges; 1 if omitted.
           * @example 1
           */
          interval?: number | null
          /**
           * @description How many charges there are in all, the first included. It excludes `until`.
           * @example 12
           */
          count?: number | null
          /**
           * Format: date-time
           * @description The last moment at which a charge may fall due. It excludes `count`.
           * @example 2030-01-31T09:00:00.000Z
           */
          until?: string | null
        } | null
        /** @description Charges that the payment is for, of the same account and currency, together not more than `amount`. Not with `AUTH`, `due` or `recurring`. */
        parts?:
          | {
              /**
               * @description The charge.
               * @example cg_1893499200000_1b2c3d4e5f6g7h8i
               */
              charge: string
              /**
               * @description Amount of the part, in major units.
               * @example 12.00
               */
              amount: string
            }[]
          | null
        /** @description Seconds to wait for the processor; the server may wait less. */
        timeout?: number | null
      }
    }
    /** @description The clock of a TEST instance. */
    TestClock: {
      /**
       * Format: date-time
       * @description The time by the clock of the instance.
       * @example 2030-01-31T09:00:00.000Z
       */
      now: string
      /**
       * Format: date-time
       * @description The time that the clock is moving to, through everything that falls due on the way. Null once it is there and all of that is done.
       * @example 2030-01-31T09:00:00.000Z
       */
      target: string | null
      /** @description How far the clock is ahead of the real time, in milliseconds. */
      offset_ms: number
    }
    /** @description Colors and corners of the payment page. Omitted members keep their defaults. */
    Theme: {
      /**
       * @description Color of buttons and links, as six hex digits. The page adjusts it if its contrast with text is too low.
       * @example #0b6b4f
       */
      accent?: string
      /**
       * @description Background color, as six hex digits.
       * @example #ffffff
       */
      surface?: string
      /**
       * @description Text color, as six hex digits.
       * @example #16201b
       */
      text?: string
      /**
       * @description Radius of corners, 0px to 99px.
       * @example 8px
       */
      radius?: string
    }
    /** @description Colors and corners of the payment page. Omitted members keep their defaults. */
    ThemeInput: {
      /**
       * @description Color of buttons and links, as six hex digits. The page adjusts it if its contrast with text is too low.
       * @example #0b6b4f
       */
      accent?: string
      /**
       * @description Background color, as six hex digits.
       * @example #ffffff
       */
      surface?: string
      /**
       * @description Text color, as six hex digits.
       * @example #16201b
       */
      text?: string
      /**
       * @description Radius of corners, 0px to 99px.
       * @example 8px
       */
      radius?: string
    }
    /** @description Something that happened to a record. */
    TimelineEntry: {
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2030-01-31T09:00:00.000Z
       */
      at: string
      /**
       * @description What the entry is about.
       * @enum {string}
       */
      kind:
        | 'account'
        | 'payment_method'
        | 'contract'
        | 'charge'
        | 'payment_link'
        | 'checkout'
        | 'payment'
        | 'refund'
        | 'void'
        | 'reversal'
        | 'delivery'
      /**
       * @description `ok`: it succeeded. `wait`: decided later. `bad`: it failed. `ask`: the outcome is unknown. `news`: something to look at. `calm`: everything else.
       * @enum {string}
       */
      tone: 'ok' | 'wait' | 'bad' | 'ask' | 'news' | 'calm'
      /**
       * @description Id of the sentence that says what happened.
       * @enum {string}
       */
      title_id:
        | 'account_anonymised'
        | 'account_created'
        | 'account_updated'
        | 'capture_declined'
        | 'capture_pending'
        | 'capture_success'
        | 'capture_unresolved'
        | 'charge_created'
        | 'charge_paid'
        | 'charge_payer_needed'
        | 'charge_reactivated'
        | 'charge_updated'
        | 'charge_writtenoff'
        | 'checkout_abandoned'
        | 'checkout_challenged'
        | 'checkout_details_done'
        | 'checkout_expired'
        | 'checkout_method_chosen'
        | 'checkout_opened'
        | 'contract_created'
        | 'contract_ended'
        | 'contract_updated'
        | 'delivery_delivered'
        | 'delivery_failed'
        | 'delivery_waiting'
        | 'payment_authorised'
        | 'payment_cancelled'
        | 'payment_declined'
        | 'payment_pending'
        | 'payment_scheduled'
        | 'payment_success'
        | 'payment_surplus'
        | 'payment_unresolved'
        | 'payment_link_archived'
        | 'payment_link_created'
        | 'payment_link_expired'
        | 'payment_link_updated'
        | 'payment_method_created'
        | 'payment_method_removed'
        | 'payment_method_updated'
        | 'refund_declined'
        | 'refund_failed'
        | 'refund_pending'
        | 'refund_success'
        | 'refund_unresolved'
        | 'reversal_lost'
        | 'reversal_open'
        | 'reversal_won'
        | 'void_declined'
        | 'void_pending'
        | 'void_success'
        | 'void_unresolved'
      /**
       * @description What the sentence is filled with, such as `amount` (major units) with `currency`, `reason` as it was given, `code` of a decline, `language`, `origin` of an embedding page, `type` of an event, `url` of a webhook and `response_status`.
       * @example {
       *       "amount": "24.00",
       *       "currency": "EUR"
       *     }
       */
      values: {
        [key: string]: string
      }
      /** @description Who did it; null if that is not stored, as for links, payers and processors. */
      actor: {
        /**
         * @description How the caller was identified, as in actor sessions.
         * @enum {string}
         */
        type: 'API_KEY' | 'OAUTH' | 'USER' | 'CHECKOUT' | 'SYSTEM'
        /** @description Id of the user, the secret key or the platform, if there is one. */
        id: string | null
        /** @description Email address of the user, or name of the secret key or platform. Told to users alone. */
        name: string | null
      } | null
      /**
       * @description Ids of the records of the entry, by their singular names.
       * @example {
       *       "payment": "pay_1893499200000_6g7h8i9j0k1l2m3n"
       *     }
       */
      ids: {
        [key: string]: string
      }
    }
    /** @description Sums of one time and one currency. */
    Totals: {
      /**
       * Format: date-time
       * @description The beginning of the time.
       * @example 2030-01-31T09:00:00.000Z
       */
      from: string
      /**
       * Format: date-time
       * @description Its end, which no longer belongs to it.
       * @example 2030-01-31T09:00:00.000Z
       */
      to: string
      /**
       * @description The currency of the sums.
       * @example EUR
       */
      currency: string
      /**
       * @description What payments and captures took, in major units.
       * @example 240.00
       */
      gross: string
      /**
       * @description What captures took; a part of `gross`.
       * @example 0.00
       */
      captured: string
      /**
       * @description What refunds gave back.
       * @example 24.00
       */
      refunded: string
      /**
       * @description What payers or the merchant took back at the bank or processor: disputes that are open or lost, returned debits, and refunds made there.
       * @example 0.00
       */
      reversed: string
      /**
       * @description `gross` without `refunded` and `reversed`; can be negative.
       * @example 216.00
       */
      net: string
      /**
       * @description Payments that succeeded, and authorizations that hold or were captured.
       * @example 12
       */
      payments: number
      /**
       * @description Refunds that succeeded.
       * @example 12
       */
      refunds: number
      /**
       * @description Payments and authorizations that were declined.
       * @example 12
       */
      declines: number
    }
    /** @description One operation at a processor. */
    Transaction: {
      /**
       * @description Transaction id; begins with `tr_`.
       * @example tr_1893499200000_5f6g7h8i9j0k1l2m
       */
      id: string
      /**
       * @description The operation.
       * @enum {string}
       */
      type: 'PAYMENT' | 'AUTH' | 'CAPTURE' | 'REFUND' | 'VOID'
      /**
       * @description Id of the payment, capture, refund or void that it belongs to.
       * @example pay_1893499200000_3d4e5f6g7h8i9j0k
       */
      payment: string
      /**
       * @description Amount in major units.
       * @example 24.00
       */
      amount: string
      /**
       * @description Currency of the amount, ISO 4217.
       * @example EUR
       */
      currency: string
      /**
       * @description `SUCCESS`: succeeded. `DECLINE`: declined. `PENDING`: the outcome comes later. `UNRESOLVED`: the outcome is unknown.
       * @enum {string}
       */
      status: 'SUCCESS' | 'DECLINE' | 'PENDING' | 'UNRESOLVED'
      /**
       * @description The processor.
       * @example sandbox
       */
      gateway: string
      /**
       * @description Reference of the operation at the processor; null if there is none.
       * @example sbx_8f3a
       */
      gateway_reference: string | null
      /**
       * @description Response of the processor; null before it.
       * @enum {string|null}
       */
      gateway_status:
        | 'APPROVED'
        | 'PENDING'
        | 'DECLINED'
        | 'DECLINED_ERROR'
        | 'UNRESOLVED'
        | 'MANUAL'
        | null
      /** @description Why the processor declined; null otherwise. */
      gateway_message: string | null
      /**
       * @description The same as `gateway`.
       * @example sandbox
       */
      processor: string
      /** @description Id of the customer; null if unknown. */
      account: string | null
      /** @description Id of the contract; null if there is none. */
      contract: string | null
      /** @description Id of the charge; null if there is none. */
      charge: string | null
      /** @description Id of the stored method; null if none was used. */
      payment_method: string | null
      /**
       * Format: date-time
       * @description When the outcome was known; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      processed: string | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description Body of a request that changes an account. */
    UpdateAccount: {
      /** @description The members to change; the others stay. Null clears one. */
      account: {
        /** @description First name, up to 1,000 characters. */
        first_name?: string | null
        /** @description Last name, up to 1,000 characters. */
        last_name?: string | null
        /** @description Company, up to 1,000 characters. */
        company?: string | null
        /**
         * @description E-mail address. It is kept as it is, even if it is invalid.
         * @example ada@example.com
         */
        email?: string | null
        /**
         * @description Phone number in any format.
         * @example +33 1 23 45 67 89
         */
        phone?: string | null
        /** @description Postal address. An update changes only the lines that it names. */
        address?: {
          /**
           * @description First line: street and number.
           * @example 12 rue des Lilas
           */
          line1?: string | null
          /** @description Second line. */
          line2?: string | null
          /** @description Third line. */
          line3?: string | null
          /**
           * @description City or town.
           * @example Lyon
           */
          line4?: string | null
          /**
           * @description Post or ZIP code.
           * @example 69003
           */
          line5?: string | null
          /**
           * @description State or province, as an ISO 3166-2 code.
           * @example FR-ARA
           */
          line6?: string | null
          /**
           * @description Country, ISO 3166-1 alpha-2.
           * @example FR
           */
          country?: string | null
        } | null
        /**
         * @description Your own key-value pairs: up to 50, 16,384 characters as JSON. An update replaces all of them.
         * @example {
         *       "tier": "gold"
         *     }
         */
        metadata?: {
          [key: string]: string
        } | null
        /**
         * @description Your own tags or references, separated by commas.
         * @example vip,newsletter
         */
        tags?: string | null
        /**
         * @description Language tag. A payment link that names the account by its id is shown in this language, if the instance offers it.
         * @example fr-CH
         */
        locale?: string | null
        /**
         * @description IANA time zone. Contracts of the account count days and months in it, and payment links that name the account by its id show times in it.
         * @example Europe/Paris
         */
        timezone?: string | null
        /**
         * @description The channel through which the account came. One that a payment makes gets the channel of the payment.
         * @example web-shop
         */
        channel?: string | null
        /**
         * @description The part of your company that the account belongs to.
         * @example north
         */
        division?: string | null
        /**
         * @description The system that crm_key is a key of.
         * @example salesforce
         */
        crm?: string | null
        /**
         * @description Whether notices that are not required, such as about a card that expires soon, are mailed to the customer. A new account has true.
         * @example true
         */
        mail_notices?: boolean
        /**
         * @description `ARCHIVED`: new payments, links and deep links of the account are refused; its contracts and the links that exist go on. `ACTIVE` permits them again.
         * @example ACTIVE
         * @enum {string}
         */
        status?: 'ACTIVE' | 'ARCHIVED'
      }
    }
    /** @description Body of a request that replaces the alerts. */
    UpdateAlerts: {
      /** @description The alerts. */
      checkout_monitor: {
        /** @description All alerts; others are removed. */
        alerts: {
          /**
           * @description Name, unique among the alerts.
           * @example Approvals fell
           */
          name: string
          /**
           * @description What is measured of the sessions that were opened in the window. `APPROVAL`: completed divided by submitted. `CONVERSION`: completed divided by opened. `SUBMITTED`: how many were submitted. `UNRESOLVED`: how many payments that were made in the window have an unknown outcome.
           * @enum {string}
           */
          measure: 'APPROVAL' | 'CONVERSION' | 'SUBMITTED' | 'UNRESOLVED'
          /**
           * @description How far it looks back; the window begins at a full five minutes.
           * @example 60
           */
          window_minutes: number
          /**
           * @description The alert is on when the measure is below. A decimal string for a rate, an integer for a number. Either `below` or `above`.
           * @example 0.7
           */
          below?: string | number | null
          /** @description The alert is on when the measure is above. A decimal string for a rate, an integer for a number. Either `below` or `above`. */
          above?: string | number | null
          /**
           * @description The alert stays as it is while fewer sessions were submitted (`APPROVAL`) or opened (others) in the window. A rate needs at least one. Not for `UNRESOLVED`. By default 0.
           * @example 20
           */
          minimum?: number | null
        }[]
      }
    }
    /** @description Body of a request that changes a charge. */
    UpdateCharge: {
      /** @description The members to change; others are kept. */
      charge: {
        /**
         * @description `WRITTENOFF` stops collection; `ACTIVE` resumes it. A paid or cancelled charge cannot be written off.
         * @enum {string}
         */
        status?: 'ACTIVE' | 'WRITTENOFF'
        /**
         * @description New total amount, in major units, not less than the amount paid or being paid. If equal to the amount paid, the charge becomes `PAID`.
         * @example 20.00
         */
        amount?: string
        /**
         * Format: date-time
         * @description New due date. With a date in the past the server collects at once from a stored method; null removes the date and stops collection.
         * @example 2030-01-31T09:00:00.000Z
         */
        due?: string | null
      }
    }
    /** @description Body of a request that changes a contract. */
    UpdateContract: {
      /** @description The members to change; others are kept. */
      contract: {
        /**
         * @description `PAUSED` stops making charges; `ACTIVE` goes on with the next due date that lies ahead, without making up for those missed.
         * @enum {string}
         */
        status?: 'ACTIVE' | 'PAUSED'
        /**
         * @description Another stored method of the same account, also for the charges that are not paid yet.
         * @example pm_1893499200000_4e5f6g7h8i9j0k1l
         */
        payment_method?: string
        /** @description Description of future charges; null for none. */
        description?: string | null
      }
    }
    /** @description Body of a request that changes a deep link. */
    UpdateDeepLink: {
      /**
       * @description `REPLACE` (default): `options`, if given, is replaced whole. `PATCH`: the options that are given are merged into it, and null removes one.
       * @enum {string}
       */
      mode?: 'PATCH' | 'REPLACE'
      /** @description The members to change; others are kept. */
      deep_link: {
        /**
         * @description The end of the address, unique on the server; 128 random bits stand there if omitted. Only for `PAY`, because a slug can be guessed. An archived link keeps its slug.
         * @example donate
         */
        slug?: string | null
        /** @description For `PAY` and `PAY_CHARGES`: the template of the payment links that its uses make. For the others: `channel`, `timezone` and `success_url` of the page. */
        options?: components['schemas']['PaymentLinkOptionsInput'] | null
        /**
         * @description How often it can be used; null for no limit.
         * @example 100
         */
        max_uses?: number | null
        /**
         * Format: date-time
         * @description When the link can no longer be used; in the future. Null: never. A link of an account needs it, at most 30 days ahead.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires?: string | null
      }
    }
    /** @description Body of a request that changes the settings. */
    UpdateInstance: {
      /** @description The settings to change; the others stay. */
      instance: {
        /**
         * @description Key of the instance of the other mode that belongs with this one, a test instance with its live one; null if there is none. Each of the two names the other. Only users who can change both set it.
         * @example live
         */
        twin?: string | null
        /**
         * @description Name of the merchant, shown to payers.
         * @example Corner Shop
         */
        name?: string
        /**
         * @description Currency of payments and links that name none, ISO 4217.
         * @example EUR
         */
        default_currency?: string
        /**
         * @description IANA time zone of dates on the page and of contracts, unless the link or account has one; null if the browser of the payer decides, and UTC for contracts.
         * @example Europe/Paris
         */
        timezone?: string | null
        /**
         * @description Languages that payers can choose, as two-letter codes or `default`; null for all languages that have strings.
         * @example [
         *       "fr",
         *       "de"
         *     ]
         */
        languages?: string[] | null
        /**
         * @description Origins whose pages may embed the checkout, `https://*.shop.example` for all hosts below one. With an empty list no page may.
         * @example [
         *       "https://shop.example"
         *     ]
         */
        allowed_origins?: string[]
        /** @description Colors and corners of the page; null for the built-in ones. */
        theme?: components['schemas']['ThemeInput'] | null
        /** @description Whether a link that names an account by its id offers the stored methods of that account. */
        link_saved_methods?: boolean
        /**
         * @description Amount in the default currency above which a live refund from the console needs a fresh proof of who its user is; null if none does. A refund in another currency always needs it then. Secret keys and tokens are not asked.
         * @example 200.00
         */
        step_up_refund?: string | null
        /**
         * @description Amount in the default currency up to which users with the role SUPPORT may give back money in one refund; null if any. In another currency they may then refund nothing. Only owners and secret keys without scopes change it and `step_up_refund`.
         * @example 50.00
         */
        support_refund_max?: string | null
        /** @description Other names and looks, each for some channels. An update replaces all of them. */
        brandings?: components['schemas']['BrandingInput'][]
      }
      /** @description True to remove brandings together with their strings. Otherwise removing a branding that has strings is rejected. */
      force?: boolean | null
    }
    /** @description Body of a request that changes a webhook. */
    UpdateInstanceWebhook: {
      /** @description The members to change; others are kept. */
      instance_webhook: {
        /**
         * Format: uri
         * @description URL for deliveries: `https` with a public address; on test instances also `http` to localhost if the server allows it.
         * @example https://shop.example/hooks/checkstand
         */
        url?: string
        /**
         * @description Event types, all types of one kind (`refund.*`), or everything (`*`).
         * @example [
         *       "payment_link.*",
         *       "refund.success"
         *     ]
         */
        events?: string[]
        /** @description Note of your own. */
        description?: string | null
        /** @description False sends nothing; events that happen meanwhile are not sent later, but can be replayed. */
        enabled?: boolean
      }
    }
    /** @description Body of a request that changes a legal entity. */
    UpdateLegalEntity: {
      /** @description The members to change; others are kept, and null clears one. */
      legal_entity: {
        /**
         * @description Your own key, by which paths find it too. Unique among active legal entities.
         * @example nord-fr
         */
        alt_key?: string | null
        /**
         * @description Your own name of it, which payers do not see; null if there is none.
         * @example Nord France
         */
        name?: string | null
        /**
         * @description Its name in law. Payers see it below the form and on the receipt.
         * @example Atelier Nord SAS
         */
        legal_name?: string
        /**
         * @description `ORGANISATION`: a company or an association. The others are persons.
         * @enum {string}
         */
        type?: 'ORGANISATION' | 'SOLE_TRADER' | 'INDIVIDUAL'
        /**
         * @description Number in a commercial register; null if there is none.
         * @example 303 265 045
         */
        registration_number?: string | null
        /**
         * @description The register or court of that number; null if there is none.
         * @example RCS Lyon
         */
        registered_at?: string | null
        /** @description Its tax numbers, up to 10. */
        tax_ids?: {
          /**
           * @description `VAT`: value added tax. `GST`: goods and services tax. `EIN`: United States. `ABN`: Australia. `OTHER`: any other.
           * @enum {string}
           */
          type: 'VAT' | 'GST' | 'EIN' | 'ABN' | 'OTHER'
          /**
           * @description Country that gave it, ISO 3166-1.
           * @example FR
           */
          country: string
          /**
           * @description The number. A VAT number of the European Union begins with the code of its state.
           * @example FR40303265045
           */
          value: string
        }[]
        /** @description Postal address. An update replaces it as a whole. */
        address?: {
          /**
           * @description First line: street and number.
           * @example 12 rue des Lilas
           */
          line1?: string | null
          /** @description Second line. */
          line2?: string | null
          /** @description Third line. */
          line3?: string | null
          /**
           * @description City or town.
           * @example Lyon
           */
          line4?: string | null
          /**
           * @description Post or ZIP code.
           * @example 69003
           */
          line5?: string | null
          /**
           * @description State or province, as an ISO 3166-2 code.
           * @example FR-ARA
           */
          line6?: string | null
          /**
           * @description Country, ISO 3166-1 alpha-2.
           * @example FR
           */
          country?: string | null
        } | null
        /**
         * @description Country of its seat, ISO 3166-1.
         * @example FR
         */
        country?: string
        /**
         * Format: email
         * @description E-mail address for payers; null if there is none.
         * @example ada@example.com
         */
        email?: string | null
        /**
         * @description Phone number for payers; null if there is none.
         * @example +33 1 23 45 67 89
         */
        phone?: string | null
        /**
         * @description Page with the legal notice; https.
         * @example https://shop.example/legal
         */
        url?: string | null
        /**
         * @description Text on the statements of payers: 5 to 22 of capital letters, digits, space, `.`, `*` and `-`, with a letter. Processors add to it or shorten it by their own rules.
         * @example NORD ATELIER
         */
        statement_descriptor?: string | null
        /**
         * @description Plain text below receipts, up to 2,000 characters; null if there is none.
         * @example Goods may be returned within 30 days.
         */
        receipt_footer?: string | null
        /**
         * @description Page with the terms and conditions; https.
         * @example https://shop.example/terms
         */
        terms_url?: string | null
        /**
         * @description Page with the privacy policy; https.
         * @example https://shop.example/privacy
         */
        privacy_url?: string | null
        /**
         * @description HTTPS address of a picture, shown at the top of the page where the branding has none.
         * @example https://shop.example/nord.svg
         */
        logo?: string | null
        /**
         * @description Currencies in which it may be paid; null for all. The default is used for every currency that no route serves.
         * @example [
         *       "EUR"
         *     ]
         */
        currencies?: string[] | null
        /** @description True makes it the default in place of the present one. */
        default?: boolean
      }
    }
    /** @description Body of a request that changes a route. */
    UpdateLegalEntityRoute: {
      /** @description The members to change; others are kept. `when` is replaced as a whole. */
      legal_entity_route: {
        /**
         * @description Id of an active legal entity.
         * @example le_1893499200000_5f6g7h8i9j0k1l2m
         */
        legal_entity?: string
        /** @description Conditions that must all hold. Of the values of one member, one must hold; an omitted member is no condition. */
        when?: {
          /**
           * @description Currencies, ISO 4217.
           * @example [
           *       "EUR"
           *     ]
           */
          currency?: string[]
          /**
           * @description Countries of the payer: as entered, else of the account, else of the card. ISO 3166-1.
           * @example [
           *       "FR",
           *       "BE"
           *     ]
           */
          country?: string[]
          /**
           * @description Sales channels.
           * @example [
           *       "web"
           *     ]
           */
          channel?: string[]
          /**
           * @description Keys of brandings.
           * @example [
           *       "kids"
           *     ]
           */
          branding?: string[]
          /** @description Where payments come from. */
          source?: ('ECOMMERCE' | 'MOTO' | 'RECURRING')[]
          /**
           * @description Tags, of which the account has one.
           * @example [
           *       "wholesale"
           *     ]
           */
          account_tag?: string[]
          /** @description Range of the amount, both ends included. */
          amount?: {
            /**
             * @description Smallest amount; any if omitted.
             * @example 0.00
             */
            from?: string
            /**
             * @description Largest amount; any if omitted.
             * @example 99.99
             */
            to?: string
            /**
             * @description Currency of both. Payments in another one do not match.
             * @example EUR
             */
            currency: string
          }
        }
        /**
         * @description The processor with which the legal entity settles; null for any. Payments of the route use no other.
         * @example pr_1893499200000_2b3c4d5e6f7g8h9i
         */
        processor?: string | null
        /** @description False skips the route. */
        enabled?: boolean
        /** @description Note of your own; null if there is none. */
        description?: string | null
        /**
         * @description Place in the order, from 1. The routes behind it move.
         * @example 1
         */
        position?: number
      }
    }
    /** @description Body of a request that changes a payment link. */
    UpdatePaymentLink: {
      /**
       * @description `REPLACE` (default): each of `options` and `state` that is given is replaced whole. `PATCH`: the members that are given are merged into them, and null removes one.
       * @enum {string}
       */
      mode?: 'PATCH' | 'REPLACE'
      /** @description The changes. `expires`, `options` and `state` are kept if omitted. */
      payment_link: {
        /**
         * Format: date-time
         * @description When the link can no longer be paid; in the future. Null: never.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires?: string | null
        /** @description Terms of the payment and configuration of the page. Null removes all options. */
        options?: components['schemas']['PaymentLinkOptionsInput'] | null
        /** @description Free data of the creator, at most 10240 bytes as JSON. */
        state?:
          | {
              [key: string]: unknown
            }
          | unknown[]
          | string
          | null
      }
    }
    /** @description Body of a request that changes a processor. */
    UpdateProcessor: {
      /** @description The members to change; others are kept. */
      processor: {
        /**
         * Format: password
         * @description Secret or restricted key of the account at the processor, in the mode of the instance.
         * @example rk_test_51Example0Restricted0Key
         */
        secret_key?: string
        /**
         * @description Publishable key of the same account and mode.
         * @example pk_test_51Example0Publishable0Key
         */
        publishable_key?: string
        /**
         * Format: password
         * @description Signing secret of a webhook endpoint that you made yourself. Without it, the endpoint is made for you.
         * @example whsec_Example0Signing0Secret
         */
        webhook_secret?: string
        /**
         * @description The settings to change; others are kept. Null restores the default.
         * @example {
         *       "methods": [
         *         "CARD",
         *         "IDEAL"
         *       ]
         *     }
         */
        settings?: {
          [key: string]: unknown
        }
      }
    }
    /** @description Body of a request that changes a secret key. */
    UpdateSecretKey: {
      /** @description The members to change; others are kept. */
      secret_key: {
        /**
         * @description What you call it.
         * @example Accounting
         */
        name?: string | null
        /**
         * Format: date-time
         * @description When the key stops to work, in real time and in the future; null if never. To end a key at once, delete it.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires?: string | null
        /**
         * @description Addresses and networks in CIDR notation, IPv4 or IPv6, from which alone the key works; null for all. Behind proxies, the address is that of the client.
         * @example [
         *       "203.0.113.0/24",
         *       "2001:db8::/32"
         *     ]
         */
        allowed_addresses?: string[] | null
      }
    }
    /** @description Body of a request that replaces one string. */
    UpdateString: {
      /** @description The text. */
      string: {
        /**
         * @description String id. It may be omitted, and must otherwise be the one in the path.
         * @example checkout.pay
         */
        id?: string
        /**
         * @description The text. An empty text hides the sentence; the page fills in `{placeholders}`. The inherited text removes the override.
         * @example Donate {amount}
         */
        text: string
        /**
         * @description Language: two letters, or `default` for the base strings; `default` if omitted.
         * @example fr
         */
        language?: string | null
        /**
         * @description Key of the branding to write for. Left out, for the instance itself.
         * @example kids
         */
        branding?: string | null
      }
    }
    /** @description Body of a request that finds stale strings right. */
    UpdateStringAcks: {
      /** @description The strings; each once. */
      string_acks: {
        /**
         * @description String id: its set, a dot, and its name.
         * @example checkout.pay
         */
        id: string
        /**
         * @description Language: two letters, or `default` for the base strings; `default` if omitted.
         * @example fr
         */
        language?: string | null
        /** @description Key of the branding. Left out, for the instance itself. */
        branding?: string | null
        /**
         * @description The `stale_hash` of the string as it was seen.
         * @example Zx3kq0mB1nV7c2LdW9aQeT
         */
        stale_hash: string
      }[]
    }
    /** @description Body of a request that replaces several strings. */
    UpdateStrings: {
      /** @description The overrides, all in one language and branding. If an id occurs twice, the last one applies. */
      strings: {
        /**
         * @description String id: its set, a dot, and its name.
         * @example checkout.pay
         */
        id: string
        /**
         * @description The text. An empty text hides the sentence; the page fills in `{placeholders}`. The inherited text removes the override.
         * @example Donate {amount}
         */
        text: string
        /**
         * @description Language: two letters, or `default` for the base strings; `default` if omitted.
         * @example fr
         */
        language?: string | null
        /**
         * @description Key of the branding to write for. Left out, for the instance itself.
         * @example kids
         */
        branding?: string | null
      }[]
    }
    /** @description Body of a request that changes a user. */
    UpdateUser: {
      /** @description The members to change; others are kept. */
      user: {
        /**
         * @description What others call this person; null if there is none.
         * @example Ada Lovelace
         */
        name?: string | null
        /**
         * @description `OWNER`: everything. `DEVELOPER`: settings, keys and webhooks, and money in test instances. `SUPPORT`: links, customers and refunds. `EDITOR`: strings and brandings. `VIEWER`: reads.
         * @example EDITOR
         * @enum {string}
         */
        role?: 'OWNER' | 'DEVELOPER' | 'SUPPORT' | 'EDITOR' | 'VIEWER'
        /**
         * @description Keys of the instances that the user can open; null for all of the merchant.
         * @example [
         *       "default"
         *     ]
         */
        instances?: string[] | null
        /**
         * @description Languages whose strings an editor can write, as two-letter codes or `default` for the base strings; null for all. Only editors have them: another role clears them.
         * @example [
         *       "fr"
         *     ]
         */
        languages?: string[] | null
        /** @description Whether the user is kept from signing in. */
        disabled?: boolean
      }
    }
    /** @description A person who works for the merchant. */
    User: {
      /**
       * @description User id; begins with `usr_`.
       * @example usr_1893499200000_6g7h8i9j0k1l2m3n
       */
      id: string
      /**
       * @description Address by which the user signs in.
       * @example ada@shop.example
       */
      email: string
      /**
       * @description What others call this person; null if there is none.
       * @example Ada Lovelace
       */
      name: string | null
      /**
       * @description `OWNER`: everything. `DEVELOPER`: settings, keys and webhooks, and money in test instances. `SUPPORT`: links, customers and refunds. `EDITOR`: strings and brandings. `VIEWER`: reads.
       * @example EDITOR
       * @enum {string}
       */
      role: 'OWNER' | 'DEVELOPER' | 'SUPPORT' | 'EDITOR' | 'VIEWER'
      /**
       * @description Keys of the instances that the user can open; null for all of the merchant.
       * @example [
       *       "default"
       *     ]
       */
      instances: string[] | null
      /**
       * @description Languages whose strings an editor can write, as two-letter codes or `default` for the base strings; null for all. Only editors have them: another role clears them.
       * @example [
       *       "fr"
       *     ]
       */
      languages: string[] | null
      /**
       * @description The second factors that the user has.
       * @example [
       *       "TOTP"
       *     ]
       */
      factors: ('PASSKEY' | 'TOTP')[]
      /** @description The link that is open for the user to choose a password; null if there is none. */
      invitation: {
        /**
         * Format: date-time
         * @description When the link stops to work.
         * @example 2030-01-31T09:00:00.000Z
         */
        expires: string
        /**
         * @description The one-time link, if the server sends no mail. Present only in the response that makes it; a repeated request with the same `Idempotency-Key` is answered without it.
         * @example https://pay.example.com/sign-in/invitation/iv_Zm9vYmFyYmF6cXV4
         */
        url?: string
      } | null
      /**
       * Format: date-time
       * @description When the user last used the console, to a minute; null if never.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_seen: string | null
      /** @description Whether the user is kept from signing in. */
      disabled: boolean
      /**
       * Format: date-time
       * @description When the user was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * @description Version, for `If-Match`.
       * @example 1
       */
      v: number
    }
    /** @description A browser in which a user is signed in. */
    UserSession: {
      /**
       * @description Session id; begins with `uss_`.
       * @example uss_1893499200000_7h8i9j0k1l2m3n4o
       */
      id: string
      /**
       * @description Id of the user.
       * @example usr_1893499200000_6g7h8i9j0k1l2m3n
       */
      user: string
      /** @description Whether this request belongs to the session. */
      current: boolean
      /**
       * @description What the user has proved in it.
       * @example [
       *       "PASSWORD",
       *       "TOTP"
       *     ]
       */
      factors: ('PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY')[]
      /**
       * @description Network address at the sign-in; null after thirty days.
       * @example 203.0.113.7
       */
      ip: string | null
      /** @description Browser at the sign-in; null if it told none. */
      user_agent: string | null
      /**
       * Format: date-time
       * @description When the user signed in.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description The last request, to a minute.
       * @example 2030-01-31T09:00:00.000Z
       */
      last_seen: string | null
      /**
       * Format: date-time
       * @description When it ends at the latest. It ends earlier when it is not used.
       * @example 2030-01-31T09:00:00.000Z
       */
      expires: string
    }
    /** @description A view of a list of the console that all users share. */
    View: {
      /**
       * @description View id; begins with `vw_`.
       * @example vw_1893499200000_3f4g5h6i7j8k9l0m
       */
      id: string
      /**
       * @description What the view is called.
       * @example Large payments
       */
      name: string
      /**
       * @description The list that it is a view of.
       * @example payments
       */
      list: string
      /**
       * @description The query of the list in the console: its tab, search, criteria (`where`), `order` and columns.
       * @example where=amount%3E%3D1000&order=amount%3Adesc
       */
      query: string
      /** @description Who shared it, and from where. Expandable. */
      created_session: string | components['schemas']['ActorSession'] | null
      /**
       * Format: date-time
       * @description When it was shared.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
    }
    /** @description A void of an authorization. */
    Void: {
      /**
       * @description Void id; begins with `vo_`.
       * @example vo_1893499200000_7h8i9j0k1l2m3n4o
       */
      id: string
      /** @description The authorization that was released. Expandable. */
      payment: string | components['schemas']['Payment'] | null
      /** @description The operation at the processor. Expandable. */
      transaction: string | components['schemas']['Transaction'] | null
      /**
       * @description Amount released, in major units.
       * @example 24.00
       */
      amount: string
      /**
       * @description Currency, that of the authorization.
       * @example EUR
       */
      currency: string
      /**
       * @description `SUCCESS`: released. `PENDING`: in progress. `DECLINED`: declined; the amount is open again. `UNRESOLVED`: the outcome is unknown.
       * @enum {string}
       */
      status: 'SUCCESS' | 'PENDING' | 'DECLINED' | 'UNRESOLVED'
      /**
       * @description Response of the processor; null before it.
       * @enum {string|null}
       */
      gateway_status:
        | 'APPROVED'
        | 'PENDING'
        | 'DECLINED'
        | 'DECLINED_ERROR'
        | 'UNRESOLVED'
        | 'MANUAL'
        | null
      /** @description Why the processor declined; null otherwise. */
      gateway_message: string | null
      /**
       * Format: date-time
       * @description When the outcome was known; null before.
       * @example 2030-01-31T09:00:00.000Z
       */
      processed: string | null
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2030-01-31T09:00:00.000Z
       */
      created: string
      /**
       * Format: date-time
       * @description When the record last changed.
       * @example 2030-01-31T09:00:00.000Z
       */
      updated: string
      /** @description Version of the record; grows by one with each change. */
      v: number
    }
    /** @description A void was declined. */
    VoidDeclinedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A void was declined.
         * @constant
         */
        type: 'void.declined'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          void: components['schemas']['Void']
        }
      }
    }
    /** @description Body of a request that voids an authorization. It may be omitted. */
    VoidPayment: {
      /** @description Has no members: all that is open is released. */
      void?: Record<string, never> | null
    }
    /** @description A void was accepted; its outcome is decided later. */
    VoidPendingEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A void was accepted; its outcome is decided later.
         * @constant
         */
        type: 'void.pending'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          void: components['schemas']['Void']
        }
      }
    }
    /** @description The outcome of a void is unknown; the server keeps querying the processor. */
    VoidUnresolvedEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description The outcome of a void is unknown; the server keeps querying the processor.
         * @constant
         */
        type: 'void.unresolved'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          void: components['schemas']['Void']
        }
      }
    }
    /** @description A webhook was disabled because its deliveries kept failing or it returned 410. */
    WebhookDisabledEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A webhook was disabled because its deliveries kept failing or it returned 410.
         * @constant
         */
        type: 'webhook.disabled'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          instance_webhook: components['schemas']['InstanceWebhook']
        }
      }
    }
    /** @description A test, which you asked for. It goes to one webhook only. */
    WebhookTestEvent: {
      /** @description The event type and its record. */
      event: {
        /**
         * @description Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.
         * @example evt_1893499200000_1l2m3n4o5p6q7r8s
         */
        id: string
        /**
         * @description A test, which you asked for. It goes to one webhook only.
         * @constant
         */
        type: 'webhook.test'
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2030-01-31T09:00:00.000Z
         */
        created: string
        /**
         * @description Key of the instance.
         * @example default
         */
        instance: string
        /**
         * @description Version of this envelope.
         * @constant
         */
        v: 1
        /** @description The record as it was at that moment, with relations as ids. */
        data: {
          instance_webhook: components['schemas']['InstanceWebhook']
        }
      }
    }
    /** @description The caller of the API. */
    Whoami: {
      /**
       * @description What authenticates the caller.
       * @enum {string}
       */
      type: 'USER' | 'API_KEY' | 'OAUTH'
      /** @description The user; null for secret keys and platforms. */
      user: {
        /** @description Id of the user. */
        id: string
        /** @description Email address of the user. */
        email: string
        /**
         * @description Role of the user at the merchant.
         * @enum {string}
         */
        role: 'OWNER' | 'DEVELOPER' | 'SUPPORT' | 'EDITOR' | 'VIEWER'
      } | null
      /** @description The secret key that calls; null for others. */
      key: {
        /** @description Id of the secret key. */
        id: string
        /** @description Name of the secret key; null if it has none. */
        name: string | null
      } | null
      /** @description The platform that calls with an access token; null for others. */
      client: {
        /** @description Name of the platform. */
        name: string
      } | null
      /** @description The instance of this request. */
      instance: {
        /** @description Key of the instance, as in the URLs of the API. */
        key: string
        /** @description Name that payers see. */
        name: string
        /**
         * @description Whether real money moves.
         * @enum {string}
         */
        mode: 'TEST' | 'LIVE'
        /** @description Key of the instance of the other mode that belongs with it; null if there is none. */
        twin: string | null
      }
      /** @description The instances that the caller can access, oldest first. */
      instances: {
        /** @description Key of the instance, as in the URLs of the API. */
        key: string
        /** @description Name that payers see. */
        name: string
        /**
         * @description Whether real money moves.
         * @enum {string}
         */
        mode: 'TEST' | 'LIVE'
        /** @description Key of the instance of the other mode that belongs with it; null if there is none. */
        twin: string | null
      }[]
      /** @description What the caller may do in this instance. */
      permissions: (
        | 'payment_links:read'
        | 'payment_links:write'
        | 'payments:read'
        | 'payments:write'
        | 'accounts:read'
        | 'accounts:write'
        | 'charges:read'
        | 'charges:write'
        | 'strings:read'
        | 'strings:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'instances:read'
        | 'instances:write'
        | 'processors:read'
        | 'processors:write'
        | 'reports:read'
        | 'reports:write'
        | 'keys:read'
        | 'keys:write'
        | 'users:read'
        | 'users:write'
        | 'grants:read'
        | 'grants:write'
        | 'audit:read'
        | 'audit:write'
        | 'brandings:read'
        | 'brandings:write'
      )[]
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export interface operations {
  list_accounts: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The accounts of this page of the list. */
            accounts: components['schemas']['Account'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_account: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAccount']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            account: components['schemas']['Account']
          }
        }
      }
    }
  }
  get_account: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            account: components['schemas']['Account']
          }
        }
      }
    }
  }
  update_account: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAccount']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            account: components['schemas']['Account']
          }
        }
      }
    }
  }
  anonymise_account: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['AnonymiseAccount']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            account: components['schemas']['Account']
          }
        }
      }
    }
  }
  list_payment_methods: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The payment methods of this page of the list. */
            payment_methods: components['schemas']['PaymentMethod'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_payment_method: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment_method: components['schemas']['PaymentMethod']
          }
        }
      }
    }
  }
  remove_payment_method: {
    responses: never
  }
  list_contracts: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The contracts of this page of the list. */
            contracts: components['schemas']['Contract'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_contract: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            contract: components['schemas']['Contract']
          }
        }
      }
    }
  }
  update_contract: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateContract']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            contract: components['schemas']['Contract']
          }
        }
      }
    }
  }
  cancel_contract: {
    responses: never
  }
  list_charges: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The charges of this page of the list. */
            charges: components['schemas']['Charge'][]
            /** @description The position of this page in the list, and what all matches come to. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
              /** @description With `sum=amount`: the sum of all matches, one for each currency. Null when more than 100 000 match. */
              sums?:
                | {
                    /**
                     * @description The currency.
                     * @example EUR
                     */
                    currency: string
                    /** @description How many records match in this currency. */
                    count: number
                    /**
                     * @description The sum of their amounts, as a decimal.
                     * @example 120.50
                     */
                    amount: string
                  }[]
                | null
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_charge: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            charge: components['schemas']['Charge']
          }
        }
      }
    }
  }
  update_charge: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCharge']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            charge: components['schemas']['Charge']
          }
        }
      }
    }
  }
  list_payment_links: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The payment links of this page of the list. */
            payment_links: components['schemas']['PaymentLink'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_payment_link: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePaymentLink']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment_link: components['schemas']['PaymentLink']
          }
        }
      }
    }
  }
  get_payment_link: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment_link: components['schemas']['PaymentLink']
          }
        }
      }
    }
  }
  update_payment_link: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdatePaymentLink']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment_link: components['schemas']['PaymentLink']
          }
        }
      }
    }
  }
  archive_payment_link: {
    responses: never
  }
  send_payment_link: {
    requestBody: {
      content: {
        'application/json': components['schemas']['SendPaymentLink']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            mail: components['schemas']['Mail']
          }
        }
      }
    }
  }
  list_deep_links: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The deep links of this page of the list. */
            deep_links: components['schemas']['DeepLink'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_deep_link: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDeepLink']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            deep_link: components['schemas']['DeepLink']
          }
        }
      }
    }
  }
  get_deep_link: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            deep_link: components['schemas']['DeepLink']
          }
        }
      }
    }
  }
  update_deep_link: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDeepLink']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            deep_link: components['schemas']['DeepLink']
          }
        }
      }
    }
  }
  archive_deep_link: {
    responses: never
  }
  list_deep_link_payment_links: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The payment links of this page of the list. */
            payment_links: components['schemas']['PaymentLink'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
        }
      }
    }
  }
  list_checkouts: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The checkout sessions of this page of the list. */
            checkouts: components['schemas']['CheckoutSession'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_checkout: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            checkout: components['schemas']['CheckoutSession']
          }
        }
      }
    }
  }
  get_checkout_page: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            page: components['schemas']['SessionPage']
          }
        }
      }
    }
  }
  get_checkout_monitor: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            checkout_monitor: components['schemas']['CheckoutReport']
          }
        }
      }
    }
  }
  list_stuck_operations: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description Sessions and payments of this page. */
            stuck: components['schemas']['StuckOperation'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
        }
      }
    }
  }
  get_checkout_alerts: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            checkout_monitor: components['schemas']['CheckoutAlerts']
          }
        }
      }
    }
  }
  update_checkout_alerts: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAlerts']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            checkout_monitor: components['schemas']['CheckoutAlerts']
          }
        }
      }
    }
  }
  get_totals: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description In the order of time, then of currencies. */
            totals: components['schemas']['Totals'][]
          }
        }
      }
    }
  }
  search_records: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The record of an exact id first, then exact words, then beginnings; newest first. */
            results: components['schemas']['SearchResult'][]
          }
        }
      }
    }
  }
  list_payments: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The payments of this page of the list. */
            payments: components['schemas']['Payment'][]
            /** @description The position of this page in the list, and what all matches come to. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
              /** @description With `sum=amount`: the sum of all matches, one for each currency. Null when more than 100 000 match. */
              sums?:
                | {
                    /**
                     * @description The currency.
                     * @example EUR
                     */
                    currency: string
                    /** @description How many records match in this currency. */
                    count: number
                    /**
                     * @description The sum of their amounts, as a decimal.
                     * @example 120.50
                     */
                    amount: string
                  }[]
                | null
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_payment: {
    requestBody: {
      content: {
        'application/json': components['schemas']['TakePayment']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment: components['schemas']['Payment']
          }
        }
      }
    }
  }
  capture_payment: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['CapturePayment']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            capture: components['schemas']['Payment']
          }
        }
      }
    }
  }
  refund_payment: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['RefundPayment']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            refund: components['schemas']['Refund']
          }
        }
      }
    }
  }
  void_payment: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['VoidPayment']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            void: components['schemas']['Void']
          }
        }
      }
    }
  }
  check_payment: {
    requestBody?: {
      content: {
        'application/json': Record<string, never>
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment: components['schemas']['Payment']
          }
        }
      }
    }
  }
  get_payment: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            payment: components['schemas']['Payment']
          }
        }
      }
    }
  }
  list_captures: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The captures of this page of the list. */
            captures: components['schemas']['Payment'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_capture: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            capture: components['schemas']['Payment']
          }
        }
      }
    }
  }
  list_refunds: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The refunds of this page of the list. */
            refunds: components['schemas']['Refund'][]
            /** @description The position of this page in the list, and what all matches come to. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
              /** @description With `sum=amount`: the sum of all matches, one for each currency. Null when more than 100 000 match. */
              sums?:
                | {
                    /**
                     * @description The currency.
                     * @example EUR
                     */
                    currency: string
                    /** @description How many records match in this currency. */
                    count: number
                    /**
                     * @description The sum of their amounts, as a decimal.
                     * @example 120.50
                     */
                    amount: string
                  }[]
                | null
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_refund: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            refund: components['schemas']['Refund']
          }
        }
      }
    }
  }
  resolve_refund: {
    requestBody: {
      content: {
        'application/json': components['schemas']['DecideRefund']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            refund: components['schemas']['Refund']
          }
        }
      }
    }
  }
  list_reversals: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The reversals of this page of the list. */
            reversals: components['schemas']['Reversal'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_reversal: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            reversal: components['schemas']['Reversal']
          }
        }
      }
    }
  }
  list_voids: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The voids of this page of the list. */
            voids: components['schemas']['Void'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_void: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            void: components['schemas']['Void']
          }
        }
      }
    }
  }
  list_processors: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The processors of this page of the list. */
            processors: components['schemas']['Processor'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_processor: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProcessor']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            processor: components['schemas']['Processor']
          }
        }
      }
    }
  }
  get_processor: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            processor: components['schemas']['Processor']
          }
        }
      }
    }
  }
  update_processor: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProcessor']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            processor: components['schemas']['Processor']
          }
        }
      }
    }
  }
  delete_processor: {
    responses: never
  }
  check_processor: {
    requestBody?: {
      content: {
        'application/json': Record<string, never>
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            processor: components['schemas']['Processor']
          }
        }
      }
    }
  }
  rotate_processor_webhook_secret: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateProcessorWebhookSecret']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            processor: components['schemas']['Processor']
          }
        }
      }
    }
  }
  list_legal_entities: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The legal entities of this page of the list. */
            legal_entities: components['schemas']['LegalEntity'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_legal_entity: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateLegalEntity']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            legal_entity: components['schemas']['LegalEntity']
          }
        }
      }
    }
  }
  get_legal_entity: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            legal_entity: components['schemas']['LegalEntity']
          }
        }
      }
    }
  }
  update_legal_entity: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateLegalEntity']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            legal_entity: components['schemas']['LegalEntity']
          }
        }
      }
    }
  }
  archive_legal_entity: {
    responses: never
  }
  list_legal_entity_routes: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The legal entity routes of this page of the list. */
            legal_entity_routes: components['schemas']['LegalEntityRoute'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  replace_legal_entity_routes: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplaceLegalEntityRoutes']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description All routes, by position. */
            legal_entity_routes: components['schemas']['LegalEntityRoute'][]
          }
        }
      }
    }
  }
  create_legal_entity_route: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateLegalEntityRoute']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            legal_entity_route: components['schemas']['LegalEntityRoute']
          }
        }
      }
    }
  }
  resolve_legal_entity: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveLegalEntity']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description Whom the payment would belong to; null if the instance has no legal entities. */
            legal_entity: components['schemas']['LegalEntity'] | null
            /** @description The route that decided; null for the default. */
            legal_entity_route: components['schemas']['LegalEntityRoute'] | null
          }
        }
      }
    }
  }
  get_legal_entity_route: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            legal_entity_route: components['schemas']['LegalEntityRoute']
          }
        }
      }
    }
  }
  update_legal_entity_route: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateLegalEntityRoute']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            legal_entity_route: components['schemas']['LegalEntityRoute']
          }
        }
      }
    }
  }
  delete_legal_entity_route: {
    responses: never
  }
  get_string: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            string: components['schemas']['String']
          }
        }
      }
    }
  }
  update_string: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateString']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            string: components['schemas']['String']
          }
        }
      }
    }
  }
  list_strings: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The strings of this page of the list, in the order of their ids. */
            strings: components['schemas']['String'][]
            /** @description The position of this page in the list, and the available languages and sets. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description How many strings were skipped. */
              offset: number
              /** @description How many strings match in all. */
              total: number
              /** @description Version of the strings, which grows by one with each change of any of them. */
              version: number
              /**
               * @description Languages that payers are offered.
               * @example [
               *       "default",
               *       "fr"
               *     ]
               */
              languages: string[]
              /**
               * @description Sets that strings belong to.
               * @example [
               *       "checkout",
               *       "errors"
               *     ]
               */
              sets: string[]
            }
          }
        }
      }
    }
  }
  update_strings: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateStrings']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The strings as they now read, in the order of the request. */
            strings: components['schemas']['String'][]
          }
        }
      }
    }
  }
  list_string_overrides: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The string overrides of this page of the list. */
            string_overrides: components['schemas']['StringOverride'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  list_string_revisions: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The string revisions of this page of the list. */
            string_revisions: components['schemas']['StringRevision'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_string_revision: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateStringRevision']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The revision; null if every string already reads as requested. */
            string_revision: components['schemas']['StringRevision'] | null
            /** @description Version of the strings now. */
            version: number
          }
        }
      }
    }
  }
  get_string_revision: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            string_revision: components['schemas']['StringRevision']
          }
        }
      }
    }
  }
  revert_string_revision: {
    requestBody: {
      content: {
        'application/json': components['schemas']['RevertStringRevision']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The revision; null if every string already reads as requested. */
            string_revision: components['schemas']['StringRevision'] | null
            /** @description Version of the strings now. */
            version: number
            /** @description Strings that were not taken back. */
            skipped: {
              /**
               * @description String id: its set, a dot, and its name.
               * @example checkout.pay
               */
              id: string
              /**
               * @description Language: two letters, or `default` for the base strings.
               * @example fr
               */
              language: string
              /**
               * @description Key of the branding; null for the instance itself.
               * @example kids
               */
              branding: string | null
              /** @description The text now; null if there is no override. */
              text: string | null
              /**
               * @description `CHANGED`: the string no longer reads as the revision wrote it. `UNAVAILABLE`: its branding, or the string itself, no longer exists, or the rules refuse the text of before.
               * @enum {string}
               */
              because: 'CHANGED' | 'UNAVAILABLE'
            }[]
          }
        }
      }
    }
  }
  list_string_acks: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The string acks of this page of the list. */
            string_acks: components['schemas']['StringAck'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  update_string_acks: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateStringAcks']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The strings, in the order of the request. */
            string_acks: {
              /**
               * @description String id: its set, a dot, and its name.
               * @example checkout.pay
               */
              id: string
              /**
               * @description Language: two letters, or `default` for the base strings.
               * @example fr
               */
              language: string
              /**
               * @description Key of the branding; null for the instance itself.
               * @example kids
               */
              branding: string | null
              /** @description True if the string is still stale, because it has changed since it was seen. */
              stale: boolean
            }[]
          }
        }
      }
    }
  }
  export_strings: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description A file with strings of one language and branding. */
            string_export: {
              /**
               * @description `JSON`: an object with a text, or null, for each string id. `CSV`: a table with the columns `id`, `base` and the language. `XLIFF_1_2`, `XLIFF_2_0`: the files of translation programs, with the base texts as sources. Empty cells and targets count as not translated and are skipped.
               * @enum {string}
               */
              format: 'JSON' | 'CSV' | 'XLIFF_1_2' | 'XLIFF_2_0'
              /**
               * @description Language: two letters, or `default` for the base strings.
               * @example fr
               */
              language: string
              /**
               * @description Key of the branding; null for the instance itself.
               * @example kids
               */
              branding: string | null
              /**
               * @description A name for the file.
               * @example strings-fr.json
               */
              file_name: string
              /**
               * @description The content of the file.
               * @example {
               *       "checkout.pay": "Donner {amount}"
               *     }
               */
              content: string
            }
          }
        }
      }
    }
  }
  preview_string_import: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateStringImport']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description What a file would change. Nothing is written. */
            string_import: {
              /**
               * @description Language: two letters, or `default` for the base strings.
               * @example fr
               */
              language: string
              /**
               * @description Key of the branding; null for the instance itself.
               * @example kids
               */
              branding: string | null
              /** @description Version of the strings; the `base_version` of a revision with the changes. */
              version: number
              /** @description What the file would change, by id. */
              changes: {
                /**
                 * @description String id.
                 * @example checkout.pay
                 */
                id: string
                /**
                 * @description The text now.
                 * @example Payer {amount}
                 */
                before: string
                /**
                 * @description The text of the file; null if the override would be removed.
                 * @example Donner {amount}
                 */
                text: string | null
              }[]
              /** @description How many strings of the file already read so. */
              unchanged: number
              /** @description Strings of the file that the rules refuse. */
              refused: {
                /**
                 * @description The id as the file has it.
                 * @example checkout.nope
                 */
                id: string
                /**
                 * @description The rule that the string breaks.
                 * @example is not a known string
                 */
                because: string
              }[]
            }
          }
        }
      }
    }
  }
  list_instance_webhooks: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The webhooks of this page of the list. */
            instance_webhooks: components['schemas']['InstanceWebhook'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_instance_webhook: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateInstanceWebhook']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            instance_webhook: components['schemas']['InstanceWebhook']
          }
        }
      }
    }
  }
  get_instance_webhook: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            instance_webhook: components['schemas']['InstanceWebhook']
          }
        }
      }
    }
  }
  update_instance_webhook: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateInstanceWebhook']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            instance_webhook: components['schemas']['InstanceWebhook']
          }
        }
      }
    }
  }
  delete_instance_webhook: {
    responses: never
  }
  rotate_instance_webhook: {
    requestBody?: {
      content: {
        'application/json': Record<string, never>
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            instance_webhook: components['schemas']['InstanceWebhook']
          }
        }
      }
    }
  }
  replay_instance_webhook: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayInstanceWebhook']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The result of the request. */
            replay: {
              /**
               * @description How many events are sent again.
               * @example 17
               */
              deliveries: number
            }
          }
        }
      }
    }
  }
  test_instance_webhook: {
    requestBody?: {
      content: {
        'application/json': Record<string, never>
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            delivery: components['schemas']['Delivery']
          }
        }
      }
    }
  }
  list_deliveries: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The deliveries of this page of the list. */
            deliveries: components['schemas']['Delivery'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  list_instance_webhook_deliveries: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The deliveries of this page of the list. */
            deliveries: components['schemas']['Delivery'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
        }
      }
    }
  }
  stream_events: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': string
        }
      }
    }
  }
  list_events: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The events of this page of the list. */
            events: components['schemas']['Event'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  get_event: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            event: components['schemas']['Event']
          }
        }
      }
    }
  }
  get_instance: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            instance: components['schemas']['Instance']
          }
        }
      }
    }
  }
  update_instance: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateInstance']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            instance: components['schemas']['Instance']
          }
        }
      }
    }
  }
  get_test_clock: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            clock: components['schemas']['TestClock']
          }
        }
      }
    }
  }
  move_test_clock: {
    requestBody: {
      content: {
        'application/json': components['schemas']['MoveTestClock']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            clock: components['schemas']['TestClock']
          }
        }
      }
    }
  }
  list_secret_keys: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The secret keys of this page of the list. */
            secret_keys: components['schemas']['SecretKey'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_secret_key: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSecretKey']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            secret_key: components['schemas']['SecretKey']
          }
        }
      }
    }
  }
  get_secret_key: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            secret_key: components['schemas']['SecretKey']
          }
        }
      }
    }
  }
  update_secret_key: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSecretKey']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            secret_key: components['schemas']['SecretKey']
          }
        }
      }
    }
  }
  revoke_secret_key: {
    responses: never
  }
  list_oauth_grants: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The grants of this page of the list. */
            oauth_grants: components['schemas']['OauthGrant'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  end_oauth_grant: {
    responses: never
  }
  list_audit: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The entries of the audit log of this page of the list. */
            audit: components['schemas']['AuditEntry'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  list_users: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The users of this page of the list. */
            users: components['schemas']['User'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  invite_user: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUser']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
          }
        }
      }
    }
  }
  get_user: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
          }
        }
      }
    }
  }
  update_user: {
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateUser']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
          }
        }
      }
    }
  }
  remove_user: {
    responses: never
  }
  send_user_invitation: {
    requestBody?: {
      content: {
        'application/json': Record<string, never>
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
          }
        }
      }
    }
  }
  list_user_sessions: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The user sessions of this page of the list. */
            user_sessions: components['schemas']['UserSession'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  end_user_sessions: {
    responses: never
  }
  get_user_session: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user_session: components['schemas']['UserSession']
          }
        }
      }
    }
  }
  end_user_session: {
    responses: never
  }
  get_timeline: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description Newest first, at most 200 entries. */
            timeline: components['schemas']['TimelineEntry'][]
            /** @description False if there are older entries, which the lists of the records have. */
            complete: boolean
          }
        }
      }
    }
  }
  get_attention: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            attention: components['schemas']['Attention']
          }
        }
      }
    }
  }
  get_preferences: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            preferences: components['schemas']['Preferences']
          }
        }
      }
    }
  }
  update_preferences: {
    requestBody: {
      content: {
        'application/json': {
          /** @description The members to change. */
          preferences: {
            /**
             * @description Colors: those of the system, light or dark.
             * @enum {string}
             */
            theme?: 'system' | 'light' | 'dark'
            /**
             * @description Height of rows.
             * @enum {string}
             */
            density?: 'normal' | 'compact'
            /**
             * @description IANA time zone; null for that of the instance.
             * @example Europe/Paris
             */
            timezone?: string | null
            /**
             * @description Columns by list. A list that is not named has its standard columns.
             * @example {
             *       "payments": [
             *         "amount",
             *         "status",
             *         "when"
             *       ]
             *     }
             */
            columns?: {
              [key: string]: string[]
            }
            /** @description Saved views, in their order. */
            views?: components['schemas']['ListViewInput'][]
          }
        }
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            preferences: components['schemas']['Preferences']
          }
        }
      }
    }
  }
  list_views: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The views of this page of the list. */
            views: components['schemas']['View'][]
            /** @description The position of this page in the list. */
            meta: {
              /** @description The limit of the request. */
              limit: number
              /** @description The offset of the request. */
              offset: number
              /** @description How many records match, including those on other pages. */
              total: number
            }
          }
          'text/csv': string
        }
      }
    }
  }
  create_view: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateView']
      }
    }
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            view: components['schemas']['View']
          }
        }
      }
    }
  }
  delete_view: {
    responses: never
  }
  get_whoami: {
    responses: {
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            whoami: components['schemas']['Whoami']
          }
        }
      }
    }
  }
}

/** The fields that lists are filtered by. */
export interface ListFields {
  accounts:
    | 'id'
    | 'first_name'
    | 'last_name'
    | 'email'
    | 'phone'
    | 'company'
    | 'crm_key'
    | 'crm'
    | 'channel'
    | 'division'
    | 'tags'
    | 'mail_notices'
    | 'status'
    | 'last_transacted'
    | 'created'
    | 'updated'
  payment_methods:
    | 'id'
    | 'account'
    | 'type'
    | 'status'
    | 'brand'
    | 'last4'
    | 'reusable'
    | 'fingerprint'
    | 'created'
    | 'updated'
  contracts:
    | 'id'
    | 'alt_key'
    | 'account'
    | 'payment_method'
    | 'legal_entity'
    | 'currency'
    | 'next_due'
    | 'status'
    | 'created'
    | 'updated'
  charges:
    | 'id'
    | 'alt_key'
    | 'account'
    | 'contract'
    | 'legal_entity'
    | 'currency'
    | 'due'
    | 'outstanding_amount'
    | 'attempts'
    | 'recurring'
    | 'status'
    | 'created'
    | 'updated'
  payment_links:
    | 'id'
    | 'status'
    | 'archived'
    | 'expires'
    | 'name'
    | 'alt_key'
    | 'amount'
    | 'currency'
    | 'channel'
    | 'deep_link'
    | 'account'
    | 'created'
    | 'updated'
  deep_links:
    | 'id'
    | 'slug'
    | 'action'
    | 'status'
    | 'archived'
    | 'expires'
    | 'last_used'
    | 'account'
    | 'contract'
    | 'created'
    | 'updated'
  checkouts:
    | 'id'
    | 'payment_link'
    | 'deep_link'
    | 'account'
    | 'legal_entity'
    | 'status'
    | 'language'
    | 'branding'
    | 'currency'
    | 'expires'
    | 'created'
    | 'updated'
  payments:
    | 'id'
    | 'status'
    | 'alt_key'
    | 'reference'
    | 'amount'
    | 'currency'
    | 'source'
    | 'channel'
    | 'account'
    | 'payment_method'
    | 'legal_entity'
    | 'processed'
    | 'created'
    | 'updated'
    | 'type'
    | 'contract'
    | 'charge'
    | 'payment_link'
    | 'due'
  captures:
    | 'id'
    | 'status'
    | 'alt_key'
    | 'reference'
    | 'amount'
    | 'currency'
    | 'source'
    | 'channel'
    | 'account'
    | 'payment_method'
    | 'legal_entity'
    | 'processed'
    | 'created'
    | 'updated'
    | 'type'
    | 'authorisation'
  refunds:
    | 'id'
    | 'payment'
    | 'status'
    | 'reference'
    | 'reason'
    | 'currency'
    | 'account'
    | 'legal_entity'
    | 'manual'
    | 'offline'
    | 'processed'
    | 'created'
    | 'updated'
  reversals: 'id' | 'payment' | 'type' | 'status' | 'currency' | 'due' | 'created' | 'updated'
  voids: 'id' | 'payment' | 'status' | 'currency' | 'processed' | 'created' | 'updated'
  processors: 'id' | 'name' | 'status' | 'account' | 'created' | 'updated'
  legal_entities:
    | 'id'
    | 'alt_key'
    | 'name'
    | 'legal_name'
    | 'type'
    | 'country'
    | 'default'
    | 'status'
    | 'created'
    | 'updated'
  legal_entity_routes:
    | 'id'
    | 'position'
    | 'legal_entity'
    | 'processor'
    | 'enabled'
    | 'created'
    | 'updated'
  string_overrides: 'id' | 'language' | 'branding' | 'created' | 'updated'
  string_revisions: 'id' | 'reverts' | 'version' | 'change_count' | 'created'
  string_acks: 'id' | 'language' | 'branding' | 'created'
  instance_webhooks:
    | 'id'
    | 'url'
    | 'description'
    | 'enabled'
    | 'failing_since'
    | 'created'
    | 'updated'
  deliveries:
    | 'id'
    | 'event'
    | 'type'
    | 'status'
    | 'instance_webhook'
    | 'response_status'
    | 'last_attempt'
    | 'next_attempt'
    | 'delivered'
    | 'created'
    | 'updated'
  events: 'id' | 'type' | 'about' | 'created'
  secret_keys: 'id' | 'created' | 'last_used' | 'expires' | 'revoked'
  oauth_grants: 'id' | 'created' | 'last_used' | 'client' | 'user'
  audit: 'id' | 'at' | 'created' | 'action' | 'actor_type' | 'actor' | 'actor_name' | 'about' | 'ip'
  users: 'id' | 'created' | 'email' | 'role' | 'last_seen' | 'second_factor' | 'disabled'
  user_sessions: 'id' | 'created' | 'user' | 'last_seen' | 'expires'
  views: 'id' | 'list' | 'created'
}
