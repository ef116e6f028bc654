import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Permission } from '../../../shared/rules/permissions.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { rememberInstance } from '../../boot.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { seed, useResource } from '../../api/resource.ts'
import { t as common } from '../../shell/common-words.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './settings-words.ts'
import './settings.css'

export type InstanceChange = Partial<
  Omit<InstanceRecord, 'key' | 'mode' | 'created' | 'updated' | 'v'>
>

/**
 * A form for some settings of the instance. `children` draws the fields from the settings as they would
 * be, and gets a function that changes them. Settings that others changed meanwhile are not overwritten
 * without a second press. Ctrl or ⌘ and `S` save.
 */
export function InstanceForm({
  needs = 'instances:write',
  beside,
  children,
}: {
  /** What a user must be allowed to, to change them. */
  needs?: Permission
  /** What stands beside the form, such as a preview of the settings as they would be. */
  beside?: (settings: InstanceRecord) => ComponentChildren
  children: (
    settings: InstanceRecord,
    change: (members: InstanceChange) => void,
    disabled: boolean,
  ) => ComponentChildren
}) {
  const { api, key } = useInstance()
  const path = api(`/instances/${key}`)
  const read = useResource<{ instance: InstanceRecord }>(path)
  const [changed, setChanged] = useState<InstanceChange>({})
  const [basedOn, setBasedOn] = useState<number>()
  const canWrite = usePermission(needs)
  const save = useAction(async (idempotency) => {
    const answer = await request<{ instance: InstanceRecord }>('PUT', path, {
      key: idempotency,
      body: { instance: changed },
      ...(basedOn !== undefined && { ifMatch: basedOn }),
    }).catch((error: unknown) => {
      read.reload()
      setBasedOn(undefined)
      throw error
    })
    seed(path, answer)
    rememberInstance(answer.instance)
    setChanged({})
    setBasedOn(undefined)
    toast(t('saved'))
  })
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      element.current?.requestSubmit()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const stored = read.data?.instance
  if (!stored)
    return read.error ? <ErrorPanel error={read.error} retry={read.reload} /> : <Skeleton />
  const isChanged = Object.keys(changed).length > 0
  const form = (
    <form
      ref={element}
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) void save.run()
      }}
    >
      {save.error && (
        <div role="alert">
          <Banner tone={save.error.status === 409 ? 'wait' : 'bad'}>
            {save.error.status === 409
              ? t('version_conflict')
              : `${errorTitle(save.error)} ${save.error.message}`}
          </Banner>
        </div>
      )}
      {children(
        { ...stored, ...changed },
        (members) => {
          setBasedOn(basedOn ?? stored.v)
          setChanged({ ...changed, ...members })
        },
        !canWrite,
      )}
      {canWrite && (
        <Button kind="primary" type="submit" busy={save.busy} disabled={!isChanged}>
          {common('save')}
        </Button>
      )}
    </form>
  )
  if (!beside) return form
  return (
    <div class="settings-columns">
      {form}
      {beside({ ...stored, ...changed })}
    </div>
  )
}
