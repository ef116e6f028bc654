import { type Condition, criteriaText, type Where } from './criteria.ts'
import {
  Call,
  type CallOptions,
  type Connection,
  type Query,
  type Raw,
  type Request,
  send,
} from './http.ts'
import { List, type Page } from './list.ts'
import type { Expandable, Expanded, Got, Schemas, Sent } from './records.ts'
import type { ListFields } from './types.gen.ts'

export * from './errors.ts'
export {
  Call,
  type CallOptions,
  type Condition,
  type Expanded,
  List,
  type Page,
  type Raw,
  type Where,
}
export type Account = Expanded<Schemas['Account']>
export type Capture = Got<'get_capture', 'capture'>
export type Charge = Expanded<Schemas['Charge']>
export type Contract = Expanded<Schemas['Contract']>
export type DeepLink = Expanded<Schemas['DeepLink']>
export type Payment = Expanded<Schemas['Payment']>
export type PaymentLink = Expanded<Schemas['PaymentLink']>
export type PaymentMethod = Expanded<Schemas['PaymentMethod']>
export type Refund = Expanded<Schemas['Refund']>

/** How a client is set up. */
export interface CheckstandOptions {
  /** Address of the server, such as `https://pay.example`. */
  baseUrl: string
  /** A secret key, or the access token of a platform. */
  key?: string | undefined
  token?: string | undefined
  /** Key of the instance; `default` if omitted. */
  instance?: string
  /** How often a request is sent again after an error that may pass; 2 if omitted. */
  retries?: number
  /** Milliseconds that one try may take. */
  timeoutMs?: number
  /** Sends requests; the global `fetch` if omitted. */
  fetch?: typeof fetch
}

export interface ReadOptions<Path extends string> extends CallOptions {
  /** Relations whose records stand in the answer in place of their ids. */
  expand?: readonly Path[]
}

export interface ListOptions<Field extends string, Path extends string> extends ReadOptions<Path> {
  /** Conditions that the records meet. */
  where?: Where<Field> | string
  /** Fields to sort by, such as `created:desc`, which is the default. */
  order?: string
  /** Records of a page, at most 1000. */
  limit?: number
  /** Adds what all matches come to, of payments, charges and refunds. */
  sum?: 'amount'
}

export interface ChangeOptions extends CallOptions {
  /** The `v` of the record that the change is based on. Throws Conflict when it is another one by now. */
  ifMatch?: number
}

export interface LinkChangeOptions extends ChangeOptions {
  /** `PATCH` merges options and state into those of the link; without it they are replaced whole. */
  mode?: 'PATCH' | 'REPLACE'
}

/** The processor is called, which may take its time. */
const MONEY_MS = 40_000

/**
 * A client of one instance. Its methods throw a CheckstandError, or the reason of a signal. What is given to them
 * and what they return is described by the server's `/openapi.json`.
 */
export class Checkstand {
  readonly #connection: Connection
  readonly accounts
  readonly captures
  readonly charges
  readonly checkouts
  readonly contracts
  readonly deepLinks
  readonly deliveries
  readonly events
  readonly instance
  readonly paymentLinks
  readonly paymentMethods
  readonly payments
  readonly refunds
  readonly reversals
  readonly secretKeys
  readonly strings
  readonly voids
  readonly webhooks

  /** Throws a TypeError without a key or token, and for a `baseUrl` that is no address. */
  constructor({
    baseUrl,
    key,
    token,
    instance = 'default',
    retries = 2,
    timeoutMs,
    fetch: own,
  }: CheckstandOptions) {
    const secret = key ?? token
    if (!secret) throw new TypeError('Checkstand needs `key`, a secret key, or `token`')
    // A token belongs to one instance.
    const api = token === undefined ? `/c/api/instances/${part(instance)}` : '/c/api'
    this.#connection = {
      root: new URL(api, baseUrl).href,
      authorization: token === undefined ? `Basic ${btoa(`${secret}:`)}` : `Bearer ${secret}`,
      // Browsers and workers refuse a `fetch` that is called as a method of something else.
      fetch: own ?? ((...request) => fetch(...request)),
      retries,
      timeoutMs,
    }

