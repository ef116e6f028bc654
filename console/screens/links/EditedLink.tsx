import { useEffect, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { DeepLink } from '../../../shared/schemas/deep-link.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { draftOf, draftOfDeepLink } from './link-draft.ts'
import { LinkEditor } from './LinkEditor.tsx'
import { readDraft } from './stored-draft.ts'

/**
 * A new link. `?from=pl_…` or `?from=dl_…` begins with a copy, `?uses=many` with a
 * deep link, and `?account=acc_…` with a customer.
 */
export function NewLink() {
  const { key, currency } = useInstance()
  const { query } = useLocation()
  const { from, uses, account } = query
  if (from) return from.startsWith('dl_') ? <CopiedDeepLink id={from} /> : <CopiedLink id={from} />
  const draft = readDraft(key, currency)
  if (account) return <LinkEditor start={{ ...draft, who: 'customer', customer: account }} />
  return <LinkEditor kept start={uses === 'many' ? { ...draft, uses } : draft} />
}

function CopiedLink({ id }: { id: string }) {
  const { api, currency } = useInstance()
  const { data, error, reload } = useResource<{ payment_link: PaymentLink }>(
    api(`/payment_links/${encodeURIComponent(id)}`),
  )
  if (!data) return error ? <ErrorPanel isScreen error={error} retry={reload} /> : <Skeleton />
  return <LinkEditor start={{ ...draftOf(data.payment_link, currency), expires: '' }} />
}

function CopiedDeepLink({ id }: { id: string }) {
  const { api, currency } = useInstance()
  const { data, error, reload } = useResource<{ deep_link: DeepLink }>(
    api(`/deep_links/${encodeURIComponent(id)}`),
  )
  if (!data) return error ? <ErrorPanel isScreen error={error} retry={reload} /> : <Skeleton />
  const draft = draftOfDeepLink(data.deep_link, currency)
  return <LinkEditor start={{ ...draft, slug: '', expires: '' }} />
}

/** An existing payment link that is not paid yet. */
export function EditLink() {
  const { api, currency } = useInstance()
  const { params } = useRoute()
  const read = useResource<{ payment_link: PaymentLink }>(
    api(`/payment_links/${encodeURIComponent(params['id'] ?? '')}`),
  )
  const [link, again] = useFirst(read.data?.payment_link)
  if (!link) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  return <LinkEditor key={link.v} start={draftOf(link, currency)} edited={link} again={again} />
}

/** An existing deep link that takes payments. */
export function EditDeepLink() {
  const { api, currency } = useInstance()
  const { params } = useRoute()
  const read = useResource<{ deep_link: DeepLink }>(
    api(`/deep_links/${encodeURIComponent(params['id'] ?? '')}`),
  )
  const [link, again] = useFirst(read.data?.deep_link)
  if (!link) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  const start = draftOfDeepLink(link, currency)
  return <LinkEditor key={link.v} start={start} edited={link} again={again} />
}

/**
 * Returns a record as it was read first, because a later answer must not replace what is typed, and a
 * function that takes the newest one.
 */
function useFirst<Row>(read: Row | undefined): [Row | undefined, () => void] {
  const [first, setFirst] = useState<Row>()
  useEffect(() => {
    if (read && !first) setFirst(read)
  }, [read])
  return [first, () => setFirst(read)]
}
