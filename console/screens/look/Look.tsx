import { useLocation, useRoute } from 'preact-iso'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { AddBranding } from './AddBranding.tsx'
import { BrandingList } from './BrandingList.tsx'
import { BrandingLook } from './BrandingLook.tsx'
import { ShopLook } from './ShopLook.tsx'
import { t } from './look-words.ts'
import './look.css'

/** The look of the payer's page: that of the shop, which its brandings inherit, and theirs. */
export function Look() {
  const { api, key } = useInstance()
  const { path, query, route } = useLocation()
  const { params } = useRoute()
  const canWrite = usePermission('brandings:write')
  const { data, error, reload } = useResource<{ instance: InstanceRecord }>(
    api(`/instances/${key}`),
  )
  const chosen = params['branding']
  return (
    <>
      <ScreenHead title={t('look')}>
        {canWrite && (
          <Button icon="plus" onClick={() => route(`${path}?do=add`)}>
            {t('add')}
          </Button>
        )}
      </ScreenHead>
      {!data ? (
        error ? (
          <ErrorPanel error={error} retry={reload} />
        ) : (
          <Skeleton rows={8} />
        )
      ) : (
        <div class="look">
          {data.instance.brandings.length > 0 && (
            <BrandingList instance={data.instance} chosen={chosen} />
          )}
          {chosen === undefined ? (
            <ShopLook />
          ) : (
            <BrandingLook key={chosen} branding={chosen} shop={data.instance.theme ?? {}} />
          )}
          {query['do'] === 'add' && canWrite && (
            <AddBranding instance={data.instance} onClose={() => route(path, true)} />
          )}
        </div>
      )}
    </>
  )
}
