import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { ListView } from '../../shared/schemas/preferences.ts'
import type { ViewRecord } from '../../shared/schemas/view.ts'
import { useInstance } from '../address.ts'
import { useAction } from '../api/action.ts'
import { request } from '../api/request.ts'
import { invalidate, useResource } from '../api/resource.ts'
import { preferences, useSavePreferences } from '../preferences.ts'
import { usePermission } from '../shell/permissions.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { CheckField, TextField } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { ActionError } from '../ui/States.tsx'
import { toast } from '../ui/toast.ts'
import { type ListAddress, listHref } from './list-address.ts'
import { t } from './list-words.ts'

/** The saved views of a list. `columns` are those that are shown. No view is applied by itself. */
export function ViewsMenu({
  list,
  state,
  columns,
}: {
  list: string
  state: ListAddress
  columns: readonly string[]
}) {
  const { path } = useLocation()
  const { api } = useInstance()
  const canShare = usePermission('instances:write')
  const [naming, setNaming] = useState(false)
  const { views } = preferences.value
  // A list that is shown by a view has its name.
  const [isOpened, setOpened] = useState(state.where !== '' || state.tab !== '')
  const shared = useShared(list, isOpened)
  // A view keeps its columns, whatever the list is set up with later.
  const shown = { page: 1, at: '', cols: columns.join() }
  const [, query = ''] = listHref(path, state, shown).split('?')
  const own = views.filter((view) => view.list === list)
  const current = own.find((view) => view.query === query)
  const currentShared = shared.find((view) => view.query === query)
  const unshare = useAction(async () => {
    await request('DELETE', api(`/views/${currentShared?.id ?? ''}`))
    invalidate((one) => one.startsWith(api('/views')))
    toast(t('view_deleted'))
  })
  const removing = useSavePreferences()
  const remove = async () => {
    const kept = views.filter((view) => view !== current)
    if (await removing.save({ views: kept })) toast(t('view_deleted'))
  }
  return (
    <>
      <Menu
        kind="quiet"
        label={t('views')}
        onOpen={() => setOpened(true)}
        trigger={
          <>
            <Icon name="list" /> {current?.name ?? currentShared?.name ?? t('views')}
          </>
        }
        items={[
          ...own.map((view) => ({ label: view.name, icon: 'list', href: `${path}?${view.query}` })),
          ...shared.map(({ name, query }) => ({
            label: name,
            icon: 'users',
            href: `${path}?${query}`,
          })),
          { label: t('save_view'), icon: 'plus', run: () => setNaming(true) },
          ...(current
            ? [
                {
                  label: t('delete_view', { name: current.name }),
                  icon: 'trash',
                  danger: true,
                  run: () => void remove(),
                },
              ]
            : []),
          ...(currentShared && canShare
            ? [
                {
                  label: t('delete_shared', { name: currentShared.name }),
                  icon: 'trash',
                  danger: true,
                  run: () => void unshare.run(),
                },
              ]
            : []),
        ]}
      />
      <ActionError error={removing.error ?? unshare.error} />
      {naming && (
        <NameDialog
          list={list}
          query={query}
          canShare={canShare}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

function NameDialog({
  list,
  query,
  canShare,
  onClose,
}: {
  list: string
  query: string
  canShare: boolean
  onClose: () => void
}) {
  const { path, route } = useLocation()
  const [name, setName] = useState('')
  const saving = useSavePreferences()
  const { api } = useInstance()
  const [isShared, setShared] = useState(false)
  const share = useAction(async (key, view: ListView) => {
    await request('POST', api('/views'), { key, body: { view } })
    invalidate((one) => one.startsWith(api('/views')))
    done()
  })
  const save = async () => {
    const view = { name: name.trim(), list, query }
    if (view.name === '') return
    if (isShared) {
      await share.run(view)
      return
    }
    const { views } = preferences.peek()
    const others = views.filter((one) => one.list !== list || one.name !== view.name)
    if (await saving.save({ views: [...others, view] })) done()
  }
  function done(): void {
    toast(t('view_saved'))
    onClose()
    route(`${path}?${query}`, true)
  }
  return (
    <Dialog
      title={t('save_view')}
      onClose={onClose}
      footer={
        <Button kind="primary" type="submit" form="view-name" busy={share.busy}>
          {t('save_view')}
        </Button>
      }
    >
      <form
        id="view-name"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <ActionError error={saving.error ?? share.error} />
        <TextField
          label={t('view_name')}
          hint={t('no_views')}
          value={name}
          maxLength={60}
          autofocus
          onInput={setName}
        />
        {canShare && (
          <CheckField
            label={t('share_view')}
            hint={t('share_view_hint')}
            checked={isShared}
            onChange={setShared}
          />
        )}
      </form>
    </Dialog>
  )
}

/** The views of a list that are shared. While they are not known, there are none. */
function useShared(list: string, isNeeded: boolean): readonly ViewRecord[] {
  const { api } = useInstance()
  const { data } = useResource<{ views: ViewRecord[] }>(
    isNeeded ? api('/views?limit=200&order=created') : null,
  )
  return data?.views.filter((view) => view.list === list) ?? []
}
