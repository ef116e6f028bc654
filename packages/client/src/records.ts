import type { components, operations } from './types.gen.ts'

/** The records, requests and answers of the API, as the server describes them. */

export type Schemas = components['schemas']
type Operations = operations

type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never

/** The body of a request of an operation. */
type BodyOf<Name extends keyof Operations> = Operations[Name] extends { requestBody?: infer Body }
  ? Json<NonNullable<Body>>
  : never

/** The member of a request that holds what is sent: `payment` of `{ payment: … }`. */
export type Sent<Name extends keyof Operations, Member extends string> =
  BodyOf<Name> extends { [M in Member]?: infer Value } ? NonNullable<Value> : never

/** The answer of an operation. */
export type Answer<Name extends keyof Operations> = Operations[Name] extends {
  responses: { 200: infer Response }
}
  ? Json<Response>
  : never

/** A member of the answer of an operation. */
export type Got<Name extends keyof Operations, Member extends string> =
  Answer<Name> extends { [M in Member]: infer Value } ? Value : never

/** Whether a member is the id of a record, or that record when it is expanded. */
type IsRelation<Value> =
  Extract<Value, string> extends never
    ? false
    : Extract<Value, { id: string }> extends never
      ? false
      : true

/** `account` of `account.last_transaction`. */
type First<Path extends string> = Path extends `${infer Member}.${string}` ? Member : Path

/** A record whose relations are ids, but for those that are expanded, which are records. */
export type Expanded<Record, Path extends string = never> = {
  [Member in keyof Record]: true extends IsRelation<Record[Member]>
    ? Member extends First<Path>
      ? Exclude<Record[Member], string>
      : Exclude<Record[Member], { id: string }>
    : Record[Member]
}

/** The members of a record that can be expanded, and paths below them. */
export type Expandable<Record> =
  | {
      [Member in keyof Record]-?: true extends IsRelation<Record[Member]> ? Member : never
    }[keyof Record & string]
  | `${string}.${string}`
  | 'parts'
