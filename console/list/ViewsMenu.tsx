import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { preferences, useSavePreferences } from '../preferences.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
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
  const [naming, setNaming] = useState(false)
  const { views } = preferences.value
  // A view keeps its columns, whatever the list is set up with later.
  const shown = { page: 1, at: '', cols: columns.join() }
  const [, query = ''] = listHref(path, state, shown).split('?')
  const own = views.filter((view) => view.list === list)
  const current = own.find((view) => view.query === query)
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
        trigger={
          <>
            <Icon name="list" /> {current?.name ?? t('views')}
          </>
        }
        items={[
          ...own.map((view) => ({ label: view.name, icon: 'list', href: `${path}?${view.query}` })),
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
        ]}
      />
      <ActionError error={removing.error} />
      {naming && <NameDialog list={list} query={query} onClose={() => setNaming(false)} />}
    </>
  )
}

function NameDialog({
  list,
  query,
  onClose,
}: {
  list: string
  query: string
  onClose: () => void
}) {
  const { path, route } = useLocation()
  const [name, setName] = useState('')
  const saving = useSavePreferences()
  const save = async () => {
    const { views } = preferences.peek()
    const others = views.filter((view) => view.list !== list || view.name !== name.trim())
    const view = { name: name.trim(), list, query }
    if (view.name === '' || !(await saving.save({ views: [...others, view] }))) return
    toast(t('view_saved'))
    onClose()
    route(`${path}?${query}`, true)
  }
  return (
    <Dialog
      title={t('save_view')}
      onClose={onClose}
      footer={
        <Button kind="primary" type="submit" form="view-name">
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
        <ActionError error={saving.error} />
        <TextField
          label={t('view_name')}
          hint={t('no_views')}
          value={name}
          maxLength={60}
          autofocus
          onInput={setName}
        />
      </form>
    </Dialog>
  )
}