    this.accounts = {
      ...this.#records<Schemas['Account'], ListFields['accounts']>('accounts', 'account'),
      ...this.#writes<
        Schemas['Account'],
        Sent<'create_account', 'account'>,
        Sent<'update_account', 'account'>
      >('accounts', 'account'),
      /** Removes what identifies a customer, for good. */
      anonymise: (id: string, options?: CallOptions) =>
        this.#post<Expanded<Schemas['Account']>>(
          `/accounts/${part(id)}/anonymise`,
          {},
          'account',
          options,
        ),
    }
    this.captures = this.#records<Got<'get_capture', 'capture'>, ListFields['captures']>(
      'captures',
      'capture',
    )
    this.charges = {
      ...this.#records<Schemas['Charge'], ListFields['charges']>('charges', 'charge'),
      update: this.#update<Schemas['Charge'], Sent<'update_charge', 'charge'>>('charges', 'charge'),
    }
    this.checkouts = this.#records<Schemas['Checkout'], ListFields['checkouts']>(
      'checkouts',
      'checkout',
    )
    this.contracts = {
      ...this.#records<Schemas['Contract'], ListFields['contracts']>('contracts', 'contract'),
      update: this.#update<Schemas['Contract'], Sent<'update_contract', 'contract'>>(
        'contracts',
        'contract',
      ),
      /** Ends a contract; its unpaid charges are cancelled. */
      cancel: this.#remove('contracts'),
    }
    this.deepLinks = {
      ...this.#records<Schemas['DeepLink'], ListFields['deep_links']>('deep_links', 'deep_link'),
      ...this.#writes<
        Schemas['DeepLink'],
        Sent<'create_deep_link', 'deep_link'>,
        Sent<'update_deep_link', 'deep_link'>,
        LinkChangeOptions
      >('deep_links', 'deep_link'),
      archive: this.#remove('deep_links'),
    }
    this.deliveries = {
      list: this.#list<Schemas['Delivery'], ListFields['deliveries']>('deliveries'),
    }
    this.events = this.#records<Schemas['Event'], ListFields['events']>('events', 'event')
    this.instance = {
      get: (options?: CallOptions) =>
        this.#get<Schemas['Instance']>(`/instances/${part(instance)}`, 'instance', options),
      update: (change: Sent<'update_instance', 'instance'>, options?: ChangeOptions) =>
        this.#call<Schemas['Instance']>(
          {
            method: 'PUT',
            path: `/instances/${part(instance)}`,
            body: { instance: change },
            ...options,
          },
          'instance',
        ),
    }
    this.paymentLinks = {
      ...this.#records<Schemas['PaymentLink'], ListFields['payment_links']>(
        'payment_links',
        'payment_link',
      ),
      ...this.#writes<
        Schemas['PaymentLink'],
        Sent<'create_payment_link', 'payment_link'>,
        Sent<'update_payment_link', 'payment_link'>,
        LinkChangeOptions
      >('payment_links', 'payment_link'),
      archive: this.#remove('payment_links'),
      /** Mails the link to its payer. */
      send: (id: string, mail: Sent<'send_payment_link', 'mail'>, options?: CallOptions) =>
        this.#post<Schemas['Mail']>(`/payment_links/${part(id)}/send`, { mail }, 'mail', options),
    }
    this.paymentMethods = {
      ...this.#records<Schemas['PaymentMethod'], ListFields['payment_methods']>(
        'payment_methods',
        'payment_method',
      ),
      remove: this.#remove('payment_methods'),
    }
    const money = { timeoutMs: MONEY_MS }
    this.payments = {
      ...this.#records<Schemas['Payment'], ListFields['payments']>('payments', 'payment'),
      /** Charges a payment method. A declined payment is an answer, and so is one whose outcome is not known yet. */
      create: (payment: Sent<'create_payment', 'payment'>, options?: CallOptions) =>
        this.#post<Payment>('/payments', { payment }, 'payment', { ...money, ...options }),
      capture: (
        id: string,
        capture: Sent<'capture_payment', 'capture'> = {},
        options?: CallOptions,
      ) =>
        this.#post<Got<'capture_payment', 'capture'>>(
          `/payments/${part(id)}/capture`,
          { capture },
          'capture',
          { ...money, ...options },
        ),
      /** Gives a payment back, or a part of it. */
      refund: (id: string, refund: Sent<'refund_payment', 'refund'> = {}, options?: CallOptions) =>
        this.#post<Refund>(`/payments/${part(id)}/refund`, { refund }, 'refund', {
          ...money,
          ...options,
        }),
      /** Lets an authorization go. */
      void: (id: string, body: Sent<'void_payment', 'void'> = {}, options?: CallOptions) =>
        this.#post<Expanded<Schemas['Void']>>(
          `/payments/${part(id)}/void`,
          { void: body },
          'void',
          { ...money, ...options },
        ),
      /** Asks the processor what became of a payment whose outcome is not known. */
      check: (id: string, options?: CallOptions) =>
        this.#post<Payment>(`/payments/${part(id)}/check`, {}, 'payment', { ...money, ...options }),
    }
    this.refunds = {
      ...this.#records<Schemas['Refund'], ListFields['refunds']>('refunds', 'refund'),
      /** Records the outcome of a refund that people decide. */
      resolve: this.#update<Schemas['Refund'], Sent<'resolve_refund', 'refund'>>(
        'refunds',
        'refund',
      ),
    }
    this.reversals = this.#records<Schemas['Reversal'], ListFields['reversals']>(
      'reversals',
      'reversal',
    )
    this.secretKeys = {
      ...this.#records<Schemas['SecretKey'], ListFields['secret_keys']>(
        'secret_keys',
        'secret_key',
      ),
      ...this.#writes<
        Schemas['SecretKey'],
        Sent<'create_secret_key', 'secret_key'>,
        Sent<'update_secret_key', 'secret_key'>
      >('secret_keys', 'secret_key'),
      revoke: this.#remove('secret_keys'),
    }
    this.strings = {
      /** Returns the sentences of a language and branding, with where each text comes from. */
      list: (
        query?: {
          language?: string
          branding?: string
          set?: string
          limit?: number
          offset?: number
        },
        options?: CallOptions,
      ) =>
        this.#call<Got<'list_strings', 'strings'>>(
          { method: 'GET', path: '/strings', query, ...options },
          'strings',
        ),
      update: (strings: Sent<'update_strings', 'strings'>, options?: CallOptions) =>
        this.#post<Got<'update_strings', 'strings'>>('/strings', { strings }, 'strings', options),
    }
    this.voids = this.#records<Schemas['Void'], ListFields['voids']>('voids', 'void')
    this.webhooks = {
      ...this.#records<Schemas['InstanceWebhook'], ListFields['instance_webhooks']>(
        'instance_webhooks',
        'instance_webhook',
      ),
      ...this.#writes<
        Schemas['InstanceWebhook'] & { secret?: string },
        Sent<'create_instance_webhook', 'instance_webhook'>,
        Sent<'update_instance_webhook', 'instance_webhook'>
      >('instance_webhooks', 'instance_webhook'),
      delete: this.#remove('instance_webhooks'),
      /** Sends events again: one by its id, or those of a type and time. */
      replay: (
        id: string,
        replay: Sent<'replay_instance_webhook', 'replay'>,
        options?: CallOptions,
      ) =>
        this.#post<Got<'replay_instance_webhook', 'replay'>>(
          `/instance_webhooks/${part(id)}/replay`,
          { replay },
          'replay',
          options,
        ),
      test: (id: string, options?: CallOptions) =>
        this.#post<Expanded<Schemas['Delivery']>>(
          `/instance_webhooks/${part(id)}/test`,
          {},
          'delivery',
          options,
        ),
    }
  }

  /** Calls any path below the instance, such as `/totals`. Returns the body of the answer. */
  request<Body>(
    method: Request['method'],
    path: string,
    options: Omit<Request, 'method' | 'path'> = {},
  ): Call<Body> {
    return this.#call<Body>({ ...options, method, path }, undefined)
  }

  #call<Record>(request: Request, member: string | undefined): Call<Record> {
    return new Call(send(this.#connection, request), (body) =>
      member === undefined
        ? (body as Record)
        : ((body as { [name: string]: Record })[member] as Record),
    )
  }

  #get<Record>(path: string, member: string, options?: ReadOptions<string>): Call<Record> {
    const { expand, ...rest } = options ?? {}
    return this.#call<Record>({ method: 'GET', path, query: expansion(expand), ...rest }, member)
  }

  #post<Record>(path: string, body: object, member: string, options?: CallOptions): Call<Record> {
    return this.#call<Record>({ method: 'POST', path, body, ...options }, member)
  }

  #list<Record, Field extends string>(name: string) {
    return <Path extends Expandable<Record> = never>({
      where,
      order,
      limit,
      expand,
      sum,
      ...options
    }: ListOptions<Field, Path> = {}) =>
      new List<Expanded<Record, Path>>(
        ({ criteria, order: ordered, limit: rows, offset }) =>
          this.#call<{ meta: Omit<Page<unknown>, 'data'> }>(
            {
              ...options,
              method: 'GET',
              path: `/${name}`,
              query: {
                criteria,
                order: ordered,
                limit: rows,
                offset: offset || undefined,
                sum,
                ...expansion(expand),
              },
            },
            undefined,
          ).then((body) => ({
            data: (body as unknown as { [list: string]: Expanded<Record, Path>[] })[name] ?? [],
            ...body.meta,
          })),
        { criteria: criteriaText(where), order, limit },
      )
  }

  #records<Record, Field extends string>(name: string, member: string) {
    return {
      list: this.#list<Record, Field>(name),
      get: <Path extends Expandable<Record> = never>(id: string, options?: ReadOptions<Path>) =>
        this.#get<Expanded<Record, Path>>(`/${name}/${part(id)}`, member, options),
    }
  }

  #writes<Record, New, Change, Options extends ChangeOptions = ChangeOptions>(
    name: string,
    member: string,
  ) {
    return {
      create: (record?: New, options?: CallOptions) =>
        this.#post<Expanded<Record>>(`/${name}`, { [member]: record ?? {} }, member, options),
      update: this.#update<Record, Change, Options>(name, member),
    }
  }

  #update<Record, Change, Options extends ChangeOptions = ChangeOptions>(
    name: string,
    member: string,
  ) {
    return (id: string, change: Change, options?: Options) => {
      const { mode, ...rest }: LinkChangeOptions = options ?? {}
      const body = { mode, [member]: change }
      const path = `/${name}/${part(id)}`
      return this.#call<Expanded<Record>>({ method: 'PUT', path, body, ...rest }, member)
    }
  }

  #remove(name: string) {
    return (id: string, options?: CallOptions) =>
      this.#call<void>({ method: 'DELETE', path: `/${name}/${part(id)}`, ...options }, undefined)
  }
}

/** An id, or a key that the merchant chose, in a path. */
const part = encodeURIComponent

const expansion = (expand: readonly string[] | undefined): Query =>
  expand && expand.length > 0 ? { expand: expand.join() } : {}
