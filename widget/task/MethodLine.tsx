import type { DeepLinkTask } from '../../shared/schemas/deep-link-task.ts'
import { brandName } from '../page/methods/brands.ts'
import { methodName } from '../page/methods/method-name.ts'
import { useTask } from './task-context.ts'

type ShownMethod = NonNullable<NonNullable<DeepLinkTask['contract']>['payment_method']>

/** What the customer recognizes a saved method by. */
export function MethodLine({ method }: { method: ShownMethod }) {
  const { t } = useTask()
  const { type, brand, last4, expired } = method
  const name = brandName(brand) ?? methodName(type, t)
  return (
    <>
      {last4 === null ? name : t('methods.ending', { name, digits: last4 })}
      {expired && <strong class="expired"> ({t('tasks.expired')})</strong>}
    </>
  )
}
